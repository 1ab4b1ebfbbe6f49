import { type Phrase, toIndexText } from '../search-text.js';

const occurs = (words: readonly string[], { words: wanted, isPrefix }: Phrase): boolean =>
  words.some((_, start) =>
    wanted.every((word, index) => {
      const found = words[start + index];
      if (found === undefined) return false;
      return isPrefix && index === wanted.length - 1 ? found.startsWith(word) : found === word;
    }),
  );

/** What the index of the database would say. */
export const matchesPhrases = (text: string, phrases: readonly Phrase[]): boolean => {
  const words = toIndexText(text).split(' ');
  return phrases.length > 0 && phrases.every((phrase) => occurs(words, phrase));
};
