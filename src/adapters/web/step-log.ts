import type { PageStep } from '../../core/page-log.js';
import type { TurnEvent } from '../../core/turn.js';

/** The text of one step of a turn, as it was streamed. */
interface Segment {
  text: string;
  /** Its message is stored. */
  isStored: boolean;
}

interface Entry {
  step: PageStep;
  isRunning: boolean;
  /** After which the call came. */
  readonly segment: Segment;
}

/** So many calls that nothing was said of are a runaway; the oldest are let go of. */
const MAX_ENTRIES = 500;

const normalise = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/**
 * Tool calls of which no message tells yet, so that the next one can carry them: a page that is opened later shows them
 * where they happened. A message is stored a little later than its text was streamed, and the call after it may have
 * ended by then; so texts are compared.
 */
export class StepLog {
  #entries: Entry[] = [];
  #segment: Segment = { text: '', isStored: false };

  tell(event: TurnEvent): void {
    switch (event.type) {
      case 'turn-start':
        this.#segment = { text: '', isStored: false };
        break;
      case 'text-delta':
        this.#addText(event.text);
        break;
      case 'text-reset':
        if (!this.#isEnded()) this.#segment.text = '';
        break;
      case 'tool-start':
        this.#begin(event);
        break;
      case 'tool-end':
        this.#end(event);
        break;
      case 'turn-end':
        for (const entry of this.#entries)
          if (entry.isRunning)
            Object.assign(entry, { isRunning: false, step: { ...entry.step, state: 'ended' } });
        break;
      case 'notice':
      case 'step-end':
        break;
      default:
        event satisfies never;
    }
  }

  /** The calls that ended and stand before a message that is about to be stored. */
  before(text: string): readonly PageStep[] {
    return this.#before(text).map(({ step }) => step);
  }

  /** The message is stored, and has what `before` gave. */
  stored(text: string): void {
    const told = this.#before(text);
    const own = this.#entries.find((entry) => this.#follows(entry, text));
    this.#entries = this.#entries.filter((entry) => !told.includes(entry));
    if (own !== undefined) own.segment.isStored = true;
    else if (this.#matches(this.#segment, text)) this.#segment.isStored = true;
  }

  #before(text: string): readonly Entry[] {
    const end = this.#entries.findIndex((entry) => entry.isRunning || this.#follows(entry, text));
    return end === -1 ? this.#entries : this.#entries.slice(0, end);
  }

  #follows({ segment }: Entry, text: string): boolean {
    return this.#matches(segment, text);
  }

  #matches(segment: Segment, text: string): boolean {
    const streamed = normalise(segment.text);
    return streamed !== '' && !segment.isStored && normalise(text).startsWith(streamed);
  }

  /** A call came after the segment: what is said from then on is another. */
  #isEnded(): boolean {
    return this.#entries.at(-1)?.segment === this.#segment;
  }

  #addText(text: string): void {
    if (this.#isEnded()) this.#segment = { text: '', isStored: false };
    this.#segment.text += text;
  }

  #begin({ turn, call, name, summary }: Extract<TurnEvent, { type: 'tool-start' }>): void {
    const step: PageStep = { turn, call, name, state: 'ended', summary };
    this.#add({ step, isRunning: true, segment: this.#segment });
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
  }

  #end({ turn, call, name, summary, isError }: Extract<TurnEvent, { type: 'tool-end' }>): void {
    const known = this.#entries.findLast(({ step }) => step.turn === turn && step.call === call);
    const state = isError ? 'failed' : 'finished';
    const step: PageStep = { turn, call, name, state, summary: summary || (known?.step.summary ?? '') };
    if (known !== undefined) Object.assign(known, { isRunning: false, step });
    else this.#add({ step, isRunning: false, segment: this.#segment });
  }
}
