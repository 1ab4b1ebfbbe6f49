/** Text cut where a speaker would draw breath. Pure. */

const sentencesOf = (text: string, language: string): readonly string[] =>
  [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment);

/** A sentence that is too long alone: at its commas, then at its spaces, then anywhere but inside a character. */
const cutLong = (sentence: string, maxUnits: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > maxUnits) {
    const head = rest.slice(0, maxUnits);
    const comma = Math.max(...[',', ';', ':', '，', '；', '、'].map((mark) => head.lastIndexOf(mark)));
    const space = head.lastIndexOf(' ');
    const found = comma > maxUnits / 2 ? comma + 1 : space > 0 ? space + 1 : maxUnits;
    const isInside = /[\uD800-\uDBFF]$/u.test(rest.slice(0, found));
    const end = isInside ? found - 1 : found;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
};

/** Pieces of at most `maxUnits` UTF-16 units, each of whole sentences where they fit; none is empty. */
export const toPieces = (text: string, language: string, maxUnits: number): readonly string[] => {
  const pieces: string[] = [];
  for (const part of sentencesOf(text, language).flatMap((one) => cutLong(one, maxUnits))) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length <= maxUnits) pieces[pieces.length - 1] = last + part;
    else pieces.push(part);
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
};

/** The first sentences, as many as fit, at least one (cut, if it alone is too long). */
export const firstSentences = (text: string, language: string, maxUnits: number): string =>
  toPieces(text, language, maxUnits)[0] ?? '';
