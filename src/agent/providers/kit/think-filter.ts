/** Text of an answer, told apart. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** More white space than this before an answer is no prelude to a tag. */
const maxLeadingBlanks = 2_000;
const openTags = ['<think>', '<thinking>', '<thought>', '<reasoning>'] as const;

/**
 * Takes the thinking out of an answer that wraps it in tags, also when a tag is cut by deltas. Only blocks at the very
 * start are thinking: later, and in code, the tag is a word like any other.
 */
export class ThinkFilter {
  /** `start`: no text yet; `inside`: until the closing tag; `text`: everything passes. */
  #state: 'start' | 'inside' | 'text' = 'start';
  #closeTag = '';
  #held = '';
  #hadBlock = false;

  push(delta: string): readonly Piece[] {
    if (this.#state === 'text') return delta === '' ? [] : [{ kind: 'text', text: delta }];
    this.#held += delta;
    const pieces: Piece[] = [];
    while (this.#held !== '') {
      const before = this.#held;
      if (this.#state === 'inside') pieces.push(...this.#readInside());
      else pieces.push(...this.#readStart());
      if (this.#held === before) break;
    }
    return pieces;
  }

  /** What was held back when the answer ended. */
  end(): readonly Piece[] {
    const text = this.#held;
    this.#held = '';
    if (text === '') return [];
    return [{ kind: this.#state === 'inside' ? 'reasoning' : 'text', text }];
  }

  #readStart(): readonly Piece[] {
    // Blanks before a possible tag are worth keeping only to a point: a model can get stuck in them.
    if (this.#held.length > maxLeadingBlanks) {
      this.#state = 'text';
      const all = this.#held;
      this.#held = '';
      return [{ kind: 'text', text: all }];
    }
    const begun = this.#held.trimStart();
    const lower = begun.toLowerCase();
    const tag = openTags.find((open) => lower.startsWith(open));
    if (tag !== undefined) {
      this.#state = 'inside';
      this.#closeTag = tag.replace('<', '</');
      this.#held = begun.slice(tag.length);
      return [];
    }
    if (openTags.some((open) => open.startsWith(lower))) return [];
    this.#state = 'text';
    // Blank lines between a thinking block and the answer belong to neither.
    const text = this.#hadBlock ? begun : this.#held;
    this.#held = '';
    return [{ kind: 'text', text }];
  }

  #readInside(): readonly Piece[] {
    // Not by a lower-case copy: that can have another length.
    const end = this.#held.search(new RegExp(this.#closeTag, 'iu'));
    if (end >= 0) {
      const text = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + this.#closeTag.length);
      this.#state = 'start';
      this.#hadBlock = true;
      return text === '' ? [] : [{ kind: 'reasoning', text }];
    }
    // The end of what is held may be the beginning of the closing tag.
    const safe = this.#held.length - (this.#closeTag.length - 1);
    if (safe <= 0) return [];
    const text = this.#held.slice(0, safe);
    this.#held = this.#held.slice(safe);
    return [{ kind: 'reasoning', text }];
  }
}
