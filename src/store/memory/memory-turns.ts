import type { ArchiveStore } from '../../core/archive.js';
import type { SessionId, ToolCallId, TurnId } from '../../core/ids.js';
import type { Category } from '../../core/permission.js';
import type { ModelMessage, Usage } from '../../core/provider.js';
import type { SessionStore, SessionUsage, TurnRecord, TurnStore } from '../../core/stores.js';
import { openCallsOf } from '../open-calls.js';
import { refusal, turnNotRunning } from '../refusals.js';
import { toSummary } from '../summary.js';
import { copyOf } from './copy.js';
import { createMemoryArchive, type MemorySession, removeTurn } from './memory-archive.js';
import type { MemoryInbox } from './memory-inbox.js';
import type { MemoryOutbox } from './memory-outbox.js';

interface TurnRow {
  record: TurnRecord;
  readonly begun: Map<ToolCallId, Category>;
}

/** Sessions and the turns that write their transcripts. */
export const createMemoryTurns = (
  inbox: MemoryInbox,
  outbox: MemoryOutbox,
  { now, forgetTodos }: { now(): number; forgetTodos(session: SessionId): void },
): { readonly sessions: SessionStore; readonly turns: TurnStore; readonly archive: ArchiveStore } => {
  const sessions = new Map<SessionId, MemorySession>();
  let positions = 0;
  /** Those that run, in the order they were begun. */
  const running = new Map<TurnId, TurnRow>();

  const currentOf = (key: string): MemorySession | undefined =>
    [...sessions.values()].find(({ record, isCurrent }) => isCurrent && record.key === key);
  const endCurrent = (key: string): void => {
    const row = currentOf(key);
    if (row !== undefined) row.isCurrent = false;
  };
  const runningTurn = (turn: TurnId): TurnRow => {
    const row = running.get(turn);
    if (row === undefined) throw turnNotRunning(turn);
    return row;
  };
  const transcriptOf = (turn: TurnId): MemorySession['messages'] =>
    sessions.get(runningTurn(turn).record.session)?.messages ?? [];
  const append = (turn: TurnId, messages: readonly ModelMessage[]): void => {
    const added = messages.map((message) => {
      positions += 1;
      return { turn, message: copyOf(message), at: now(), position: positions };
    });
    transcriptOf(turn).push(...added);
  };

  const archive = createMemoryArchive({
    sessions,
    inbox,
    forgetTodos,
    isTurnRunning: (turn) => running.has(turn),
    isSessionRunning: (session) => [...running.values()].some(({ record }) => record.session === session),
  });

  return {
    archive,
    sessions: {
      current: async (key) => currentOf(key)?.record,
      begin: async (record) => {
        if (sessions.has(record.id)) throw refusal(`session id ${record.id} is taken`);
        endCurrent(record.key);
        sessions.set(record.id, { record: copyOf(record), isCurrent: true, messages: [], usage: noUsage });
      },
      end: async (key) => endCurrent(key),
      messages: async (session, limit) => {
        const { messages: all = [], compaction } = sessions.get(session) ?? {};
        const start = Math.max(compaction?.upTo ?? 0, all.length - limit);
        const newest = all.slice(start).map(({ message }) => message);
        return compaction === undefined ? newest : [toSummary(compaction.summary), ...newest];
      },
      compact: async (session, { keep, summary }) => {
        const row = sessions.get(session);
        const upTo = (row?.messages.length ?? 0) - keep;
        if (row !== undefined && upTo > (row.compaction?.upTo ?? 0)) row.compaction = { upTo, summary };
      },
      usage: async (session) => sessions.get(session)?.usage ?? noUsage,
    },
    turns: {
      begin: async (turn, { entries, messages, replaces }) => {
        if (running.has(turn.id)) throw refusal(`turn id ${turn.id} is taken`);
        const session = sessions.get(turn.session);
        if (session === undefined) throw refusal(`session ${turn.session} does not exist`);
        if (replaces !== undefined) removeTurn(session, replaces);
        running.set(turn.id, { record: copyOf(turn), begun: new Map() });
        inbox.take(turn.id, entries);
        append(turn.id, messages);
      },
      join: async (turn, { entries, messages }) => {
        append(turn, messages);
        inbox.take(turn, entries);
      },
      addStep: async (turn, message, deliveries) => {
        const row = runningTurn(turn);
        outbox.insert(deliveries);
        append(turn, [message]);
        row.record = withoutPreview(row.record);
      },
      callBegun: async (turn, call, category) => {
        runningTurn(turn).begun.set(call, category);
      },
      addResult: async (turn, message, deliveries = []) => {
        append(turn, [message]);
        outbox.insert(deliveries);
      },
      setPreview: async (turn, preview) => {
        const row = runningTurn(turn);
        const record = withoutPreview(row.record);
        row.record = preview === undefined ? record : { ...record, preview: copyOf(preview) };
      },
      end: async (turn, { message, deliveries, usage }) => {
        const session = sessions.get(runningTurn(turn).record.session);
        outbox.insert(deliveries);
        if (message !== undefined) append(turn, [message]);
        inbox.finishTurn(turn);
        if (session !== undefined) session.usage = withTurn(session.usage, usage);
        running.delete(turn);
      },
      interrupted: async () => [...running.values()].map(({ record }) => record),
      suspend: async (turn) => {
        const row = runningTurn(turn);
        row.record = { ...row.record, attempts: row.record.attempts - 1 };
      },
      retry: async (turn) => {
        const row = runningTurn(turn);
        row.record = { ...row.record, attempts: row.record.attempts + 1 };
        return row.record.attempts;
      },
      openCalls: async (turn) => {
        const row = running.get(turn);
        if (row === undefined) return [];
        const own = transcriptOf(turn).filter((entry) => entry.turn === turn);
        return openCallsOf(
          own.map(({ message }) => message),
          row.begun,
        );
      },
    },
  };
};

const noUsage: SessionUsage = { turns: 0, inputTokens: 0, outputTokens: 0 };

const withTurn = (before: SessionUsage, usage: Usage | undefined): SessionUsage => ({
  turns: before.turns + 1,
  inputTokens: before.inputTokens + Math.round(usage?.inputTokens ?? 0),
  outputTokens: before.outputTokens + Math.round(usage?.outputTokens ?? 0),
});

const withoutPreview = ({ preview: _preview, ...record }: TurnRecord): TurnRecord => record;
