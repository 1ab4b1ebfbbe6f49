/**
 * The kernel put together: what arrives, waits, is answered and leaves. Knows platforms as adapters and the agent as
 * a function from messages to events; knows neither's name.
 */
import { setMaxListeners } from 'node:events';
import type { ApprovalService } from '../core/approval.js';
import type { Clock } from '../core/clock.js';
import type { NoticeService } from '../core/commands.js';
import type { KnownChat } from '../core/directory.js';
import type { IdSource, SessionKey } from '../core/ids.js';
import type { InboundEvent } from '../core/inbound.js';
import type { JobService } from '../core/job-service.js';
import type { Logger } from '../core/logger.js';
import type { MediaStore } from '../core/media.js';
import type { ShownLog } from '../core/page-log.js';
import type { Route } from '../core/route.js';
import type { GatewayServices } from '../core/services.js';
import type { SkillLibrary } from '../core/skill.js';
import type { Stores } from '../core/stores.js';
import type { Caller, ToolServices } from '../core/tool.js';
import type { Agent } from '../core/turn.js';
import type { VoiceService } from '../core/voice.js';
import { Approvals } from './approvals/approvals.js';
import { Grants } from './approvals/grants.js';
import { createPolicy } from './approvals/policy.js';
import { createConversations } from './archive/conversations.js';
import { createForget } from './archive/forget.js';
import { createRecall } from './archive/recall.js';
import { createRetention } from './archive/retention.js';
import { ChatMoves } from './chat-moves.js';
import { commands, findCommand } from './commands/index.js';
import { createCompletions } from './completions.js';
import { Directory } from './directory/directory.js';
import { visibleChats } from './directory/visible.js';
import { createHousekeeping } from './housekeeping.js';
import { createSink } from './inbound/accept.js';
import { decideAccess, isOwner } from './inbound/access.js';
import { parseSlash } from './inbound/slash.js';
import { StrangerLimit } from './inbound/stranger-limit.js';
import { clearSpool } from './media/housekeeping.js';
import { createMessaging } from './messaging.js';
import { createOutgoing } from './outbound/outgoing.js';
import { homeOf } from './outbound/resolve.js';
import { Pairings } from './pairing/pairings.js';
import { createPersist } from './persist.js';
import { formatHome, type HomeAddress, Preferences } from './preferences.js';
import { Questions } from './questions/questions.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import type { GatewaySettings } from './settings.js';
import { createStatus } from './status.js';
import { Supervisor } from './supervisor.js';

/** Platform calls under way at a stop get this long; cut off, their outcome would be unknown. */
const SEND_GRACE_MS = 3_000;

/** To somebody who presses a button and may not write here. */
const strangerText = 'You may not choose here.';

export interface GatewayDeps {
  readonly settings: GatewaySettings;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly pid: number;
  readonly media: MediaStore;
  readonly voice: VoiceService;
  /** What a face of ours shows beside the transcripts. */
  readonly shown: ShownLog;
  readonly redact: (text: string) => string;
  readonly jobs: JobService;
  readonly skills: SkillLibrary;
  /** The agent's tools need what the gateway knows and sends, and the gateway needs the agent. */
  createAgent(
    services: Pick<ToolServices, 'messaging' | 'recall'> & { readonly notices: NoticeService },
    approvals: ApprovalService,
  ): Agent;
}

export interface Gateway {
  readonly services: GatewayServices;
  /** Reads what is kept in memory: chats, their names, what was chosen for them. The starts do so by themselves. */
  load(): Promise<void>;
  /** Loads the platforms, takes up what an earlier life left, then receives. Resolves when receiving has begun. */
  start(): Promise<void>;
  /** Delivers without receiving: for a command line beside which no gateway runs. */
  startSending(): Promise<void>;
  /** The same, and runs what comes from platforms that no people are on. Resolves when that may begin. */
  startUnattended(): Promise<void>;
  /** Stops receiving, lets turns reach a boundary and sends end, within a grace time. Never rejects. */
  stop(): Promise<void>;
}

