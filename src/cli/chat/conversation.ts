/** What a conversation looks like in a terminal: events in, text out. Knows of no keyboard and no network. */
import type { Output } from '../edge.js';
import type { Paint } from '../paint.js';
import type { FeedEvent } from './event-feed.js';
import { FlowText } from './flow-text.js';

const WIDTH = 80;

const textOf = (data: FeedEvent['data'], key: string): string => {
  const value = data[key];
  return typeof value === 'string' ? value : '';
};

export class Conversation {
  readonly #output: Output;
  readonly #paint: Paint;
  readonly #own: string[] = [];
  #flow: FlowText;
  /** Written since the last message. */
  #shown = '';
  /** What a message said before it came as a delta. */
  #ahead = '';
  #isWorking = false;
  #question: string | undefined;

  constructor(output: Output, paint: Paint) {
    this.#output = output;
    this.#paint = paint;
    this.#flow = new FlowText(WIDTH, (text) => output.write(text));
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** The permission that is asked for. */
  get question(): string | undefined {
    return this.#question;
  }

  /** What is said here and stands there already; it comes back as an event. */
  owns(text: string): void {
    this.#own.push(text);
  }

  /** It was not taken after all. */
  disowns(text: string): void {
    const at = this.#own.indexOf(text);
    if (at !== -1) this.#own.splice(at, 1);
  }

  /** A line about the conversation. */
  remark(text: string): void {
    this.#flow.end();
    const flow = new FlowText(WIDTH, (part) => this.#output.write(this.#paint(part, 'dim')));
    flow.add(text);
    flow.end();
  }

  take({ event, data }: FeedEvent): void {
    switch (event) {
      case 'delta':
        this.#delta(data);
        break;
      case 'tool':
        this.#tool(data);
        break;
      case 'message':
        this.#message(data);
        break;
      case 'status':
        this.#status(data);
        break;
      case 'permission_request':
        this.#ask(data);
        break;
      case 'permission_resolved':
        if (textOf(data, 'id') === this.#question) this.#question = undefined;
        this.remark(`(${textOf(data, 'outcome').replaceAll('_', ' ')})`);
        break;
    }
  }

  #delta(data: FeedEvent['data']): void {
    if (data['reset'] === true) {
      if (this.#shown !== '') this.remark('(begins again)');
      this.#shown = '';
      return;
    }
    const text = textOf(data, 'text');
    if (this.#isAhead(text)) return;
    this.#shown += text;
    this.#flow.add(text);
  }

  /** A stored message may overtake the last pieces of its text. */
  #isAhead(text: string): boolean {
    const isKnown = this.#ahead !== '' && this.#ahead.startsWith(text.trimEnd());
    this.#ahead = isKnown ? this.#ahead.slice(text.length) : '';
    return isKnown;
  }

  #tool(data: FeedEvent['data']): void {
    const state = textOf(data, 'state');
    if (state === 'finished') return;
    this.#shown = '';
    this.#ahead = '';
    const what = [textOf(data, 'name'), textOf(data, 'summary')].filter((part) => part !== '').join(': ');
    this.remark(state === 'failed' ? `✗ ${what}` : `· ${what}`);
  }

  #message(data: FeedEvent['data']): void {
    const text = textOf(data, 'text');
    if (textOf(data, 'role') === 'user') {
      if (this.#own.includes(text.trim())) this.disowns(text.trim());
      else this.said(text);
      return;
    }
    const shown = this.#shown.trimStart();
    const whole = text.trim();
    if (shown === '' || !whole.startsWith(shown.trimEnd())) {
      this.#endText();
      this.#flow.add(text);
    } else {
      this.#ahead = whole.slice(shown.length);
      // Once the turn is over the rest stands on a line of its own.
      this.#flow.add(this.#isWorking ? this.#ahead : this.#ahead.trimStart());
    }
    this.#endText();
    const media = Array.isArray(data['media']) ? data['media'] : [];
    for (const file of media) this.remark(`[file: ${nameOf(file)}; the page shows it]`);
    this.#output.write('\n');
  }

  /** Somebody wrote it elsewhere, or before. */
  said(text: string): void {
    this.#endText();
    this.#flow.add(`› ${text}`);
    this.#flow.end();
  }

  #status(data: FeedEvent['data']): void {
    this.#isWorking = data['state'] === 'working';
    const detail = textOf(data, 'detail');
    if (detail !== '') this.remark(`(${detail})`);
    if (this.#isWorking) return;
    // Its message may come later; it says then what is not shown yet, and whether it was stopped.
    this.#flow.end();
    // Where nothing was said there is none.
    if (data['stopReason'] === 'cancelled' && this.#shown === '') this.remark('(stopped)');
  }

  #ask(data: FeedEvent['data']): void {
    this.#question = textOf(data, 'id');
    this.remark(`${textOf(data, 'tool')} (${textOf(data, 'category')}): ${textOf(data, 'summary')}`);
    const key = textOf(data, 'grantKey');
    const what = key === '' ? '' : ` for ${key}`;
    this.#output.write(this.#paint(`Allow it? y once, s for this session${what}, a always, n no\n`, 'bold'));
  }

  #endText(): void {
    this.#flow.end();
    this.#shown = '';
  }
}

const nameOf = (file: unknown): string =>
  typeof file === 'object' && file !== null && 'name' in file ? String(file.name) : 'without a name';
