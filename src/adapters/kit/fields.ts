/** Reads payloads that nobody has checked. Nothing here throws, whatever the value is. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // An object that is no array has string keys with values of any kind.
      (value as Fields)
    : undefined;

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A string that shows something. */
export const nameOf = (value: unknown): string | undefined => {
  const text = textOf(value)?.trim();
  return text === '' ? undefined : text;
};

export const integerOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** At most `limit` UTF-16 units, with an ellipsis where something was left out; cuts no character in half. */
export const shorten = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
};
