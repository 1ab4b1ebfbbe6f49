/** What commands may do to the session they were sent in, and to its chat. */
import type { InboxId, SessionId, SessionKey } from '../../core/ids.js';
import type { InboundMessage } from '../../core/inbound.js';
import type { JobService } from '../../core/job-service.js';
import { type Route, toRoute } from '../../core/route.js';
import type { GatewayStatus } from '../../core/services.js';
import type { Approvals } from '../approvals/approvals.js';
import type { Grants } from '../approvals/grants.js';
import type { CommandContext, VoiceControls } from '../commands/command.js';
import { isOwner } from '../inbound/access.js';
import type { Preferences } from '../preferences.js';
import type { SessionDeps } from './types.js';

/** A list in a chat is read at a glance. */
const LISTED_SESSIONS = 10;

export type SessionControls = Omit<CommandContext, 'event' | 'args' | 'commands' | 'retry'> & {
  /** Whether there is an exchange that could be answered anew. */
  hasExchange(): Promise<boolean>;
};

export interface ControlDeps {
  readonly deps: SessionDeps;
  readonly preferences: Preferences;
  readonly approvals: Pick<Approvals, 'answerByCode' | 'grantToJob'>;
  readonly grants: Pick<Grants, 'all' | 'revoke'>;
  stop(key: SessionKey): Promise<{ readonly wasRunning: boolean; readonly dropped: number }>;
  isRunning(key: SessionKey): boolean;
  status(): Promise<GatewayStatus>;
  readonly jobs: JobService;
}

export const createControls = (
  key: SessionKey,
  event: InboundMessage,
  inbox: InboxId,
  { deps, preferences, approvals, grants, stop, isRunning, status, jobs }: ControlDeps,
): SessionControls => {
  const { stores, persist, settings } = deps;
  const { origin, sender } = event;
  const route = toRoute(origin);
  const platform = deps.platform(origin.platform);
  const isOwnerHere = platform !== undefined && isOwner(platform, sender.user, settings);
  const current = () => persist(() => stores.sessions.current(key));
  const lastExchange = async (session: SessionId) => persist(() => stores.archive.lastExchange(session));
  return {
    platformTitle: platform?.title ?? origin.platform,
    isOwner: isOwnerHere,
    ...(settings.timezone !== undefined && { timezone: settings.timezone }),
    stop: () => stop(key),
    reset: async () => {
      await persist(() => stores.sessions.end(key));
      await preferences.setModel(key, undefined);
    },
    isRunning: () => isRunning(key),
    status,
    jobs: jobs.as({ origin, user: sender.user, isOwner: isOwnerHere }),
    busy: () => deps.busyPolicy(origin),
    setBusy: (policy) => preferences.setBusy(deps.firstPlace(route), policy),
    voice: voiceControls(route, { deps, preferences }),
    model: () => ({
      ...settings.model,
      name: deps.modelOf(key),
      isChosen: preferences.model(key) !== undefined,
    }),
    ...permissionControls(event, isOwnerHere, { approvals, grants }),
    setModel: (name) => preferences.setModel(key, name),
    home: () => deps.homeOf(origin.platform),
    setHome: () => preferences.setHome(route),
    usage: () => usageOf(key, isOwnerHere, deps),
    sessions: () =>
      persist(() => stores.archive.list({ scope: { type: 'key', key }, limit: LISTED_SESSIONS })),
    resume: (session) => persist(() => stores.archive.resume(key, session)),
    hasExchange: async () => {
      const session = await current();
      const exchange = session === undefined ? undefined : await lastExchange(session.id);
      return exchange?.messages.some(({ role }) => role === 'user') ?? false;
    },
    undo: async () => {
      const session = await current();
      const exchange = session === undefined ? undefined : await lastExchange(session.id);
      if (session === undefined || exchange === undefined) return undefined;
      const { turn, messages } = exchange;
      const isTaken = await persist(() => stores.archive.takeBack(session.id, turn, inbox));
      if (!isTaken) return undefined;
      return messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n\n');
    },
  };
};

const voiceControls = (
  route: Route,
  { deps, preferences }: Pick<ControlDeps, 'deps' | 'preferences'>,
): VoiceControls => {
  const place = deps.firstPlace(route);
  return {
    current: () => {
      const { mode = deps.voice.mode, form = 'both', name } = preferences.voice(place);
      return { mode, form, ...(name !== undefined && { name }) };
    },
    set: (change) => preferences.setVoice(place, { ...preferences.voice(place), ...change }),
    list: () => deps.voice.voices({ signal: deps.signal }).catch(() => []),
  };
};

const permissionControls = (
  { origin, sender, dedupeKey }: InboundMessage,
  isOwnerHere: boolean,
  { approvals, grants }: Pick<ControlDeps, 'approvals' | 'grants'>,
): Pick<CommandContext, 'answerRequest' | 'grants' | 'revokeGrant' | 'grantToJob'> => ({
  answerRequest: (code, value, reason) =>
    approvals.answerByCode({
      platform: origin.platform,
      chat: origin.chat,
      user: sender.user,
      isOwner: isOwnerHere,
      code,
      value,
      ...(reason !== undefined && { reason }),
      event: dedupeKey,
    }),
  grants: () => {
    const own = `${origin.platform}:${sender.user}`;
    return isOwnerHere ? grants.all : grants.all.filter(({ holder }) => holder === own);
  },
  revokeGrant: ({ id }) => grants.revoke(id),
  grantToJob: (job, tool, keys) =>
    approvals.grantToJob({ job, tool, keys, by: `${origin.platform}:${sender.user}` }),
});

const usageOf = async (
  key: SessionKey,
  isOwnerHere: boolean,
  { stores, persist }: SessionDeps,
): ReturnType<CommandContext['usage']> => {
  const session = await persist(() => stores.sessions.current(key));
  return {
    session: session === undefined ? undefined : await persist(() => stores.sessions.usage(session.id)),
    chat: await persist(() => stores.archive.totalUsage(key)),
    ...(isOwnerHere && { all: await persist(() => stores.archive.totalUsage()) }),
  };
};
