/** Text from outside without what nobody sees: control characters, direction marks, tag characters. Pure. */

/** Tabs and line ends stay, and so do the joiners that scripts and emoji need. */
const unseen = /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

export const toPlainText = (text: string): string =>
  text
    .replace(/\r\n?/gu, '\n')
    .replace(unseen, '')
    .replace(/[\u2028\u2029]/gu, '\n');

/** One line of it; what is longer ends in an ellipsis. `maxLength` in characters. */
export const toPlainLine = (text: string, maxLength: number): string => {
  const line = toPlainText(text).replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
};
