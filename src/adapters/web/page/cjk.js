/**
 * Lets `**强调**` work where Chinese, Japanese or Korean text stands beside it. CommonMark decides by spaces and
 * punctuation whether stars open or close emphasis, and these scripts have no spaces: `**“引用”**说` would show its stars.
 */
const cjk =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fc\uff01-\uffef]/u;

/** @param {string} source @param {number} position end of the character looked for */
const characterBefore = (source, position) => {
  if (position <= 0) return ' ';
  const unit = source.charCodeAt(position - 1);
  const isLow = unit >= 0xdc00 && unit < 0xe000;
  return String.fromCodePoint(source.codePointAt(isLow && position > 1 ? position - 2 : position - 1));
};

/** A plugin of markdown-it. */
export const cjkEmphasis = (markdown) => {
  const { State } = markdown.inline;
  const { isWhiteSpace, isPunctChar, isMdAsciiPunct } = markdown.utils;
  const isPunctuation = (character) => isMdAsciiPunct(character.codePointAt(0)) || isPunctChar(character);

  class CjkState extends State {
    scanDelims(start, canSplitWord) {
      const found = super.scanDelims(start, canSplitWord);
      // Underscores stay as they are: they are part of names.
      if (!canSplitWord) return found;
      const end = start + found.length;
      const last = characterBefore(this.src, start);
      const next = end < this.posMax ? String.fromCodePoint(this.src.codePointAt(end)) : ' ';
      if (!cjk.test(last) && !cjk.test(next)) return found;
      const isLastSpace = isWhiteSpace(last.codePointAt(0));
      const isNextSpace = isWhiteSpace(next.codePointAt(0));
      if (isLastSpace || isNextSpace) return found;
      const isEitherPunctuation = isPunctuation(last) || isPunctuation(next);
      return isEitherPunctuation ? { ...found, can_open: true, can_close: true } : found;
    }
  }
  markdown.inline.State = CjkState;
};
