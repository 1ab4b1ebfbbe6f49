import { locateHome } from '../../config/home-paths.js';
import type { Clock } from '../../core/clock.js';
import { createSystemClock } from '../../host/system-clock.js';
import { Conversation } from '../chat/conversation.js';
import { type FeedEvent, followEvents } from '../chat/event-feed.js';
import { askGateway, type ControlRequest, refusalOf } from '../control-client.js';
import { CommandFailure, type Edge, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';
import { createPaint } from '../paint.js';

const TIMEOUT_MS = 20_000;
const USUAL_SESSION = 'terminal';
/** Messages of before that are shown at the beginning. */
const SHOWN = 4;

const answers: Readonly<Record<string, { readonly decision: 'allow' | 'deny'; readonly scope?: string }>> = {
  y: { decision: 'allow', scope: 'once' },
  s: { decision: 'allow', scope: 'session' },
  a: { decision: 'allow', scope: 'always' },
  n: { decision: 'deny' },
};

interface History {
  readonly messages: readonly FeedEvent['data'][];
  readonly lastEventId: string;
}

class Chat {
  readonly #edge: Edge;
  readonly #clock: Clock = createSystemClock();
  readonly #socket: string;
  readonly #base: string;
  readonly #conversation: Conversation;
  readonly #over = new AbortController();
  readonly #editor;
  /** Typed in this moment. */
  #lines: string[] = [];
  /** Typed before, and to go on. */
  #held: string[] = [];
  #hasWarned = false;
  #isStopping = false;

  constructor(session: string, edge: Edge) {
    this.#edge = edge;
    this.#socket = locateHome(edge.environment).socket;
    this.#base = `/api/sessions/${encodeURIComponent(session)}`;
    this.#conversation = new Conversation(edge.stdout, createPaint(edge.stdout, edge.environment));
    this.#editor = edge.stdin.edit({
      onLine: (line) => this.#takeLine(line),
      onInterrupt: (hadText) => this.#interrupt(hadText),
      onEnd: () => this.#over.abort(),
    });
  }

  async run(): Promise<void> {
    try {
      const { messages, lastEventId } = await this.#call<History>('GET', `/messages?limit=${SHOWN}`);
      for (const data of messages) this.#conversation.take({ event: 'message', data });
      this.#conversation.remark(
        'Write, and Enter sends; a \\ at the end of a line goes on below. /help lists commands. Ctrl-C stops an answer, twice leaves.',
      );
      this.#editor.show();
      await this.#follow(lastEventId);
    } finally {
      this.#editor.close();
    }
  }

  #follow(lastEventId: string): Promise<void> {
    const { signal } = this.#over;
    return followEvents({
      socket: this.#socket,
      path: `${this.#base}/events`,
      lastEventId,
      signal,
      pause: (ms) => this.#clock.sleep(ms, { signal }),
      onEvent: (event) => this.#above(() => this.#conversation.take(event)),
      onConnection: (state) =>
        this.#above(() =>
          this.#conversation.remark(
            state === 'lost' ? '(the gateway is gone; waiting for it)' : '(the gateway is back)',
          ),
        ),
    });
  }

  /** Writes above the line that is typed on, which is away while an answer grows. */
  #above(write: () => void): void {
    this.#editor.hide();
    write();
    const { isWorking, question } = this.#conversation;
    if (isWorking && question === undefined) return;
    this.#isStopping = false;
    this.#editor.show();
  }

  /** Lines that come at once were pasted, and are one message. */
  #takeLine(line: string): void {
    this.#hasWarned = false;
    this.#editor.hide();
    this.#lines.push(line);
    if (this.#lines.length > 1) return;
    setImmediate(() => this.#collect());
  }

  #collect(): void {
    const last = this.#lines.at(-1) ?? '';
    if (last.endsWith('\\')) {
      this.#lines[this.#lines.length - 1] = last.slice(0, -1);
      this.#held.push(...this.#lines);
      this.#lines = [];
      this.#editor.show();
      return;
    }
    const text = [...this.#held, ...this.#lines].join('\n').trim();
    this.#held = [];
    this.#lines = [];
    this.#send(text).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      this.#above(() => this.#conversation.remark(`✗ Not sent: ${message}`));
    });
  }

  async #send(text: string): Promise<void> {
    const { question, isWorking } = this.#conversation;
    const answer = question === undefined ? undefined : answers[text.toLowerCase()];
    if (text === '') this.#above(() => {});
    else if (/^\/(?:quit|exit)$/iu.test(text)) this.#over.abort();
    else if (answer !== undefined)
      await this.#call('POST', `/api/permissions/${question}`, answer, { isWhole: true });
    else {
      if (isWorking) this.#above(() => this.#conversation.said(text));
      await this.#say(text);
    }
  }

  async #say(text: string): Promise<void> {
    // Its event may be faster than the answer to the call.
    this.#conversation.owns(text);
    try {
      await this.#call('POST', '/messages', { text });
    } catch (error) {
      this.#conversation.disowns(text);
      throw error;
    }
    this.#above(() => {});
  }

  #interrupt(hadText: boolean): void {
    if (this.#hasWarned || this.#isStopping) {
      this.#over.abort();
      return;
    }
    if (this.#conversation.isWorking) {
      this.#isStopping = true;
      this.#call('POST', '/cancel', {}).catch(() => this.#over.abort());
    } else if (!hadText) {
      this.#hasWarned = true;
      this.#above(() => this.#conversation.remark('(Ctrl-C once more leaves)'));
    }
  }

  async #call<Answer>(
    method: ControlRequest['method'],
    path: string,
    body?: unknown,
    { isWhole = false } = {},
  ): Promise<Answer> {
    const answer = await askGateway({
      socket: this.#socket,
      method,
      path: isWhole ? path : this.#base + path,
      ...(body !== undefined && { body }),
      timeoutMs: TIMEOUT_MS,
      clock: this.#clock,
    });
    if (answer.type === 'down')
      throw new CommandFailure(
        `the gateway is not running. Start it with \`${this.#edge.program} gateway\`.`,
      );
    if (answer.status >= 300) throw new CommandFailure(refusalOf(answer.body));
    // Made by the same version's gateway, behind a socket that only its own user can open.
    return answer.body as Answer;
  }
}

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { session: { type: 'string' } });
  refuseWords(positionals);
  if (!edge.stdin.isTerminal)
    throw new CommandFailure(
      'this needs a terminal. Programs talk to /v1/chat/completions, and `hermes send` sends.',
    );
  const session = values.session ?? USUAL_SESSION;
  if (!/^[\w.-]{1,128}$/u.test(session))
    throw new UsageError(`'${session}' is no name of a session: letters, digits, dots, _ and -`);
  await new Chat(session, edge).run();
  return 0;
};
