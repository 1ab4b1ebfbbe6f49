/** Takes secrets out of texts: the configured ones in every spelling they travel in, and whatever looks like one. */

const stars = '***';

/** Shorter ones (a local server's `x`) are no secrets, and hiding them would garble every text. */
const MIN_SECRET_CHARACTERS = 8;

/** What platforms' and services' credentials look like, for those that no setting names. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // A bot token of Telegram, also inside a URL.
  [/\d{6,}(?::|%3A)[\w-]{30,}/giu, stars],
  [/\bsk-[\w-]{16,}/gu, stars],
  [/\b(Bearer)(\s+|%20)[\w.~+/=-]{16,}/giu, `$1$2${stars}`],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/gu, stars],
  // A bot token of Discord.
  [/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/gu, stars],
  [/\b(?:gh[opsu]|xox[abp]|gsk|glpat)[_-][\w-]{16,}/gu, stars],
];

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&');

const spellings = (secret: string): readonly string[] => {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), encodeURI(secret)];
};

/** Redacting what is redacted changes nothing. Never throws. */
export const createRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  const all = [
    ...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARACTERS).flatMap(spellings)),
  ];
  // The longest first: one secret may begin with another.
  const sorted = all.toSorted((one, other) => other.length - one.length);
  const known = sorted.length === 0 ? undefined : new RegExp(sorted.map(escapeRegExp).join('|'), 'gu');
  return (text) => {
    const withoutKnown = known === undefined ? text : text.replace(known, stars);
    return patterns.reduce(
      (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
      withoutKnown,
    );
  };
};
