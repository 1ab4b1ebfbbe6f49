const units: readonly (readonly [RegExp, number])[] = [
  [/^m(?:in(?:ute)?s?)?$/u, 60_000],
  [/^h(?:(?:ou)?rs?)?$/u, 3_600_000],
  [/^d(?:ays?)?$/u, 86_400_000],
];

const shape = /^(?:(\d{1,6})\s*)?([a-z]+)$/u;

/** Whole minutes, hours or days, e.g. `30m`, `2 hours`, `day`; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, digits, word] = shape.exec(text.trim().toLowerCase()) ?? [];
  const unit = units.find(([pattern]) => word !== undefined && pattern.test(word));
  const amount = digits === undefined ? 1 : Number(digits);
  return unit === undefined || amount === 0 ? undefined : amount * unit[1];
};

/** The largest unit that divides it, e.g. `90m`, `2h`. */
export const formatDuration = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
};
