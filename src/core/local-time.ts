const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each zone: making one costs more than a thousand uses. */
const formatOf = (timezone: string | undefined): Intl.DateTimeFormat => {
  const name = timezone ?? '';
  const known = formats.get(name);
  if (known !== undefined) return known;
  // Sweden writes dates as the international norm does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    ...(timezone !== undefined && { timeZone: timezone }),
  });
  formats.set(name, format);
  return format;
};

/** `2026-03-01 14:05` on the clocks of an IANA zone; without one, on the host's. Throws a RangeError for no zone. */
export const formatLocalTime = (at: number, timezone?: string): string => formatOf(timezone).format(at);
