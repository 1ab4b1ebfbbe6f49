/**
 * A conversation goes, and everything that is only there because of it.
 *
 * 1. The transcript goes first and in one write, unless a turn of it runs or waits: what is left after a crash is found by
 *    nobody and goes with the retention of its kind.
 * 2. A file goes only when no other conversation, no page and no message on its way in names it.
 */
import type { SessionOverview, StoredMessage } from '../../core/archive.js';
import type { ChatId, PlatformId, SessionKey } from '../../core/ids.js';
import type { MediaStore } from '../../core/media.js';
import type { PageEvent, ShownLog } from '../../core/page-log.js';
import type { DeletionOutcome } from '../../core/session-service.js';
import type { Stores } from '../../core/stores.js';
import { parseSessionKey } from '../inbound/session-key.js';
import { keyBeginning } from '../outbound/turn-keys.js';
import type { Persist } from '../persist.js';
import type { Preferences } from '../preferences.js';
import { filesOf } from './files.js';
import { belongsTo } from './shown.js';

interface ForgetDeps {
  readonly stores: Pick<Stores, 'archive' | 'inbox' | 'outbox'>;
  readonly persist: Persist;
  readonly media: Pick<MediaStore, 'forget'>;
  readonly shown: ShownLog;
  readonly preferences: Preferences;
  /** Whether a turn of the key runs, or messages of it wait. */
  isBusy(key: SessionKey): boolean;
}

interface ChatPlace {
  readonly platform: PlatformId;
  readonly chat: ChatId;
}

export interface Forget {
  session(session: SessionOverview): Promise<DeletionOutcome>;
  /** What is left of a chat without conversations: what is shown of it, and what was chosen for it. */
  chat(place: ChatPlace): Promise<void>;
}

/** More conversations of one place than a page is ever asked to tell apart. */
const MAX_SIBLINGS = 1_000;

const siblingsOf = async (
  { id, key }: SessionOverview,
  { stores, persist }: ForgetDeps,
): Promise<readonly SessionOverview[]> => {
  const scope = { type: 'key', key } as const;
  const all = await persist(() => stores.archive.list({ scope, limit: MAX_SIBLINGS }));
  return all.filter((one) => one.id !== id);
};

const isNamed = async (file: string, { stores, persist, shown }: ForgetDeps): Promise<boolean> => {
  const [word = file] = /[0-9a-f]{32}/u.exec(file) ?? [];
  const scope = { type: 'all' } as const;
  if ((await persist(() => stores.archive.search(word, { scope, limit: 1 }))).length > 0) return true;
  if (await persist(() => shown.names(file))) return true;
  return JSON.stringify(await persist(() => stores.inbox.unfinished())).includes(file);
};

const forgetFiles = async (files: readonly string[], deps: ForgetDeps): Promise<void> => {
  const gone: string[] = [];
  for (const file of new Set(files)) if (!(await isNamed(file, deps))) gone.push(file);
  await deps.media.forget(gone);
};

export const createForget = (deps: ForgetDeps): Forget => {
  const { stores, persist, shown, preferences, isBusy } = deps;
  const { archive } = stores;
  const read = (session: SessionOverview) => persist(() => archive.transcript(session.id));
  const remove = (session: SessionOverview): Promise<boolean> =>
    // Asked and deleted in one tick: no turn can begin between the two.
    persist(async () => !(session.isCurrent && isBusy(session.key)) && archive.delete(session.id));
  /** Gives the files that went out of sight. */
  const forgetShown = async (
    { platform, chat }: ChatPlace,
    isGone: (event: PageEvent) => boolean,
  ): Promise<readonly string[]> => {
    if (!shown.shows(platform)) return [];
    const files = await persist(() => shown.forget(chat, isGone));
    return files.map(({ id }) => id);
  };
  /** Which events of a page are those of a conversation that is about to go. */
  const judgeShown = async (
    messages: readonly StoredMessage[],
    siblings: readonly SessionOverview[],
  ): Promise<(event: PageEvent) => boolean> => {
    if (siblings.length === 0) return () => true;
    const others: (readonly StoredMessage[])[] = [];
    for (const sibling of siblings) others.push(await read(sibling));
    return belongsTo(messages, others.flat());
  };

  return {
    session: async (session) => {
      const place = parseSessionKey(session.key);
      const messages = await read(session);
      const siblings = await siblingsOf(session, deps);
      const isShown = place !== undefined && shown.shows(place.platform);
      const isGone = isShown ? await judgeShown(messages, siblings) : () => false;
      if (!(await remove(session))) {
        const isThere = (await persist(() => archive.find(session.id))) !== undefined;
        return isThere ? 'running' : 'unknown';
      }
      const turns = [...new Set(messages.map(({ turn }) => turn))];
      await persist(() => stores.outbox.forget(turns.map(keyBeginning)));
      if (siblings.length === 0) {
        await preferences.forgetKey(session.key);
        // A group's choices are those of all its members' conversations.
        if (place?.chatKind === 'direct') await preferences.forgetChat(place);
      }
      const files = place === undefined ? [] : await forgetShown(place, isGone);
      await forgetFiles([...filesOf(messages), ...files], deps);
      return 'deleted';
    },
    chat: async (place) => {
      await preferences.forgetChat(place);
      await forgetFiles(await forgetShown(place, () => true), deps);
    },
  };
};
