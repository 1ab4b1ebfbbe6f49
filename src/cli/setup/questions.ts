import { CommandFailure, type Edge } from '../edge.js';
import { tell } from '../tell.js';

/** The input may have ended: then the same answer would come for ever. */
const MOST_TRIES = 5;

export interface Choice<Value> {
  /** What is typed. */
  readonly key: string;
  readonly text: string;
  readonly value: Value;
}

/** Questions to who sits at the terminal. They reject with a CommandFailure after too many answers that do not fit. */
export class Questions {
  readonly #edge: Edge;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  say(text: string): void {
    tell(this.#edge.stderr, `${text}\n`);
  }

  /** `check`: what is wrong with an answer, as a sentence; undefined if nothing is. Empty answers mean `usual`. */
  async text(
    question: string,
    {
      usual,
      check = () => undefined,
    }: { readonly usual?: string; readonly check?: (answer: string) => string | undefined } = {},
  ): Promise<string> {
    const hint = usual === undefined || usual === '' ? '' : ` [${usual}]`;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      this.#edge.stderr.write(`${question}${hint}: `);
      const typed = (await this.#edge.stdin.readLine()).trim();
      const answer = typed === '' ? (usual ?? '') : typed;
      const wrong = check(answer);
      if (wrong === undefined) return answer;
      this.say(`  ${wrong}`);
    }
    throw new CommandFailure('this leads nowhere. Nothing was written.');
  }

  async isYes(question: string, usual: boolean): Promise<boolean> {
    const answer = await this.text(`${question} ${usual ? '[Y/n]' : '[y/N]'}`, {
      check: (typed) => (/^(?:|y|yes|n|no)$/iu.test(typed) ? undefined : 'Please write y or n.'),
    });
    return answer === '' ? usual : /^y/iu.test(answer);
  }

  /** The first choice is the usual one. */
  async choose<Value>(
    question: string,
    choices: readonly [Choice<Value>, ...Choice<Value>[]],
  ): Promise<Value> {
    this.say(question);
    for (const { key, text } of choices) this.say(`  ${key}  ${text}`);
    const find = (typed: string) => choices.find(({ key }) => key === typed.toLowerCase());
    const answer = await this.text('Your choice', {
      usual: choices[0].key,
      check: (typed) =>
        find(typed) === undefined
          ? `Please write one of ${choices.map(({ key }) => key).join(', ')}.`
          : undefined,
    });
    return (find(answer) ?? choices[0]).value;
  }
}

/** What to do with an answer that did not pass its test. */
export const askWhatNow = (questions: Questions): Promise<'again' | 'keep' | 'skip'> =>
  questions.choose('What now?', [
    { key: '1', text: 'write it again', value: 'again' },
    { key: '2', text: 'take it all the same', value: 'keep' },
    { key: '3', text: 'leave this as it was', value: 'skip' },
  ]);
