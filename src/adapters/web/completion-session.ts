/** A program's question in a session of the page: kept there, answered there, and passed on as it is answered. */
import { EventEmitter, on } from 'node:events';
import { type CompletionEvent, restOf } from '../../core/completion.js';
import type { ChatId } from '../../core/ids.js';
import { toTurnId } from '../../core/ids.js';
import type { StopReason, TurnEnd } from '../../core/turn.js';
import { type Checked, passed } from './http-problem.js';
import { acceptMessage, type SessionRoutesDeps } from './session-routes.js';
import type { MessageData, StreamEvent } from './stream-events.js';

/** Usage of a kept session is the session's own; it is not told apart by question. */
const toEnd = (text: string, reason: StopReason, turnId = ''): TurnEnd => ({
  type: 'turn-end',
  turn: toTurnId(turnId),
  reason,
  text,
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 0,
});

const isAbortError = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** What a session tells, as far as it answers one question. */
class Answering {
  readonly #question: string;
  #said = '';
  #isWorking = false;
  #ended: { readonly reason: StopReason; readonly turnId?: string } | undefined;
  /** The newest answer that no tool call came behind; to whatever question. */
  #newest: MessageData | undefined;
  /** Of those to the question. */
  #answer: MessageData | undefined;

  constructor(question: string) {
    this.#question = question;
  }

  take(event: StreamEvent): readonly CompletionEvent[] {
    const shown = this.#note(event);
    const live: CompletionEvent[] = shown === '' ? [] : [{ type: 'text', text: shown }];
    // A question that joined a turn is answered by what that turn answers to its first one.
    const answer = this.#ended === undefined ? this.#answer : (this.#answer ?? this.#newest);
    const isOver = !this.#isWorking && (answer !== undefined || this.#ended?.reason === 'cancelled');
    if (!isOver) return live;
    const whole = answer?.text ?? '';
    const rest = restOf(this.#said, whole);
    const reason = answer?.failed === true ? 'error' : (this.#ended?.reason ?? 'end_turn');
    const end: CompletionEvent = { type: 'end', end: toEnd(whole, reason, this.#ended?.turnId) };
    return [...live, ...(rest === '' ? [] : [{ type: 'text' as const, text: rest }]), end];
  }

  /** Gives what is to be shown of it at once. */
  #note(event: StreamEvent): string {
    switch (event.event) {
      case 'delta':
        this.#said = event.data.reset === true ? event.data.text : this.#said + event.data.text;
        return event.data.text;
      case 'tool':
        this.#answer = undefined;
        this.#newest = undefined;
        this.#said = '';
        return '';
      case 'message':
        if (event.data.role !== 'assistant') return '';
        this.#newest = event.data;
        // Answers to commands are no replies.
        if ([this.#question, null].includes(event.data.replyTo)) this.#answer = event.data;
        return '';
      case 'status':
        this.#isWorking = event.data.state === 'working';
        if (!this.#isWorking) this.#ended = { reason: event.data.stopReason ?? 'end_turn', ...event.data };
        return '';
      default:
        return '';
    }
  }
}

/** Resolves when the question is stored. */
export const askSession = async (
  session: ChatId,
  text: string,
  deps: SessionRoutesDeps,
  signal: AbortSignal,
): Promise<Checked<AsyncIterable<CompletionEvent>>> => {
  const emitter = new EventEmitter();
  // Before the question is there, so that nothing of its answer is missed.
  const told = on(emitter, 'event', { signal });
  const leave = deps.hub.feed(session).follow((event) => void emitter.emit('event', event));
  const accepted = await acceptMessage(session, { text, parts: [], media: [], isProgram: true }, deps);
  if (!accepted.ok) {
    leave();
    return accepted;
  }
  const answering = new Answering(accepted.value);

  async function* follow(): AsyncGenerator<CompletionEvent, void, undefined> {
    try {
      // The emitter is ours and passes on nothing else.
      for await (const [event] of told as AsyncIterable<[StreamEvent]>) {
        const events = answering.take(event);
        yield* events;
        if (events.at(-1)?.type === 'end') return;
      }
    } catch (error) {
      if (!isAbortError(error)) throw error;
      yield { type: 'end', end: toEnd('', 'cancelled') };
    } finally {
      leave();
    }
  }
  return passed(follow());
};
