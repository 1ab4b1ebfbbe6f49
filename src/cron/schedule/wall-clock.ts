/**
 * Instants and what a zone's clocks on the wall show. Wall time is written as the epoch milliseconds at which clocks of
 * UTC show the same. What a zone's offset is comes from the time zone data of the runtime itself.
 */

const MINUTE_MS = 60_000;
/** No zone has two changes within this time. */
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each zone: making one costs more than a thousand uses. Throws a RangeError for no zone. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  // Sweden writes dates as the international norm does: 2026-03-01 14:05:09.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zone,
  });
  formats.set(zone, format);
  return format;
};

export const isZone = (name: string): boolean => {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
};

const shown = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/u;

/** Milliseconds that the zone's clocks are ahead of UTC. */
const offsetAt = (at: number, zone: string): number => {
  const text = formatOf(zone).format(at);
  const [, year, month, day, hour, minute, second] = shown.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined) throw new Error(`the runtime writes times as '${text}'`);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  return wall - Math.floor(at / 1000) * 1000;
};

export const toWall = (at: number, zone: string): number => at + offsetAt(at, zone);

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Mon 2026-03-02 09:00`. */
export const formatInZone = (at: number, zone: string): string => {
  const date = new Date(toWall(at, zone));
  return `${weekdayNames[date.getUTCDay()]} ${date.toISOString().slice(0, 16).replace('T', ' ')}`;
};

const isoShape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/iu;

/**
 * An ISO date or time. Without an offset of its own it is on the zone's clocks: in a repeated hour the first of the two,
 * in a skipped one right after (`isSkipped`). Undefined if it is none, or no such day or hour exists.
 */
export const parseIsoTime = (
  text: string,
  zone: string,
): { readonly at: number; readonly isSkipped: boolean } | undefined => {
  const match = isoShape.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal =
    new Date(wall).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/u.exec(match[7] ?? '') ?? [];
  if (sign !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
    return { at: sign === '+' ? wall - offset : wall + offset, isSkipped: false };
  }
  if (match[7] !== undefined) return { at: wall, isSkipped: false };
  const [first] = instantsOf(wall, zone);
  return first === undefined
    ? { at: endOfGap(wall, zone), isSkipped: true }
    : { at: first, isSkipped: false };
};

/** Whether the clocks are changed between a day before and a day after the wall's midnight. */
export const changesAround = (midnight: number, zone: string): boolean =>
  offsetAt(midnight - DAY_MS, zone) !== offsetAt(midnight + 2 * DAY_MS, zone);

/** The instants at which the zone's clocks show `wall`, earliest first: none if it is skipped, two if it is repeated. */
export const instantsOf = (wall: number, zone: string): readonly number[] => {
  const before = wall - offsetAt(wall - DAY_MS, zone);
  const after = wall - offsetAt(wall + DAY_MS, zone);
  const found = before === after ? [before] : [Math.min(before, after), Math.max(before, after)];
  return found.filter((at) => toWall(at, zone) === wall);
};

/** The first instant after a skipped wall time. */
export const endOfGap = (wall: number, zone: string): number => {
  let low = wall - DAY_MS - offsetAt(wall - DAY_MS, zone);
  let high = wall + DAY_MS - offsetAt(wall + DAY_MS, zone);
  // Before the change the clocks show less than the skipped time, after it more.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (toWall(middle, zone) < wall) low = middle;
    else high = middle;
  }
  return high;
};
