/** What a turn says, as the rows that carry it. Place in the flow: turn → (here) → outbox*. */
import type { Delivery, PreviewHandle, SpeechOrder } from '../../core/outbound.js';
import { type ContentPart, type OutboundPart, textOf } from '../../core/parts.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { AssistantMessage, Usage } from '../../core/provider.js';
import { toRoute } from '../../core/route.js';
import type { TurnRecord } from '../../core/stores.js';
import type { StopReason, TurnEnd } from '../../core/turn.js';
import { withProblems } from '../media/attach.js';
import { compose, toRows } from '../outbound/compose.js';
import { keyBeginning } from '../outbound/turn-keys.js';
import { isSpeakable, type SpeechWish } from '../voice/speech-policy.js';
import type { SessionDeps } from './types.js';

interface Answer {
  readonly text: string;
  /** Within the turn. Default `final`. */
  readonly key?: string;
  readonly message?: AssistantMessage;
  readonly usage?: Usage;
  /** How the turn ended; absent: it goes on, or broke. */
  readonly reason?: StopReason | 'interrupted';
  readonly preview?: PreviewHandle | undefined;
  /** It says that the turn failed. */
  readonly isFailure?: boolean;
  /** It is to be spoken. */
  readonly speech?: SpeechWish | undefined;
}

interface Composed {
  readonly deliveries: readonly Delivery[];
  /** Files that could not be attached, one sentence each. */
  readonly problems: readonly string[];
}

const messageOf = (turn: TurnRecord, key: string) => ({
  route: toRoute(turn.caller.origin),
  cause: { kind: 'turn' as const, turn: turn.id },
  idempotencyKey: `${keyBeginning(turn.id)}${key}`,
  correlation: turn.correlation,
});

export const composeAnswer = async (
  turn: TurnRecord,
  { text, key = 'final', preview, reason = 'error', isFailure = false, speech }: Answer,
  deps: SessionDeps,
): Promise<Composed> => {
  const route = toRoute(turn.caller.origin);
  const adapter = deps.adapterFor(route);
  if (adapter?.conclusion !== undefined) {
    const encoded = key === 'final' ? [adapter.conclusion.encode(deps.redact(text), reason)] : [];
    return { deliveries: toRows(messageOf(turn, key), encoded, deps), problems: [] };
  }
  // A preview whose text turned out void must not stand there as if it were the answer.
  const said = text.trim() === '' && preview?.message !== undefined ? '…' : text;
  if (adapter === undefined || said.trim() === '') return { deliveries: [], problems: [] };
  const { parts, problems } = await deps.attach(said, turn);
  const composeParts = (shown: readonly OutboundPart[]): readonly Delivery[] =>
    compose(
      {
        route,
        parts: shown,
        ...(turn.replyTo !== undefined && { replyTo: turn.replyTo }),
        cause: { kind: 'turn', turn: turn.id, ...(isFailure && { isFailure }) },
        idempotencyKey: `${keyBeginning(turn.id)}${key}`,
        correlation: turn.correlation,
        ...(preview !== undefined && { replaces: preview }),
      },
      adapter,
      deps,
    );
  const spoken = await orderSpeech(parts, speech, adapter, turn, deps);
  const isSpokenOnly = spoken !== undefined && spoken.instead.length > 0 && preview === undefined;
  const shown = isSpokenOnly ? parts.filter(({ type }) => type !== 'text') : parts;
  const voiced =
    spoken === undefined ? [] : voiceRows(turn, isSpokenOnly ? spoken : { ...spoken, instead: [] }, deps);
  const deliveries = [...composeParts(shown), ...voiced];
  // Marks with nothing between them cannot be seen: to a person that is silence.
  const isSeen = deliveries.length > 0;
  return {
    deliveries: isSeen ? deliveries : composeParts([{ type: 'text', text: invisibleText }]),
    problems,
  };
};

/** Undefined where nothing is to be said aloud, or nothing can be. `instead` is empty where the text goes in any case. */
const orderSpeech = async (
  parts: readonly ContentPart[],
  wish: SpeechWish | undefined,
  adapter: PlatformAdapter,
  turn: TurnRecord,
  deps: SessionDeps,
): Promise<SpeechOrder | undefined> => {
  // An answer that brings a voice message of its own is heard already.
  if (wish === undefined || parts.some((part) => part.type === 'media' && part.kind === 'voice'))
    return undefined;
  const texts = parts.filter((part) => part.type === 'text');
  const written = deps.redact(textOf(texts));
  const ear = await deps.voice.prepare(written);
  if (ear.text === '') return undefined;
  const isAlone = wish.form === 'voice' && ear.isWhole;
  const instead = isAlone
    ? adapter.encode([{ type: 'text', text: written }], toRoute(turn.caller.origin))
    : [];
  return { ear: ear.text, instead, ...(wish.voice !== undefined && { voice: wish.voice }) };
};

const voiceRows = (turn: TurnRecord, order: SpeechOrder, deps: SessionDeps): readonly Delivery[] => {
  const reply = turn.replyTo === undefined ? {} : { replyTo: turn.replyTo };
  return toRows(
    { ...messageOf(turn, 'voice'), ...reply },
    [{ text: order.ear, payload: null, speech: order }],
    deps,
  );
};

/** A remark beside the answer, as rows. */
export const composeNotice = (turn: TurnRecord, text: string, deps: SessionDeps): readonly Delivery[] => {
  const { caller, correlation } = turn;
  const route = toRoute(caller.origin);
  const adapter = deps.adapterFor(route);
  if (adapter === undefined || adapter.conclusion !== undefined) return [];
  const parts = [{ type: 'text' as const, text }];
  const idempotencyKey = `${turn.id}/${text}`;
  return compose({ route, parts, cause: { kind: 'notice' }, idempotencyKey, correlation }, adapter, deps);
};

const invisibleText = 'The model answered with nothing that can be shown. Please ask again.';

export const endTurn = async (turn: TurnRecord, answer: Answer, deps: SessionDeps): Promise<void> => {
  const { deliveries, problems } = await composeAnswer(turn, answer, deps);
  const { message, usage } = answer;
  const result = {
    ...(message !== undefined && { message: { ...message, text: withProblems(message.text, problems) } }),
    ...(usage !== undefined && { usage }),
  };
  await deps.deliver(deliveries, (rows) =>
    deps.persist(() => deps.stores.turns.end(turn.id, { ...result, deliveries: rows })),
  );
};

export const finishTurn = (
  turn: TurnRecord,
  end: TurnEnd,
  { preview, speech }: Pick<Answer, 'preview' | 'speech'>,
  deps: SessionDeps,
) =>
  endTurn(
    turn,
    {
      text: finalText(end),
      preview,
      speech: isSpeakable(end.reason) ? speech : undefined,
      reason: end.reason,
      usage: end.usage,
      isFailure: end.reason === 'error',
      ...(end.message !== undefined && { message: end.message }),
    },
    deps,
  );

/** What was already on its way when the turn was stopped is kept, and marked as unfinished. */
const finalText = ({ text, reason, message }: TurnEnd): string => {
  if (reason !== 'cancelled' || message === undefined || message.text.trim() === '') return text;
  return `${message.text.trimEnd()} …\n\n_(stopped)_`;
};
