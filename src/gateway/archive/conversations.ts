/** Conversations as the operator lists, reads and deletes them. */
import type { ArchiveStore, SessionOverview } from '../../core/archive.js';
import type { KnownChat } from '../../core/directory.js';
import type { SessionKey } from '../../core/ids.js';
import type {
  DeletionOutcome,
  ListedSession,
  SessionFinding,
  SessionService,
} from '../../core/session-service.js';
import { parseSessionKey } from '../inbound/session-key.js';
import type { Persist } from '../persist.js';
import type { Forget } from './forget.js';
import { createPlaceNames } from './places.js';

/** As many as there may be: a name is looked for among all of them. */
const ALL = 1_000_000;

interface ConversationsDeps {
  readonly archive: ArchiveStore;
  readonly persist: Persist;
  readonly forget: Forget;
  readonly timezone: string | undefined;
  /** Under the first ids that they had. */
  chats(): readonly KnownChat[];
  isBusy(key: SessionKey): boolean;
}

const fold = (text: string): string => text.trim().toLowerCase();

const toFinding = (found: readonly ListedSession[]): SessionFinding => {
  const [session, ...others] = found;
  if (session === undefined) return { type: 'none' };
  return others.length === 0 ? { type: 'one', session } : { type: 'many', candidates: found };
};

/** The place of a key by the id of its chat, whatever its label. */
const idPlace = (key: SessionKey): string => {
  const place = parseSessionKey(key);
  return place === undefined ? key : `${place.platform}:${place.chat}`;
};

/** Exact id, then exact place, then the beginning of either or of the title. */
const findAmong = (all: readonly ListedSession[], name: string): SessionFinding => {
  const wanted = fold(name);
  if (wanted === '') return { type: 'none' };
  const exact = all.filter(({ id }) => id === name.trim());
  if (exact.length > 0) return toFinding(exact);
  const there = all.filter(({ place, key }) => fold(place) === wanted || fold(idPlace(key)) === wanted);
  if (there.length > 0) return toFinding(there);
  return toFinding(
    all.filter(({ id, place, title }) => [id, place, title].some((text) => fold(text).startsWith(wanted))),
  );
};

export const createConversations = (deps: ConversationsDeps): SessionService => {
  const { archive, persist, forget, timezone, chats, isBusy } = deps;
  const toListed = (sessions: readonly SessionOverview[]): readonly ListedSession[] => {
    const placeOf = createPlaceNames(chats());
    return sessions.map((session) => ({
      ...session,
      place: placeOf(session.key),
      isRunning: session.isCurrent && isBusy(session.key),
    }));
  };
  const list = async (limit: number) => {
    const sessions = await persist(() => archive.list({ scope: { type: 'all' }, limit }));
    return toListed(sessions);
  };
  return {
    ...(timezone !== undefined && { timezone }),
    list: ({ limit }) => list(limit),
    find: async (name) => findAmong(await list(ALL), name),
    transcript: (session) => persist(() => archive.transcript(session)),
    delete: async (session) => {
      const found = await persist(() => archive.find(session));
      return found === undefined ? 'unknown' : forget.session(found);
    },
    deleteChat: async (place) => {
      const isThere = ({ key }: SessionOverview): boolean => {
        const where = parseSessionKey(key);
        return where?.platform === place.platform && where.chat === place.chat;
      };
      const outcomes: DeletionOutcome[] = [];
      for (const session of (await list(ALL)).filter(isThere)) outcomes.push(await forget.session(session));
      const running = outcomes.filter((outcome) => outcome === 'running').length;
      if (running === 0) await forget.chat(place);
      return { deleted: outcomes.filter((outcome) => outcome === 'deleted').length, running };
    },
  };
};
