/**
 * How long a service asks to wait, in milliseconds from `now`: `retry-after-ms`, or `retry-after` as seconds or as an
 * HTTP date. Undefined if it does not say or says nonsense. Never negative.
 */
export const parseRetryAfter = (headers: Headers | undefined, now: number): number | undefined => {
  const inMs = toNumber(headers?.get('retry-after-ms'));
  if (inMs !== undefined) return Math.max(0, inMs);
  const text = headers?.get('retry-after');
  const seconds = toNumber(text);
  if (seconds !== undefined) return Math.max(0, seconds * 1000);
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const toNumber = (text: string | null | undefined): number | undefined => {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
};