export const createGateway = (deps: GatewayDeps): Gateway => {
  const { settings, stores, clock, ids, logger, redact, media, voice } = deps;
  const receiving = new AbortController();
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every wait of every session listens to it.
  setMaxListeners(0, signal);
  let storeTrouble: string | undefined;
  const persist = createPersist({
    clock,
    logger,
    signal,
    onTrouble: (problem) => {
      storeTrouble = problem;
    },
  });
  const moves = new ChatMoves({ store: stores.chatMoves, persist, logger });
  const supervisors = settings.platforms.map(
    (platform) =>
      new Supervisor({ platform, clock, logger, commands, onMoved: (move) => moves.record(move) }),
  );
  const attended = supervisors.filter(({ platform }) => platform.isUnattended !== true);
  const byPlatform = new Map(supervisors.map((one) => [one.platform.id, one]));
  const adapterFor = (route: Route) => byPlatform.get(route.platform)?.adapter;
  const guarded = (work: Promise<unknown>, message: string): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) logger.error({ error }, message);
    });
  const { dispatcher, attach, speaker, forgetCodes } = createOutgoing({
    outbox: stores.outbox,
    media,
    voice,
    persist,
    clock,
    ids,
    logger,
    redact,
    signal,
    moves,
    guarded,
    adapterFor,
    onSent: ({ platform }) => byPlatform.get(platform)?.noteSent(),
  });

  const preferences = new Preferences({ store: stores.preferences, persist });
  const directory = new Directory({ store: stores.directory, persist });
  const homeAddress = (id: string): HomeAddress | undefined => {
    const platform = byPlatform.get(id)?.platform;
    return platform && homeOf(platform, preferences);
  };
  const chatsFor = (caller: Caller | undefined): readonly KnownChat[] => {
    // Under an earlier id it is the same chat.
    const chats = directory.chats.filter((chat) => moves.current(chat).chat === chat.chat);
    return caller === undefined ? chats : visibleChats(chats, caller, homeAddress(caller.origin.platform));
  };
  const messaging = createMessaging({
    speaker,
    media,
    signal,
    dispatcher,
    newCorrelation: () => ids.next('correlation'),
    context: (caller) => ({
      platforms: attended.map(({ platform, adapter }) => ({ platform, adapter })),
      offPlatforms: settings.offPlatforms,
      home: (id) => preferences.home(id),
      chats: chatsFor(caller),
      ...(caller !== undefined && { origin: caller.origin }),
    }),
    sentBefore: (key) => persist(() => stores.outbox.keyed(key)),
  });
  const archiveDeps = {
    archive: stores.archive,
    persist,
    timezone: settings.timezone,
    chats: () => directory.chats.map((chat) => moves.first(chat)),
  };
  const recall = createRecall(archiveDeps);
  const questions = new Questions({
    store: stores.questions,
    persist,
    clock,
    ids,
    logger,
    speaker,
    adapterFor,
    firstPlace: (place) => moves.first(place),
    isOwner: (platform, user) => {
      const place = byPlatform.get(platform)?.platform;
      return place !== undefined && isOwner(place, user, settings);
    },
    sentBefore: (key) => persist(() => stores.outbox.keyed(key)),
    callSignal: dispatcher.signal,
  });
  const grants = new Grants({ store: stores.grants, persist });
  const approvals = new Approvals({
    questions,
    grants,
    clock,
    ids,
    timeoutMs: settings.permissions.timeoutMs,
    policy: createPolicy({
      settings,
      platform: (id) => byPlatform.get(id)?.platform,
      chatNames: (origin) => moves.names(origin),
    }),
    jobOf: ({ origin }) => byPlatform.get(origin.platform)?.platform.jobNames?.(origin.chat)[0],
  });
  const notices: NoticeService = {
    say: (notice) => speaker.say({ ...notice, cause: { kind: 'notice' } }),
  };
  const agent = deps.createAgent({ messaging, recall, notices }, approvals);
  const sessions: Sessions = createSessions({
    settings,
    stores,
    persist,
    clock,
    ids,
    logger,
    redact,
    signal,
    speaker,
    attach,
    media,
    voice,
    skills: deps.skills,
    agent,
    adapterFor,
    platform: (id) => byPlatform.get(id)?.platform,
    lane: (route) => dispatcher.lane(route),
    sendSignal: dispatcher.signal,
    deliver: (deliveries, store) => dispatcher.deliver(deliveries, store),
    preferences,
    questions,
    approvals,
    grants,
    homeOf: (id) => formatHome(id, homeAddress(id)),
    firstPlace: (place) => moves.first(place),
    status: () => services.status(),
    jobs: deps.jobs,
  });

  const isBusy = (key: SessionKey): boolean => sessions.isBusy(key);
  const forget = createForget({ stores, persist, media, shown: deps.shown, preferences, isBusy });
  const housekeeping = createHousekeeping({
    maintenance: stores.maintenance,
    media,
    persist,
    clock,
    logger,
    signal,
    settings: settings.retention,
    retain: createRetention({
      stores,
      persist,
      forget,
      clock,
      logger,
      signal,
      settings: settings.retention,
      firstPlace: (route) => moves.first(route),
    }),
  });
  const pairings = new Pairings({
    store: stores.pairings,
    persist,
    clock,
    logger,
    settings: settings.pairing,
    platforms: settings.platforms.map(({ id }) => id),
    newCorrelation: () => ids.next('correlation'),
    say: notices.say,
  });
  const onStranger = (event: InboundEvent): void => {
    const { type, origin } = event;
    if (type === 'action' && event.action === 'choose') questions.acknowledge(event, strangerText);
    if (type !== 'message' || origin.chatKind !== 'direct' || settings.strangers === 'ignore') return;
    guarded(pairings.onStranger(event), 'pairing request lost');
  };
  const strangerLimit = new StrangerLimit(clock);
  const sink = createSink({
    inbox: stores.inbox,
    ids,
    logger,
    decide: (event) => {
      const platform = byPlatform.get(event.origin.platform)?.platform;
      if (platform === undefined) return 'stranger';
      return decideAccess(event, platform, settings, {
        isCommand: (text) => {
          const { name = '' } = parseSlash(text) ?? {};
          return findCommand(name) !== undefined || deps.skills.knows(name);
        },
        isPaired: (id, user) => pairings.isPaired(id, user),
        chatNames: (origin) => moves.names(origin),
        isAnswer: (answer) => questions.isAnswer(answer),
      });
    },
    mayPass: ({ origin }) => strangerLimit.take(origin.platform),
    onDropped: ({ origin }) => byPlatform.get(origin.platform)?.noteDroppedStranger(),
    route: (id, event) => {
      const isAttended = byPlatform.get(event.origin.platform)?.platform.isUnattended !== true;
      if (isAttended) guarded(directory.note(event), 'chat not noted');
      sessions.route(id, event);
    },
    onStranger,
    onInbound: (event) => byPlatform.get(event.origin.platform)?.noteInbound(),
  });
  const services: GatewayServices = {
    status: createStatus({
      settings,
      supervisors: attended,
      stores,
      hasPaired: (platform) => pairings.hasPaired(platform),
      startedAt: clock.now(),
      pid: deps.pid,
      counts: () => sessions.counts,
      storeTrouble: () => storeTrouble,
      forgotten: () => housekeeping.forgotten,
      voiceProblems: () => voice.problems(),
    }),
    send: (request, options) => messaging.deliver({ ...request, cause: { kind: 'operator' } }, options),
    deliver: (request, options) => messaging.deliver({ ...request, cause: { kind: 'job' } }, options),
    check: (targets, origin) => messaging.resolve(targets, origin),
    completions: createCompletions({ agent, settings, clock, ids, logger, redact }),
    jobs: deps.jobs,
    linking: (id) => supervisors.find(({ platform }) => platform.id === id)?.adapter?.linking,
    skills: deps.skills,
    pairings,
    permissions: approvals.service,
    sessions: createConversations({ ...archiveDeps, forget, isBusy }),
  };
  let runs: Promise<unknown> = Promise.resolve();
  const loadAll = async (): Promise<void> => {
    await pairings.load();
    await moves.load();
    await preferences.load();
    await directory.load();
    await questions.load();
    await grants.load();
    await deps.skills.list();
  };
  let loaded: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loaded ??= loadAll();
    return loaded;
  };
  const startSending = async (): Promise<void> => {
    await load();
    // Those that were sent right before a kill.
    forgetCodes();
    await clearSpool(media, stores.outbox);
    await Promise.all(supervisors.map((one) => one.create(services)));
    await dispatcher.recover();
  };
  return {
    services,
    load,
    startSending,
    startUnattended: async () => {
      await startSending();
      const isUnattended = (id: string): boolean => byPlatform.get(id)?.platform.isUnattended === true;
      await sessions.recover(isUnattended);
      const unattended = supervisors.filter(({ platform }) => isUnattended(platform.id));
      runs = Promise.all(unattended.map((one) => one.run(sink, receiving.signal)));
    },
    start: async () => {
      await startSending();
      await questions.endLeft();
      await sessions.recover();
      runs = Promise.all(supervisors.map((one) => one.run(sink, receiving.signal)));
      guarded(housekeeping.run(), 'housekeeping failed');
      for (const problem of await voice.problems()) logger.warn({ problem }, 'voice is not whole');
    },
    stop: async () => {
      receiving.abort(new Error('the gateway is stopping'));
      sessions.beginStop();
      approvals.beginStop();
      const grace = new AbortController();
      await sessions.drain();
      const timer = clock.sleep(SEND_GRACE_MS, { signal: grace.signal }).then(
        () => grace.abort(new Error('the grace time is over')),
        () => {},
      );
      await dispatcher.stop(grace.signal);
      grace.abort(new Error('all sends have ended'));
      await timer;
      stopping.abort(new Error('the gateway is stopping'));
      await runs;
    },
  };
};
