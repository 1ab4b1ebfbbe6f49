import { describe, expect, test } from 'vitest';
import { createPersist } from '../../src/gateway/persist.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { diskFull, storeBroken } from '../fakes/unreliable.js';

const create = () => {
  const clock = new ManualClock();
  const down = new AbortController();
  const troubles: (string | undefined)[] = [];
  const persist = createPersist({
    clock,
    logger: new MemoryLogger(),
    signal: down.signal,
    onTrouble: (problem) => troubles.push(problem),
  });
  return { clock, down, troubles, persist };
};

/** A write that is refused so often. */
const refused = (times: number, error: Error = diskFull()) => {
  let left = times;
  return async (): Promise<string> => {
    left -= 1;
    if (left >= 0) throw error;
    return 'stored';
  };
};

describe('persist', () => {
  test('passes on what the store answers', async () => {
    const { persist, clock } = create();
    expect(await persist(refused(0))).toBe('stored');
    expect(clock.sleeping).toEqual([]);
  });

  test('repeats what a full disk refuses, ever more slowly, until it is taken', async () => {
    const { persist, clock, troubles } = create();
    const stored = persist(refused(7));
    for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      await clock.waiting(pauseMs);
      await clock.advance(pauseMs);
    }
    expect(await stored).toBe('stored');
    expect(troubles[0]).toBe('The disk is full: free some space.');
    expect(troubles.at(-1)).toBeUndefined();
  });

  test('does not repeat what cannot heal, nor what is a bug', async () => {
    const { persist, clock } = create();
    const bug = new TypeError('x is undefined');
    const broken = storeBroken();
    await expect(persist(refused(1, broken))).rejects.toBe(broken);
    await expect(persist(refused(1, bug))).rejects.toBe(bug);
    expect(clock.sleeping).toEqual([]);
  });

  test('waits no longer when the gateway goes down', async () => {
    const { persist, clock, down } = create();
    const stored = persist(refused(Number.POSITIVE_INFINITY));
    await clock.waiting(500);
    const reason = new Error('the gateway is stopping');
    down.abort(reason);
    await expect(stored).rejects.toBe(reason);
  });
});
