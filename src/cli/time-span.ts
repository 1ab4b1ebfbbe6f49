const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A span for people, in at most two units, e.g. `2 h 5 min`. A clock that was set back gives `0 s`. */
export const formatSpan = (ms: number): string => {
  const rounded = Math.max(0, ms);
  if (rounded < MINUTE_MS) return `${Math.floor(rounded / 1000)} s`;
  if (rounded < HOUR_MS) return `${Math.floor(rounded / MINUTE_MS)} min`;
  if (rounded < DAY_MS) return join(rounded, HOUR_MS, 'h', MINUTE_MS, 'min');
  return join(rounded, DAY_MS, 'd', HOUR_MS, 'h');
};

const join = (ms: number, big: number, bigName: string, small: number, smallName: string): string => {
  const rest = Math.floor((ms % big) / small);
  return `${Math.floor(ms / big)} ${bigName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
};
