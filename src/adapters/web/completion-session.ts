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
  const accepted = await acceptMessage(session, { text, parts: [], media: [] }, deps);
  if (!accepted.ok) {
    leave();
    return accepted;
  }
  const question: string = accepted.value;

  async function* follow(): AsyncGenerator<CompletionEvent, void, undefined> {
    let said = '';
    let isWorking = false;
    let ended: { readonly reason: StopReason; readonly turnId?: string } | undefined;
    /** The newest answer that no tool call came behind. */
    let answer: MessageData | undefined;
    let newest: MessageData | undefined;
    try {
      // The emitter is ours and passes on nothing else.
      for await (const [event] of told as AsyncIterable<[StreamEvent]>) {
        switch (event.event) {
          case 'delta':
            if (event.data.reset === true) said = '';
            said += event.data.text;
            yield { type: 'text', text: event.data.text };
            break;
          case 'tool':
            answer = undefined;
            newest = undefined;
            said = '';
            break;
          case 'message':
            if (event.data.role !== 'assistant') break;
            newest = event.data;
            // Answers to commands are no replies.
            if ([question, null].includes(event.data.replyTo)) answer = event.data;
            break;
          case 'status':
            isWorking = event.data.state === 'working';
            if (!isWorking) ended = { reason: event.data.stopReason ?? 'end_turn', ...event.data };
            break;
          case 'error':
            break;
        }
        // A question that joined a turn is answered by what that turn answers to its first one.
        if (ended !== undefined) answer ??= newest;
        const isOver = !isWorking && (answer !== undefined || ended?.reason === 'cancelled');
        if (!isOver) continue;
        const whole = answer?.text ?? '';
        const rest = restOf(said, whole);
        if (rest !== '') yield { type: 'text', text: rest };
        const reason = answer?.failed === true ? 'error' : (ended?.reason ?? 'end_turn');
        yield { type: 'end', end: toEnd(whole, reason, ended?.turnId) };
        return;
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
