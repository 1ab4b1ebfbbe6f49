/** Characters that secrets consist of; a run of them at the end may be the first half of one. */
const openRun = /[\w\-.:/+=%~]+$/u;
/** Longer runs are no secret of ours and not worth holding back. */
const MAX_HELD = 1_024;

/**
 * Redacts a text that comes in pieces: a piece leaves only when no secret can begin in it and end in the next one.
 * Secrets have no blanks, so what ends in one is complete.
 */
export class RedactStream {
  readonly #redact: (text: string) => string;
  #held = '';

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** What may be shown now; often empty. */
  push(text: string): string {
    const whole = this.#held + text;
    const run = openRun.exec(whole.slice(-MAX_HELD))?.[0] ?? '';
    const end = run.length >= MAX_HELD ? whole.length : whole.length - run.length;
    this.#held = whole.slice(end);
    return this.#redact(whole.slice(0, end));
  }

  /** What was held back. */
  end(): string {
    const rest = this.#redact(this.#held);
    this.#held = '';
    return rest;
  }

  /** The text is void and begins anew. */
  reset(): void {
    this.#held = '';
  }
}
