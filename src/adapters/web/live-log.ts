import type { LiveStreamEvent } from './stream-events.js';

export interface LiveEntry {
  readonly number: number;
  /** The newest stored message when the event happened; undefined until somebody looked it up. */
  sequence: number | undefined;
  readonly event: LiveStreamEvent;
}

/** What one entry weighs besides its text, in units of text. */
const ENTRY_UNITS = 100;

const unitsOf = ({ event }: LiveEntry): number =>
  ENTRY_UNITS + (event.event === 'delta' ? event.data.text.length : 0);

/**
 * A session's recent live events, bounded. What is dropped from the front leaves behind the text of the step that it
 * began, so that a client which comes too late for the single pieces still gets the whole.
 */
export class LiveLog {
  #entries: LiveEntry[] = [];
  #units = 0;
  #cutoff: number;
  #droppedText = '';

  constructor(cutoff: number) {
    this.#cutoff = cutoff;
  }

  /** Events up to this number are no longer here. */
  get cutoff(): number {
    return this.#cutoff;
  }

  /** Text of the running step that was in dropped entries. */
  get droppedText(): string {
    return this.#droppedText;
  }

  push(entry: LiveEntry): void {
    this.#entries.push(entry);
    this.#units += unitsOf(entry);
  }

  after(number: number): readonly LiveEntry[] {
    const index = this.#entries.findIndex((entry) => entry.number > number);
    return index === -1 ? [] : this.#entries.slice(index);
  }

  /** A new turn begins: of the earlier one only its end matters to those who missed it. */
  startOver(): void {
    const last = this.#entries.at(-1);
    this.#drop(last === undefined ? 0 : this.#entries.length - 1);
    this.#droppedText = '';
  }

  trim(maxUnits: number): void {
    let excess = this.#units - maxUnits;
    let count = 0;
    for (const entry of this.#entries) {
      if (excess <= 0) break;
      excess -= unitsOf(entry);
      count += 1;
    }
    this.#drop(count);
  }

  /** Fills in what was not known when the events happened. */
  learnSequence(sequence: number): void {
    for (const entry of this.#entries) entry.sequence ??= sequence;
  }

  #drop(count: number): void {
    for (const entry of this.#entries.splice(0, count)) {
      this.#units -= unitsOf(entry);
      this.#cutoff = entry.number;
      const { event } = entry;
      if (event.event === 'tool' || (event.event === 'delta' && event.data.reset)) this.#droppedText = '';
      if (event.event === 'delta') this.#droppedText += event.data.text;
    }
  }
}
