import { expect, test } from 'vitest';
import type { SweepReport } from '../../src/core/media.js';
import { createHousekeeping } from '../../src/gateway/housekeeping.js';
import { createMemoryStores } from '../../src/store/memory/memory-stores.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';

const dayMs = 24 * 3_600_000;
const nothing = { files: 0, bytes: 0 };

/** Each round sweeps as the next of these says; later ones find nothing. */
const createWorld = (...sweeps: readonly (() => Promise<SweepReport>)[]) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const stopping = new AbortController();
  const asked: number[] = [];
  const rounds = [...sweeps];
  const housekeeping = createHousekeeping({
    maintenance: createMemoryStores({ now: () => clock.now() }).maintenance,
    media: {
      sweep: async ({ olderThan }) => {
        asked.push(clock.now() - olderThan);
        return (rounds.shift() ?? (async () => nothing))();
      },
    },
    persist: (write) => write(),
    clock,
    logger,
    signal: stopping.signal,
    settings: { maxAgeMs: 10 * dayMs, maxBytes: 1 },
    retain: async () => ({ sessions: 0, messages: 0 }),
  });
  const running = housekeeping.run();
  running.catch(() => undefined);
  return { clock, logger, stopping, asked, housekeeping, running };
};

test('looks at the start and every day, and keeps what it last forgot', async () => {
  const { clock, asked, housekeeping } = createWorld(async () => ({ files: 2, bytes: 30 }));
  await clock.advance(0);
  expect(housekeeping.forgotten).toMatchObject({ files: 2, bytes: 30, sessions: 0 });
  await clock.advance(2 * dayMs);
  expect(asked).toEqual([10 * dayMs, 10 * dayMs, 10 * dayMs]);
  expect(housekeeping.forgotten).toMatchObject({ files: 2 });
});

test('a day on which it fails is logged and made up for by the next', async () => {
  const { clock, logger, housekeeping } = createWorld(
    () => Promise.reject(new Error('the folder is locked')),
    async () => ({ files: 1, bytes: 1 }),
  );
  await clock.advance(0);
  expect(logger.text(['error'])).toContain('housekeeping failed');
  expect(housekeeping.forgotten).toBeUndefined();
  await clock.advance(dayMs);
  expect(housekeeping.forgotten).toMatchObject({ files: 1 });
});

test('ends with the gateway, and what a stop cuts off is no failure', async () => {
  const reason = new Error('the gateway is stopping');
  const { clock, logger, stopping, running } = createWorld(async () => {
    stopping.abort(reason);
    throw reason;
  });
  await expect(running).rejects.toBe(reason);
  await clock.advance(2 * dayMs);
  expect(logger.text(['error'])).toBe('[]');
});
