/** Both SQLite drivers cut text at U+0000, so it is left out of everything that is stored. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text);

/** The value as JSON, its texts without U+0000. `value` is plain data. */
export const toJson = (value: unknown): string => {
  const json = JSON.stringify(value);
  // The walk over every string is only worth its time where one of them may have the character.
  if (!json.includes('\\u0000')) return json;
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? withoutNul(inner) : inner,
  );
};
