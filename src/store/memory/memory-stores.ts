import type { Stores } from '../../core/stores.js';
import type { TodoItem } from '../../core/tool.js';
import { createKeyvNotes } from '../preferences/keyv-notes.js';
import { createKeyvPreferences } from '../preferences/keyv-preferences.js';
import { copyOf } from './copy.js';
import { createMemoryChatMoves } from './memory-chat-moves.js';
import { createMemoryDirectory } from './memory-directory.js';
import { createMemoryGrants } from './memory-grants.js';
import { createMemoryInbox } from './memory-inbox.js';
import { createMemoryJobs } from './memory-jobs.js';
import { createMemoryOutbox } from './memory-outbox.js';
import { createMemoryPageLog } from './memory-page-log.js';
import { createMemoryPairings } from './memory-pairings.js';
import { createMemoryQuestions } from './memory-questions.js';
import { createMemoryTurns } from './memory-turns.js';

/**
 * Stores that behave like the database and forget everything with the process. Closing them does nothing, so that
 * a second daemon can be started on what a first one left behind. `now` stamps what ends (see `prune`).
 */
export const createMemoryStores = ({ now = Date.now }: { now?: () => number } = {}): Stores => {
  const inbox = createMemoryInbox(now);
  const outbox = createMemoryOutbox(now);
  const questions = createMemoryQuestions();
  const todos = new Map<string, readonly TodoItem[]>();

  return {
    inbox: inbox.store,
    outbox: outbox.store,
    ...createMemoryTurns(inbox, outbox, {
      now,
      forgetTodos: (session) => void todos.delete(session),
    }),
    todos: {
      load: async (session) => todos.get(session) ?? [],
      save: async (session, items) => {
        todos.set(session, copyOf(items));
      },
    },
    pageLog: createMemoryPageLog(),
    pairings: createMemoryPairings(),
    chatMoves: createMemoryChatMoves(),
    directory: createMemoryDirectory(),
    preferences: createKeyvPreferences(),
    notes: createKeyvNotes(),
    questions: questions.store,
    grants: createMemoryGrants(),
    jobs: createMemoryJobs(),
    maintenance: {
      prune: async ({ inboxAt, outboxAt }) => {
        inbox.prune(inboxAt);
        outbox.prune(outboxAt);
        questions.prune(inboxAt);
      },
      sizeBytes: async () => 0,
      shrink: async () => false,
      problem: async () => undefined,
    },
    close: async () => {},
  };
};
