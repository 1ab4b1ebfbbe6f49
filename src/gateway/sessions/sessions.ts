/**
 * All sessions: which mailbox an event belongs to, who runs it, how a stop reaches it, what an earlier life left.
 */
import type { InboxId, PlatformId, SessionKey } from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { JobService } from '../../core/job-service.js';
import { sectionDefaults } from '../../core/platform-definition.js';
import { type Origin, toRoute } from '../../core/route.js';
import type { GatewayStatus } from '../../core/services.js';
import type { Approvals } from '../approvals/approvals.js';
import type { Grants } from '../approvals/grants.js';
import { Router } from '../inbound/router.js';
import { sessionKeyOf } from '../inbound/session-key.js';
import { keyBeginning } from '../outbound/turn-keys.js';
import type { Preferences } from '../preferences.js';
import type { Questions } from '../questions/questions.js';
import type { Speaker } from '../speaker.js';
import { createHearing } from '../voice/hearing.js';
import { saidIn } from '../voice/spoken-words.js';
import { BusyNotices } from './busy-notice.js';
import { createCommandAnswer } from './command-answer.js';
import { createControls } from './controls.js';
import { type SessionItem, takeBatch } from './items.js';
import { Mailboxes } from './mailbox.js';
import { TurnInterrupted, TurnStopped, TurnSuspended } from './reasons.js';
import { resumeTurn, retryTurn, runMessages } from './runner.js';
import type { SessionDeps } from './types.js';

/** Turns get this long at a stop to end or to reach the boundary between two steps. */
const TURN_GRACE_MS = 6_000;
/** A stopped turn that does not end by then is left to itself; its session goes on without it. */
const STOP_GRACE_MS = 5_000;

export interface SessionsOptions
  extends Omit<
    SessionDeps,
    'waiting' | 'busyPolicy' | 'voiceChoice' | 'modelOf' | 'isStopping' | 'suspend' | 'notify' | 'tell'
  > {
  readonly speaker: Speaker;
  readonly preferences: Preferences;
  readonly questions: Questions;
  readonly approvals: Pick<Approvals, 'answerByCode' | 'grantToJob'>;
  readonly grants: Pick<Grants, 'all' | 'revoke'>;
  status(): Promise<GatewayStatus>;
  readonly jobs: JobService;
}

export interface Sessions {
  /** Takes a stored event to its session. Never throws. */
  route(id: InboxId, event: InboundEvent): void;
  readonly counts: { readonly running: number; readonly waiting: number };
  /** Whether a turn of the key runs, or messages of it wait. */
  isBusy(key: SessionKey): boolean;
  /** Takes up the turns and messages that an earlier life left, in their order; of the platforms that are meant. Default: all. */
  recover(isMeant?: (platform: PlatformId) => boolean): Promise<void>;
  beginStop(): void;
  /** Resolves when no turn runs any more, at the latest after the grace time. */
  drain(): Promise<void>;
}

