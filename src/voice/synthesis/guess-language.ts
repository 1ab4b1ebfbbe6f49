/** The language of a text, as two letters, by its script and its small words. Pure. */

const scripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];

/** A sign of these scripts says as much as several letters of others. */
const SCRIPT_SHARE = 0.2;

const smallWords: Readonly<Record<string, string>> = {
  en: 'the and is are of to in that it you for with not this have was on your be as at from',
  de: 'der die das und ist nicht ich sie es ein eine zu mit auf für den dem von wir du auch wird sind',
  fr: 'le la les et est pas je vous un une de des pour dans que qui avec sur nous ne ce au du',
  es: 'el la los las es no que de en un una por para con se lo su está más pero del',
  it: 'il lo la gli non che di un una per con sono si del della questo anche più nel',
  pt: 'os as não que de em um uma para com se por do da no na mais você está',
  nl: 'de het een en is niet ik je van dat in op te voor met zijn er maar ook aan wordt',
  pl: 'na nie się jest to do że jak po co tak za od ale czy są przez',
  tr: 'bir ve bu için değil ile çok da de ne var ben sen olarak daha gibi mi',
  sv: 'och är inte det som en ett att på med för jag du av till den har om',
};

const sets = Object.entries(smallWords).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
);

export const guessLanguage = (text: string): string => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const byScript = scripts.find(([language, pattern]) => {
    const share = (text.match(pattern)?.length ?? 0) / Math.max(1, letters);
    return share > (language === 'uk' || language === 'ja' ? 0.05 : SCRIPT_SHARE);
  });
  if (byScript !== undefined) return byScript[0];
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = sets.map(([language, set]) => ({
    language,
    score: words.filter((word) => set.has(word)).length,
  }));
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  // One word that two languages share is no sign.
  const english = scores.find(({ language }) => language === 'en')?.score ?? 0;
  return best.score >= 2 && best.score > english ? best.language : 'en';
};
