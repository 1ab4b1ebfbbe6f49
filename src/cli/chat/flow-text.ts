/** Text that comes in pieces, broken at words so that it fits a terminal. */

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
/** A line end, blanks, a wide character (which may stand alone on a line), or a word. */
const token =
  /\n|[^\S\n]+|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]|[^\s\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]+/gu;

const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
};

/** Control characters of a model must not reach the terminal as such. */
const toSafe = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  text.replace(/\r\n?/gu, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '');

export class FlowText {
  readonly #width: number;
  readonly #write: (text: string) => void;
  #column = 0;
  /** A word that may go on in the next piece. */
  #word = '';
  #blanks = '';

  constructor(width: number, write: (text: string) => void) {
    this.#width = width;
    this.#write = write;
  }

  add(text: string): void {
    const tokens = (this.#word + toSafe(text)).match(token) ?? [];
    this.#word = '';
    for (const [index, part] of tokens.entries()) {
      const isOpen = index === tokens.length - 1 && !/^\s/u.test(part) && !wide.test(part);
      // A word longer than a line is not waited for.
      if (isOpen && part.length < this.#width) this.#word = part;
      else this.#put(part);
    }
  }

  /** Ends the text; what follows begins on a line of its own. */
  end(): void {
    const word = this.#word;
    this.#word = '';
    if (word !== '') this.#put(word);
    this.#blanks = '';
    if (this.#column > 0) this.#put('\n');
  }

  #put(part: string): void {
    if (part === '\n') {
      this.#write('\n');
      this.#column = 0;
      this.#blanks = '';
      return;
    }
    if (/^\s/u.test(part)) {
      this.#blanks = part;
      return;
    }
    const width = widthOf(part);
    if (this.#column > 0 && this.#column + this.#blanks.length + width > this.#width) {
      this.#write('\n');
      this.#column = 0;
      this.#blanks = '';
    }
    this.#write(this.#blanks + part);
    this.#column += this.#blanks.length + width;
    this.#blanks = '';
  }
}