export const createSessions = (options: SessionsOptions): Sessions => {
  const { settings, stores, persist, clock, logger, speaker, signal, preferences } = options;
  let isStopping = false;
  const deps: SessionDeps = {
    ...options,
    waiting: (key) => mailboxes.waiting(key),
    busyPolicy: (origin) =>
      preferences.busy(options.firstPlace(origin)) ??
      options.platform(origin.platform)?.busy ??
      sectionDefaults.busy,
    voiceChoice: (origin) => preferences.voice(options.firstPlace(origin)),
    modelOf: (key) => preferences.model(key) ?? settings.model.name,
    isStopping: () => isStopping,
    suspend: (key) => mailboxes.abort(key, new TurnSuspended()),
    notify: ({ id, caller, correlation }, text) => {
      const route = toRoute(caller.origin);
      guarded(
        speaker.say({
          route,
          text,
          key: `${keyBeginning(id)}${text}`,
          cause: { kind: 'notice' },
          correlation,
        }),
        'notice lost',
      );
    },
    tell: ({ origin, dedupeKey, correlation }, text) => {
      const route = toRoute(origin);
      const key = `file/${dedupeKey}`;
      guarded(speaker.say({ route, text, key, cause: { kind: 'notice' }, correlation }), 'notice lost');
    },
  };
  const guarded = (work: Promise<unknown>, message: string): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) logger.error({ error }, message);
    });
  const finish = async (ids: readonly InboxId[]): Promise<void> => {
    if (ids.length > 0) await persist(() => stores.inbox.finish(ids));
  };
  const answer = createCommandAnswer(options);

  const mailboxes = new Mailboxes<SessionItem>({
    takeBatch,
    run: async (key, batch, { signal: turnSignal }) => {
      const run = { key: key as SessionKey, signal: turnSignal };
      const messages = batch.filter((item) => item.type === 'message');
      for (const item of batch) {
        if (item.type === 'resume') await resumeTurn(item.turn, run, deps);
        if (item.type === 'retry') await retryTurn(item, run, deps);
      }
      if (messages.length > 0) await runMessages(messages, run, deps);
      notices.onTurnOver(key);
    },
    onError: (key, error) => {
      notices.onTurnOver(key);
      if (!signal.aborted) logger.error({ session: key, error }, 'turn failed unexpectedly');
    },
  });
  const notices = new BusyNotices({
    clock,
    signal,
    policyOf: (event) => deps.busyPolicy(event.origin),
    isWaiting: (event) =>
      mailboxes
        .waiting(keyOf(event))
        // By its key, as an edit makes another event of the same message.
        ?.some((item) => item.type === 'message' && item.event.dedupeKey === event.dedupeKey) ?? false,
    say: (event, text) => answer(event, 'busy', text),
  });
  const keyOf = ({ origin, sender }: InboundEvent): SessionKey =>
    sessionKeyOf(options.firstPlace(origin), sender.user, settings);
  const settled = async (key: SessionKey): Promise<void> => {
    const over = new AbortController();
    const patience = clock.sleep(STOP_GRACE_MS, { signal: over.signal }).catch(() => {});
    await Promise.race([mailboxes.settled(key), patience]);
    over.abort(new Error('settled'));
  };
  const stop = async (
    key: SessionKey,
  ): Promise<{ readonly wasRunning: boolean; readonly dropped: number }> => {
    const waiting = mailboxes.waiting(key) ?? [];
    const all = waiting.splice(0);
    // A turn that an earlier life began has to be ended by a run of its own.
    waiting.push(...all.filter((item) => item.type === 'resume'));
    const dropped = [...router.dropHeld(key), ...all.filter((item) => item.type !== 'resume')];
    const wasRunning = mailboxes.abort(key, new TurnStopped());
    await finish(dropped.flatMap(({ inboxes }) => inboxes));
    await settled(key);
    return { wasRunning, dropped: dropped.length };
  };
  const router = new Router({
    logger,
    clock,
    signal,
    keyOf,
    put: (key, item) => mailboxes.put(key, item),
    waiting: (key) => mailboxes.waiting(key),
    onWaiting: (key, event) => {
      guarded(notices.onWaiting(key, event), 'acknowledgement lost');
      if (deps.busyPolicy(event.origin) === 'interrupt') mailboxes.abort(key, new TurnInterrupted());
    },
    controls: (key, event, inbox) =>
      createControls(key, event, inbox, {
        deps,
        preferences,
        approvals: options.approvals,
        grants: options.grants,
        stop,
        isRunning: (one) => mailboxes.isRunning(one),
        status: options.status,
        jobs: options.jobs,
      }),
    stop,
    answer,
    questions: options.questions,
    skills: options.skills,
    hearing: createHearing({
      ...options,
      // Beside what is told of its files, which has a key of its own.
      tell: (event, text) => guarded(answer(event, 'heard-by', text), 'notice lost'),
    }),
    echo: (event) => {
      const said = saidIn(event);
      if (options.voice.isEchoed && said !== undefined)
        guarded(answer(event, 'heard', `🎤 ${said}`), 'notice lost');
    },
    finish,
  });

  return {
    route: (id, event) => router.route(id, event),
    isBusy: (key) => mailboxes.isRunning(key),
    get counts() {
      return mailboxes.counts;
    },
    recover: async (isMeant = () => true) => {
      const turns = await stores.turns.interrupted();
      // A platform that is out of service keeps its share for the day it is back.
      const isServed = (origin: Origin): boolean =>
        isMeant(origin.platform) && options.adapterFor(origin) !== undefined;
      const served = turns.filter(({ caller }) => isServed(caller.origin));
      for (const turn of served) mailboxes.put(turn.sessionKey, { type: 'resume', turn });
      const open = new Set(turns.map(({ id }) => id));
      for (const { id, event, turn } of await stores.inbox.unfinished()) {
        if (!isServed(event.origin)) continue;
        // The entries of a turn that cannot be read are answered anew.
        if (turn === undefined || !open.has(turn)) router.route(id, event);
      }
    },
    beginStop: () => {
      isStopping = true;
    },
    drain: async () => {
      const over = new AbortController();
      const patience = clock.sleep(TURN_GRACE_MS, { signal: over.signal }).then(
        () => mailboxes.abortAll(new TurnSuspended()),
        () => {},
      );
      const idle = mailboxes.pause();
      await Promise.race([idle, patience]);
      over.abort(new Error('no turn runs'));
      await Promise.race([idle, clock.sleep(1_000, { signal })]);
    },
  };
};
