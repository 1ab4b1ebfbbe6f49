import type { ArchiveStore, SearchScope, SessionOverview } from '../../core/archive.js';
import type { SessionId, TurnId } from '../../core/ids.js';
import type { ModelMessage } from '../../core/provider.js';
import type { SessionRecord, SessionUsage } from '../../core/stores.js';
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

const isWithin = ({ id, person }: SessionRecord, scope: SearchScope): boolean =>
  scope.type === 'all' ||
  id === scope.session ||
  (person?.platform === scope.person.platform && person.user === scope.person.user);

const lastTurn = ({ messages, compaction }: MemorySession): TurnId | undefined => {
  const upTo = compaction?.upTo ?? 0;
  const turn = messages.at(-1)?.turn;
  const isCut = messages.slice(0, upTo).some((entry) => entry.turn === turn);
  return isCut ? undefined : turn;
};

export const createMemoryArchive = (parts: ArchiveParts): ArchiveStore => {
  const { sessions, inbox } = parts;
  // Those begun last come first where nothing else tells them apart.
  const byUse = (): SessionOverview[] =>
    [...sessions.values()]
      .toReversed()
      .map(toOverview)
      .sort((one, other) => other.usedAt - one.usedAt);

  return {
    list: async ({ key, limit }) =>
      byUse()
        .filter((session) => key === undefined || session.key === key)
        .slice(0, limit),
    find: async (session) => {
      const row = sessions.get(session);
      return row === undefined ? undefined : toOverview(row);
    },
    transcript: async (session) =>
      sessions.get(session)?.messages.map(({ message, at }) => ({ message, at })) ?? [],
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
        .flatMap(({ message: { role, text }, at, record }) =>
          role === 'tool' ? [] : [{ session: record.id, key: record.key, role, text, at }],
        );
    },
  };
};

export const removeTurn = ({ messages }: MemorySession, turn: TurnId): void => {
  messages.splice(0, messages.length, ...messages.filter((entry) => entry.turn !== turn));
};
