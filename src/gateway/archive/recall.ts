/**
 * What was said in earlier conversations, for tools. What may be looked at is decided here, and nowhere else: what a
 * model reads in a group is as good as said there, so nothing from outside that place gets in.
 */
import type { ArchiveStore, SessionScope } from '../../core/archive.js';
import type { KnownChat } from '../../core/directory.js';
import type { SessionId, SessionKey } from '../../core/ids.js';
import { formatLocalTime } from '../../core/local-time.js';
import type { Asker, Recalled, RecallReach, RecallScope, RecallService } from '../../core/recall.js';
import type { Persist } from '../persist.js';
import { createPlaceNames } from './places.js';

interface RecallDeps {
  readonly archive: ArchiveStore;
  readonly persist: Persist;
  /** Absent: the host's. */
  readonly timezone: string | undefined;
  /** Under the first ids that they had. */
  chats(): readonly KnownChat[];
}

/** Looked at beyond what was asked for: messages of the asking turn, which are left out. */
const OWN_TURN_MESSAGES = 20;

interface View {
  readonly reach: RecallReach;
  readonly scope: SessionScope;
}

/** A sentence: what is wanted is not shown to whoever asks. */
const viewOf = async (
  wanted: RecallScope | undefined,
  { caller, session }: Asker,
  { archive, persist }: RecallDeps,
): Promise<View | string> => {
  const { origin, user, isOwner } = caller;
  const isPrivate = origin.chatKind === 'direct';
  if (isPrivate && isOwner && wanted !== 'own') return { reach: 'all', scope: { type: 'all' } };
  if (wanted === 'all')
    return "Everybody's conversations are only shown to an owner, and only in a private chat.";
  if (isPrivate)
    return {
      reach: 'own',
      scope: { type: 'own', person: { platform: origin.platform, user }, session },
    };
  const here = await persist(() => archive.find(session));
  if (here === undefined) return 'This conversation is not kept.';
  return { reach: 'here', scope: { type: 'key', key: here.key } };
};

/** What every kind of finding says of its session and time. */
const createPlaced = (asker: Asker, { chats, timezone }: RecallDeps) => {
  const placeOf = createPlaceNames(chats());
  return (session: SessionId, key: SessionKey, at: number) => ({
    session,
    place: placeOf(key),
    // Times were not always kept.
    time: at === 0 ? 'at an unknown time' : formatLocalTime(at, timezone),
    isThisConversation: session === asker.session,
  });
};

export const createRecall = (deps: RecallDeps): RecallService => {
  const { archive, persist } = deps;
  const within = async <Found>(
    wanted: RecallScope | undefined,
    asker: Asker,
    look: (scope: SessionScope) => Promise<Found>,
  ): Promise<Recalled<Found>> => {
    const view = await viewOf(wanted, asker, deps);
    if (typeof view === 'string') return { ok: false, problem: view };
    return { ok: true, reach: view.reach, found: await persist(() => look(view.scope)) };
  };

  return {
    search: ({ query, limit, scope: wanted }, asker) =>
      within(wanted, asker, async (scope) => {
        const placed = createPlaced(asker, deps);
        const found = await archive.search(query, { scope, limit: limit + OWN_TURN_MESSAGES });
        return (
          found
            // The question itself has the words too, and is no answer.
            .filter(({ turn }) => turn !== asker.turn)
            .slice(0, limit)
            .map(({ position, session, key, role, excerpt, at }) => ({
              ...placed(session, key, at),
              id: position,
              role,
              text: excerpt,
            }))
        );
      }),
    around: ({ message: position, before, after, scope: wanted }, asker) =>
      within(wanted, asker, async (scope) => {
        const passage = await archive.around(position, { scope, before, after });
        if (passage === undefined) return [];
        const placed = createPlaced(asker, deps);
        const { session, key, messages } = passage;
        return messages.map(({ message: { role, text }, at, position: id }) => ({
          ...placed(session, key, at),
          id,
          role,
          text,
        }));
      }),
    recent: ({ limit, scope: wanted }, asker) =>
      within(wanted, asker, async (scope) => {
        const placed = createPlaced(asker, deps);
        return (await archive.list({ scope, limit })).map(({ id, key, title, usedAt, messages }) => ({
          ...placed(id, key, usedAt),
          title,
          messages,
        }));
      }),
  };
};
