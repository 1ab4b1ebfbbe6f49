import type { ArchiveStore, SessionOverview, SessionScope } from '../../core/archive.js';
import type { SessionId, TurnId } from '../../core/ids.js';
import type { ModelMessage } from '../../core/provider.js';
import type { SessionRecord, SessionUsage } from '../../core/stores.js';
import { excerptOf } from '../excerpt.js';
import { pageTitleOf } from '../page-title.js';
import { toPhrases } from '../search-text.js';
import type { MemoryInbox } from './memory-inbox.js';
import { matchesPhrases } from './memory-search.js';

export interface MemoryMessage {
  readonly turn: TurnId;
  readonly message: ModelMessage;
  readonly at: number;
  /** Grows with every message of any session. */
  readonly position: number;
}

export interface MemorySession {
  readonly record: SessionRecord;
  isCurrent: boolean;
  readonly messages: MemoryMessage[];
  /** `upTo`: how many of the messages it stands for. */
  compaction?: { readonly upTo: number; readonly summary: string };
  usage: SessionUsage;
}

interface ArchiveParts {
  readonly sessions: Map<SessionId, MemorySession>;
  readonly inbox: MemoryInbox;
  isTurnRunning(turn: TurnId): boolean;
  isSessionRunning(session: SessionId): boolean;
  forgetTodos(session: SessionId): void;
}

const toOverview = ({ record, messages, isCurrent, usage }: MemorySession): SessionOverview => {
  const first = messages.find(({ message }) => message.role === 'user');
  const { id, key, createdAt } = record;
  return {
    id,
    key,
    title: first === undefined ? '' : pageTitleOf(first.message.text),
    createdAt,
    usedAt: Math.max(createdAt, messages.at(-1)?.at ?? 0),
    messages: messages.length,
    isCurrent,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
};

const isWithin = ({ id, key, person }: SessionRecord, scope: SessionScope): boolean => {
  switch (scope.type) {
    case 'all':
      return true;
    case 'key':
      return key === scope.key;
    case 'own':
      return (
        id === scope.session ||
        (person?.platform === scope.person.platform && person.user === scope.person.user)
      );
  }
};

const lastTurn = ({ messages, compaction }: MemorySession): TurnId | undefined => {
  const upTo = compaction?.upTo ?? 0;
  const turn = messages.at(-1)?.turn;
  const isCut = messages.slice(0, upTo).some((entry) => entry.turn === turn);
  return isCut ? undefined : turn;
};

export const createMemoryArchive = (parts: ArchiveParts): ArchiveStore => {
  const { sessions, inbox } = parts;
  // Those begun last come first where nothing else tells them apart.
  const byUse = (scope: SessionScope): SessionOverview[] =>
    [...sessions.values()]
      .filter(({ record }) => isWithin(record, scope))
      .toReversed()
      .map(toOverview)
      .sort((one, other) => other.usedAt - one.usedAt);

  return {
    list: async ({ scope, limit }) => byUse(scope).slice(0, limit),
    idle: async ({ usedBefore, limit }) =>
      byUse({ type: 'all' })
        .toReversed()
        .filter(({ id, usedAt }) => usedAt < usedBefore && !parts.isSessionRunning(id))
        .slice(0, limit),
    find: async (session) => {
      const row = sessions.get(session);
      return row === undefined ? undefined : toOverview(row);
    },
    transcript: async (session) =>
      sessions.get(session)?.messages.map(({ message, at, turn }) => ({ message, at, turn })) ?? [],
    lastExchange: async (session) => {
      const row = sessions.get(session);
      const turn = row === undefined ? undefined : lastTurn(row);
      if (row === undefined || turn === undefined) return undefined;
      const messages = row.messages.filter((entry) => entry.turn === turn).map(({ message }) => message);
      return { turn, messages };
    },
    takeBack: async (session, turn, entry) => {
      inbox.finish([entry]);
      const row = sessions.get(session);
      if (row === undefined || lastTurn(row) !== turn || parts.isTurnRunning(turn)) return false;
      removeTurn(row, turn);
      return true;
    },
    resume: async (key, session) => {
      const row = sessions.get(session);
      if (row === undefined || row.record.key !== key) return false;
      for (const other of sessions.values()) if (other.record.key === key) other.isCurrent = false;
      row.isCurrent = true;
      return true;
    },
    delete: async (session) => {
      if (parts.isSessionRunning(session)) return false;
      parts.forgetTodos(session);
      return sessions.delete(session);
    },
    totalUsage: async (key) => {
      const costs = [...sessions.values()]
        .filter(({ record }) => key === undefined || record.key === key)
        .map(({ usage }) => usage);
      return {
        inputTokens: costs.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
        outputTokens: costs.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      };
    },
    search: async (query, { scope, limit }) => {
      const phrases = toPhrases(query);
      return [...sessions.values()]
        .filter(({ record }) => isWithin(record, scope))
        .flatMap(({ record, messages }) => messages.map((entry) => ({ ...entry, record })))
        .filter(({ message }) => message.role !== 'tool' && matchesPhrases(message.text, phrases))
        .sort((one, other) => other.position - one.position)
        .slice(0, limit)
        .flatMap(({ message: { role, text }, at, record, position, turn }) =>
          role === 'tool'
            ? []
            : [
                {
                  position,
                  session: record.id,
                  key: record.key,
                  turn,
                  role,
                  text,
                  excerpt: excerptOf(text, query),
                  at,
                },
              ],
        );
    },
    trim: async (session, options) => {
      const row = sessions.get(session);
      return row === undefined ? 0 : trimMessages(row, options);
    },
    around: async (position, { scope, before, after }) => {
      const row = [...sessions.values()].find(({ messages }) =>
        messages.some((entry) => entry.position === position),
      );
      if (row === undefined || !isWithin(row.record, scope)) return undefined;
      const index = row.messages.findIndex((entry) => entry.position === position);
      const messages = row.messages
        .slice(Math.max(0, index - before), index + after + 1)
        .map(({ message, at, turn, position: place }) => ({ message, at, turn, position: place }));
      return { session: row.record.id, key: row.record.key, messages };
    },
  };
};

const trimMessages = (
  row: MemorySession,
  { before, keep }: { readonly before: number; readonly keep: number },
): number => {
  const { messages, compaction } = row;
  const end = messages.length - keep;
  const isOld = ({ at }: MemoryMessage, index: number): boolean => index < end && at < before;
  const cut = messages.slice(0, compaction?.upTo ?? 0).filter(isOld).length;
  const kept = messages.filter((entry, index) => !isOld(entry, index));
  const count = messages.length - kept.length;
  messages.splice(0, messages.length, ...kept);
  if (compaction !== undefined) row.compaction = { ...compaction, upTo: compaction.upTo - cut };
  return count;
};

export const removeTurn = ({ messages }: MemorySession, turn: TurnId): void => {
  messages.splice(0, messages.length, ...messages.filter((entry) => entry.turn !== turn));
};
