/**
 * One turn from its input to its stored result. Place in the flow: mailbox → (here) → turn → compose → outbox*.
 *
 * 1. The turn, its input and the end of that input's wait are one write: a crash never asks a question twice or drops it.
 *    The model is asked meanwhile, since asking has no effect; whatever has one waits for that write.
 * 2. A step's text and its calls are stored before any of the calls runs.
 * 3. The turn's end, its answer and the answer's deliveries are one write: an answer is never composed twice.
 * 4. A suspended turn records nothing after the suspension, so that the next start sees it as it was.
 */
import { StoreError } from '../../core/errors.js';
import type { InboxId, MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { PreviewHandle } from '../../core/outbound.js';
import type { ModelMessage, UserMessage } from '../../core/provider.js';
import { toRoute } from '../../core/route.js';
import type { SessionRecord, TurnRecord } from '../../core/stores.js';
import type { OpenCall, TurnEnd, TurnJournal } from '../../core/turn.js';
import { isOwner } from '../inbound/access.js';
import { isSharedSession } from '../inbound/session-key.js';
import { withProblems } from '../media/attach.js';
import { isLost, type ReceivedParts, receiveParts } from '../media/receive.js';
import { loadGuidance } from '../skills/chosen.js';
import { composeAnswer, composeNotice, endTurn, finishTurn } from './answer.js';
import { type MessageItem, replyTarget, type SessionItem, takeSteering, toUserMessage } from './items.js';
import { TurnSuspended } from './reasons.js';
import { TurnRelay } from './relay.js';
import { createSegments, previewOf, type Segments } from './segments.js';
import { openSession } from './session.js';
import { startSigns, type TurnSigns } from './signs.js';
import { TurnSpeech } from './turn-speech.js';
import type { SessionDeps, TurnRun } from './types.js';

/** A turn that was cut off this often is likely the cause: it is given up and its person is told. */
const MAX_ATTEMPTS = 3;
/** More of a session than any model reads; the agent fits it to the model's window. */
const HISTORY_MESSAGES = 500;
const RESUMED_MESSAGES = 20_000;

/** A resumed turn may have made more messages than the limit, and none of its own may be missing. */
const historyLimit = ({ attempts }: TurnRecord): number =>
  attempts > 1 ? RESUMED_MESSAGES : HISTORY_MESSAGES;

/** Answers messages that no turn has taken up yet. One that no turn can be made of is answered with an apology. */
export const runMessages = async (
  batch: readonly MessageItem[],
  run: TurnRun,
  deps: SessionDeps,
): Promise<void> => {
  try {
    await answerMessages(batch, run, deps);
  } catch (error) {
    if (deps.signal.aborted) throw error;
    deps.logger.error({ session: run.key, error }, 'messages could not be answered');
    const { event } = batch.at(-1) ?? {};
    if (event !== undefined) deps.tell(event, failureText);
    // What the store refuses may be mended by its operator: the next start tries again.
    if (error instanceof StoreError) return;
    await deps.persist(() => deps.stores.inbox.finish(batch.flatMap(({ inboxes }) => inboxes)));
  }
};

const answerMessages = async (
  batch: readonly MessageItem[],
  run: TurnRun,
  deps: SessionDeps,
): Promise<void> => {
  const last = batch.at(-1);
  if (last === undefined) return;
  const received = await receiveFiles(batch, run.signal, deps);
  if (received === undefined) return;
  const { event } = last;
  const asker = { origin: event.origin, user: event.sender.user, ...skillsOf(event) };
  const session = await openSession(run.key, asker, deps);
  const turn = newTurn(session, event, deps);
  const messages = await toMessages(batch, received, deps);
  const history = loadHistory(turn, deps).then((before) => [...before, ...messages]);
  const entries = batch.flatMap(({ inboxes }) => inboxes);
  const begin = () => deps.persist(() => deps.stores.turns.begin(turn, { entries, messages }));
  // Not before the history is read, which would have the turn's own messages; without one the turn ends with a notice.
  const begun = history.then(begin, begin);
  // Told to whoever waits for it, which at first may be nobody.
  begun.catch(() => {});
  const taken = batch.map((item) => item.event.message);
  const running = { ...run, voice: event, taken, ...linesOf(session), history, openCalls: [], begun };
  await runTurn(turn, running, deps);
};

const loadHistory = (turn: TurnRecord, { stores, persist }: SessionDeps) =>
  persist(() => stores.sessions.messages(turn.session, historyLimit(turn)));

/** One that was chosen for a message is among those it has. */
const skillsOf = ({ skills, explicitSkill }: MessageItem['event']) => {
  if (skills === undefined) return {};
  return { skills: explicitSkill === undefined ? skills : [...new Set([...skills, explicitSkill])] };
};

const newTurn = (
  { id: session, key: sessionKey }: SessionRecord,
  event: MessageItem['event'],
  deps: SessionDeps,
): TurnRecord => {
  const { origin, sender, correlation } = event;
  const platform = deps.platform(origin.platform);
  const replyTo = replyTarget(event);
  return {
    id: deps.ids.next('turn'),
    session,
    sessionKey,
    caller: {
      origin,
      user: sender.user,
      isOwner: platform !== undefined && isOwner(platform, sender.user, deps.settings),
      ...(sender.roles !== undefined && { roles: sender.roles }),
      ...(event.isProgram === true && { isProgram: true }),
      ...skillsOf(event),
    },
    ...(replyTo !== undefined && { replyTo }),
    correlation,
    startedAt: deps.clock.now(),
    attempts: 1,
  };
};

/** Answers the last message anew: a turn with the same words takes the place of the one that answered them. */
export const retryTurn = async (
  { inboxes, event }: Extract<SessionItem, { type: 'retry' }>,
  run: TurnRun,
  deps: SessionDeps,
): Promise<void> => {
  const { stores, persist } = deps;
  const session = await openSession(run.key, { origin: event.origin, user: event.sender.user }, deps);
  const exchange = await persist(() => stores.archive.lastExchange(session.id));
  const messages = exchange?.messages.filter((message) => message.role === 'user') ?? [];
  if (exchange === undefined || messages.length === 0) {
    await persist(() => stores.inbox.finish(inboxes));
    return;
  }
  const turn = newTurn(session, event, deps);
  // One write: a crash before it leaves the command to be obeyed, one after it a turn to be resumed.
  await persist(() => stores.turns.begin(turn, { entries: inboxes, messages, replaces: exchange.turn }));
  const history = loadHistory(turn, deps);
  const running = {
    ...run,
    voice: event,
    taken: [event.message],
    ...linesOf(session),
    history,
    openCalls: [],
  };
  await runTurn(turn, running, deps);
};

const toMessages = async (
  items: readonly MessageItem[],
  received: ReceivedParts,
  deps: SessionDeps,
): Promise<readonly UserMessage[]> => {
  const events = items.map(({ event }) => event);
  const guidance = await loadGuidance(events, deps);
  return events.map((event) =>
    toUserMessage(event, isSharedSession(event.origin, deps.settings), received, guidance.get(event)),
  );
};

/**
 * Fetches what was attached and tells each sender what did not arrive. Undefined where no turn is to be made of it: the
 * gateway stops, and the next start does all of it again; or nothing is left that could be asked about.
 */
const receiveFiles = async (
  items: readonly MessageItem[],
  signal: AbortSignal,
  deps: SessionDeps,
): Promise<ReceivedParts | undefined> => {
  const received = await receiveParts(
    items.map(({ event }) => event),
    deps,
    { signal },
  );
  if (signal.reason instanceof TurnSuspended) return undefined;
  for (const { event } of items) {
    const problems = event.parts.flatMap((part) => received.get(part)?.problem ?? []);
    if (problems.length > 0) deps.tell(event, `⚠️ ${[...new Set(problems)].join('\n')}`);
  }
  if (!items.every(({ event }) => isLost(event, received))) return received;
  await deps.persist(() => deps.stores.inbox.finish(items.flatMap(({ inboxes }) => inboxes)));
  return undefined;
};

/** Takes up a turn that an earlier life left unfinished. */
export const resumeTurn = async (record: TurnRecord, run: TurnRun, deps: SessionDeps): Promise<void> => {
  const attempts = await deps.persist(() => deps.stores.turns.retry(record.id));
  const turn = { ...record, attempts };
  deps.logger.info({ turn: turn.id, correlation: turn.correlation, attempts }, 'turn resumed');
  const { platform, chat } = turn.caller.origin;
  const most = deps.platform(platform)?.maxAttempts?.(chat) ?? MAX_ATTEMPTS;
  if (attempts > most) {
    const text = `I was interrupted ${most === 1 ? 'once' : `${most} times`} while working on this and give up. Please ask again.`;
    await endTurn(turn, { text, preview: turn.preview, reason: 'interrupted', isFailure: true }, deps);
    return;
  }
  const openCalls = await deps.persist(() => deps.stores.turns.openCalls(turn.id));
  const session = await openSession(run.key, turn.caller, deps);
  const history = loadHistory(turn, deps);
  await runTurn(turn, { ...run, ...linesOf(session), history, openCalls, preview: turn.preview }, deps);
};

/** What every model call of a session begins with. */
const linesOf = ({ system, tools }: Pick<SessionRecord, 'system' | 'tools'>) =>
  tools === undefined ? { system } : { system, tools };

interface RunningTurn extends TurnRun {
  readonly system: string;
  readonly tools?: readonly string[];
  /** The session up to the turn's own input. */
  readonly history: Promise<readonly ModelMessage[]>;
  readonly openCalls: readonly OpenCall[];
  /** Resolves when the turn is stored, before which nothing of it may be; absent: it is. */
  readonly begun?: Promise<void>;
  /** Whose further messages may join; absent for a resumed turn, which takes none. */
  readonly voice?: MessageItem['event'];
  /** The messages that it answers from its beginning, as far as they are known. */
  readonly taken?: readonly MessageId[];
  /** What an earlier life left on the screen: the final text replaces it; a second preview would double it. */
  readonly preview?: PreviewHandle | undefined;
}

const runTurn = async (turn: TurnRecord, run: RunningTurn, deps: SessionDeps): Promise<void> => {
  const route = toRoute(turn.caller.origin);
  const adapter = deps.adapterFor(route);
  const logger = deps.logger.child({ turn: turn.id, correlation: turn.correlation });
  const isPreviewLeft = run.preview !== undefined;
  const speech = new TurnSpeech(turn, adapter, deps);
  const createPreview = () =>
    // What will only be heard is not to be read first.
    isPreviewLeft || speech.wish()?.form === 'voice' ? undefined : previewOf(turn, adapter, run.begun, deps);
  const relay = new TurnRelay({ route, adapter, redact: deps.redact, createPreview });
  const signs = startSigns(turn, adapter, logger, deps);
  signs.took(run.taken ?? []);
  const segment = createSegments(relay, run.preview);
  logger.debug({ session: turn.session, attempts: turn.attempts }, 'turn started');
  try {
    await followTurn(turn, { ...run, logger, relay, signs, segment, speech }, deps);
  } catch (error) {
    if (deps.signal.aborted) throw error;
    // A bug, or a store that refuses for good: silence would be taken for a lost message.
    logger.error({ error }, 'turn failed unexpectedly');
    const end = failedEnd(turn);
    await run.begun;
    await endTurn(turn, { text: end.text, preview: await segment.end(), isFailure: true }, deps);
    relay.show(end);
    signs.show(end);
  } finally {
    signs.end();
  }
};

/** What a person reads when something of ours broke. */
const failureText =
  '⚠️ Something went wrong on my side and I could not answer. The operator finds the reason in the log; please try again.';

const failedEnd = (turn: TurnRecord): TurnEnd => ({
  type: 'turn-end',
  turn: turn.id,
  reason: 'error',
  text: failureText,
  usage: { inputTokens: 0, outputTokens: 0 },
  steps: 0,
});

interface FollowedTurn extends RunningTurn {
  readonly logger: Logger;
  readonly relay: TurnRelay;
  readonly signs: TurnSigns;
  readonly segment: Segments;
  readonly speech: TurnSpeech;
}

const followTurn = async (turn: TurnRecord, run: FollowedTurn, deps: SessionDeps): Promise<void> => {
  const { logger, relay, signs, segment, speech, openCalls, signal } = run;
  const history = await run.history;
  speech.note(history);
  const { contextTokens } = deps.settings;
  const { origin } = turn.caller;
  const place = deps.platform(origin.platform);
  const chosen = place?.turnFor?.(origin.chat) ?? {};
  const { model = deps.modelOf(turn.sessionKey), maxSteps = deps.settings.maxSteps, workspace } = chosen;
  const limits = place?.inactivity === undefined ? {} : { inactivity: place.inactivity };
  const { id, session, caller, correlation } = turn;
  const scope = { turn: id, session, caller, correlation };
  const input = {
    ...scope,
    ...linesOf(run),
    model,
    history,
    openCalls,
    maxSteps,
    contextTokens,
    ...limits,
    ...(workspace !== undefined && { workspace }),
  };
  for await (const event of deps.agent.run(input, createJournal(turn, run, segment, deps), {
    signal,
    logger,
  })) {
    if (event.type === 'notice') deps.notify(turn, event.text);
    if (event.type !== 'turn-end') {
      relay.show(event);
      signs.show(event);
      continue;
    }
    await run.begun;
    if (signal.reason instanceof TurnSuspended) {
      await segment.end();
      await deps.stores.turns.suspend(turn.id);
      logger.info({}, 'turn suspended');
      return;
    }
    await finishTurn(turn, event, { preview: await segment.end(), speech: speech.wish() }, deps);
    relay.show(event);
    signs.show(event);
    const { reason, steps, usage, error } = event;
    const { platform, chat } = turn.caller.origin;
    const durationMs = deps.clock.now() - turn.startedAt;
    logger.info({ platform, chat, reason, durationMs, steps, usage, error }, 'turn ended');
  }
};

const createJournal = (
  turn: TurnRecord,
  run: FollowedTurn,
  segment: Segments,
  deps: SessionDeps,
): TurnJournal => {
  const { persist, stores } = deps;
  const isSuspended = (): boolean => run.signal.reason instanceof TurnSuspended;
  return {
    step: async (message) => {
      if (isSuspended()) return;
      const key = `step/${message.toolCalls[0]?.id ?? ''}`;
      const preview = await segment.end();
      const { deliveries, problems } = await composeAnswer(turn, { text: message.text, key, preview }, deps);
      const kept = { ...message, text: withProblems(message.text, problems) };
      await run.begun;
      await deps.deliver(deliveries, (rows) => persist(() => stores.turns.addStep(turn.id, kept, rows)));
    },
    callBegun: async (call, category) => {
      if (!isSuspended()) await persist(() => stores.turns.callBegun(turn.id, call.id, category));
    },
    result: async (message, notice) => {
      if (isSuspended()) return;
      const deliveries = notice === undefined ? [] : composeNotice(turn, notice, deps);
      await deps.deliver(deliveries, (rows) => persist(() => stores.turns.addResult(turn.id, message, rows)));
    },
    compact: async (compaction) => {
      await run.begun;
      if (!isSuspended()) await persist(() => stores.sessions.compact(turn.session, compaction));
    },
    takeSteering: async () => {
      // The boundary between two steps is where a stopping gateway lets go of a turn.
      if (deps.isStopping()) {
        deps.suspend(run.key);
        return [];
      }
      const waiting = deps.waiting(run.key);
      if (run.voice === undefined || waiting === undefined || deps.busyPolicy(run.voice.origin) !== 'steer')
        return [];
      return joinTurn(turn, takeSteering(waiting, run.voice), run, deps);
    },
  };
};

const joinTurn = async (
  turn: TurnRecord,
  items: readonly MessageItem[],
  { signal, begun, signs, speech }: FollowedTurn,
  deps: SessionDeps,
): Promise<readonly UserMessage[]> => {
  const received = items.length === 0 ? undefined : await receiveFiles(items, signal, deps);
  if (received === undefined) return [];
  const entries: readonly InboxId[] = items.flatMap(({ inboxes }) => inboxes);
  const messages = await toMessages(items, received, deps);
  speech.note(messages);
  await begun;
  await deps.persist(() => deps.stores.turns.join(turn.id, { entries, messages }));
  signs.took(items.map(({ event }) => event.message));
  return messages;
};
