/** Fits a list of conversations on a narrow screen. */
const maxCharacters = 80;

/** The beginning of a text as one line. */
export const pageTitleOf = (text: string): string => {
  const characters = [...text.trim().replace(/\s+/gu, ' ')];
  if (characters.length <= maxCharacters) return characters.join('');
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
};
