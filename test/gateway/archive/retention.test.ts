import { beforeEach, describe, expect, test } from 'vitest';
import { toSessionId, toTurnId } from '../../../src/core/ids.js';
import type { MaintenanceStore, Stores } from '../../../src/core/stores.js';
import type { Forget } from '../../../src/gateway/archive/forget.js';
import { createRetention } from '../../../src/gateway/archive/retention.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import {
  aDelivery,
  anEntry,
  aPageEvent,
  aSession,
  assistant,
  aTurn,
  user,
} from '../../contracts/store/records.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';

const dayMs = 24 * 3_600_000;
const start = Date.UTC(2026, 0, 1);

let clock: ManualClock;
let logger: MemoryLogger;
let stores: Stores;
/** What each message takes up. */
const messageBytes = 100;

const keyOf = (chat: string): string => `agent:main:matrix:direct:${chat}`;

const begin = (session: string, chat = session) =>
  stores.sessions.begin(aSession(session, keyOf(chat), { createdAt: clock.now() }));

const exchange = async (session: string, question = 'question'): Promise<void> => {
  const turn = toTurnId(`${session}-${clock.now()}-${question}`);
  await stores.turns.begin(aTurn(turn, { session: toSessionId(session) }), {
    entries: [],
    messages: [user(question)],
  });
  await stores.turns.end(turn, { message: assistant('noted'), deliveries: [] });
};

const pass = (days: number): void => clock.setNow(clock.now() + days * dayMs);

const left = async (): Promise<string[]> =>
  (await stores.archive.list({ scope: { type: 'all' }, limit: 99 })).map(({ id }) => id).sort();

const stored = async (): Promise<number> => {
  let count = 0;
  for (const id of await left()) count += (await stores.archive.transcript(toSessionId(id))).length;
  return count;
};

const retain = async (
  settings: { maxAgeMs?: number; maxBytes?: number } = {},
  busy: readonly string[] = [],
) => {
  let pieces = 2;
  const maintenance: MaintenanceStore = {
    ...stores.maintenance,
    sizeBytes: async () => (await stored()) * messageBytes,
    shrink: async () => {
      pieces -= 1;
      return pieces > 0;
    },
  };
  const forget: Forget = {
    session: async ({ id }) =>
      !busy.includes(id) && (await stores.archive.delete(id)) ? 'deleted' : 'running',
    chat: async () => {},
  };
  const retention = createRetention({
    stores: { ...stores, maintenance },
    persist: (write) => write(),
    forget,
    clock,
    logger,
    signal: new AbortController().signal,
    settings: { maxAgeMs: 30 * dayMs, maxBytes: 1_000_000, ...settings },
    firstPlace: (route) => route,
  });
  let isOver = false;
  const work = retention().finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(20);
  return { ...(await work), pieces };
};

beforeEach(() => {
  clock = new ManualClock(start);
  logger = new MemoryLogger();
  stores = createMemoryStores({ now: () => clock.now() });
});

describe('by age', () => {
  test('conversations that nobody used for the time go, and room is given back piece by piece', async () => {
    for (const session of ['a', 'b', 'c']) {
      await begin(session);
      await exchange(session);
      pass(10);
    }
    pass(15);
    expect(await retain()).toEqual({ sessions: 2, messages: 0, pieces: 0 });
    expect(await left()).toEqual(['c']);
  });

  test('one that works stays, and one of a chat for which something is on its way in or out', async () => {
    for (const session of ['works', 'busy', 'in', 'out', 'idle']) {
      await begin(session);
      await exchange(session);
    }
    await stores.turns.begin(aTurn('t', { session: toSessionId('works') }), { entries: [], messages: [] });
    const entry = anEntry('e1');
    const event = entry.event && { ...entry.event, origin: anOrigin({ platform: 'matrix', chat: 'in' }) };
    await stores.inbox.accept([{ ...entry, ...(event && { event }) }]);
    await stores.outbox.enqueue([aDelivery('d1', { route: anOrigin({ platform: 'matrix', chat: 'out' }) })]);
    pass(99);
    expect(await retain({}, ['busy'])).toMatchObject({ sessions: 1 });
    expect(await left()).toEqual(['busy', 'in', 'out', 'works']);
  });

  test('one in use loses what is older, but keeps what its next turns read', async () => {
    await begin('long');
    await stores.pageLog.append(aPageEvent('old', { at: clock.now() }));
    for (let index = 0; index < 260; index += 1) await exchange('long', `old ${index}`);
    pass(29);
    await exchange('long', 'recent');
    const history = await stores.sessions.messages(toSessionId('long'), 500);
    pass(5);
    expect(await retain()).toMatchObject({ sessions: 0, messages: 22 + 1 });
    expect(await stores.sessions.messages(toSessionId('long'), 500)).toEqual(history);
    expect(await stores.archive.transcript(toSessionId('long'))).toHaveLength(500);
    expect(await retain()).toMatchObject({ sessions: 0, messages: 0 });
  });
});

describe('by size', () => {
  test('the longest unused go until there is room, those in use never', async () => {
    for (const session of ['a', 'b', 'c', 'd']) {
      await begin(session);
      await exchange(session);
      pass(2);
    }
    await exchange('d');
    expect(await retain({ maxBytes: 600 })).toMatchObject({ sessions: 2 });
    expect(await left()).toEqual(['c', 'd']);
    expect(await retain({ maxBytes: 1 })).toMatchObject({ sessions: 1 });
    expect(await left()).toEqual(['d']);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'database is larger than it may be; nothing idle is left',
    ]);
  });

  test('then what was said before yesterday goes from long conversations', async () => {
    await begin('long');
    for (let index = 0; index < 300; index += 1) await exchange('long', `old ${index}`);
    pass(2);
    await exchange('long', 'recent');
    expect(await retain({ maxBytes: 1_000 })).toMatchObject({ sessions: 0, messages: 102 });
    expect(await stored()).toBe(500);
  });
});
