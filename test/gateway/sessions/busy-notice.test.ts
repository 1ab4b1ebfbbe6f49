import { describe, expect, test } from 'vitest';
import { BusyNotices } from '../../../src/gateway/sessions/busy-notice.js';
import type { BusyPolicy } from '../../../src/gateway/settings.js';
import { aMessage } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const create = (policy: BusyPolicy) => {
  const clock = new ManualClock();
  const down = new AbortController();
  const said: string[] = [];
  const waiting = new Set<string>();
  const notices = new BusyNotices({
    clock,
    signal: down.signal,
    policyOf: () => policy,
    isWaiting: ({ message }) => waiting.has(message),
    say: async (_event, text) => said.push(text),
  });
  const arrive = (id: string): Promise<void> => {
    waiting.add(id);
    return notices.onWaiting('session', aMessage({ id }));
  };
  return { clock, down, said, waiting, notices, arrive };
};

describe('a message that waits', () => {
  test.each([
    ['steer', 'at the next step'],
    ['queue', 'Your message is next'],
  ] as const)('is acknowledged after a second in %s mode, once a turn', async (policy, words) => {
    const { clock, said, arrive, notices } = create(policy);
    const told = Promise.all([arrive('m1'), arrive('m2')]);
    await clock.advance(999);
    expect(said).toEqual([]);
    await clock.advance(1);
    await told;
    expect(said).toEqual([expect.stringContaining(words)]);
    await arrive('m3');
    expect(said).toHaveLength(1);
    notices.onTurnOver('session');
    const next = arrive('m4');
    await clock.advance(1_000);
    await next;
    expect(said).toHaveLength(2);
  });

  test('is not acknowledged when it was taken up within the second, and the next one is', async () => {
    const { clock, said, arrive, waiting } = create('steer');
    const first = arrive('m1');
    waiting.delete('m1');
    await clock.advance(1_000);
    await first;
    expect(said).toEqual([]);
    const second = arrive('m2');
    await clock.advance(1_000);
    await second;
    expect(said).toHaveLength(1);
  });

  test('is acknowledged at once where it interrupts, once a burst', async () => {
    const { said, arrive, notices, clock } = create('interrupt');
    await arrive('m1');
    expect(said).toEqual([expect.stringContaining('I stop what I was doing')]);
    for (const id of ['m2', 'm3', 'm4']) {
      notices.onTurnOver('session');
      await clock.advance(9_000);
      await arrive(id);
    }
    expect(said).toHaveLength(1);
    await clock.advance(10_000);
    await arrive('m5');
    expect(said).toHaveLength(2);
  });

  test('is not acknowledged by a gateway that stops', async () => {
    const { said, arrive, down } = create('queue');
    const told = arrive('m1');
    down.abort(new Error('the gateway is stopping'));
    await told;
    expect(said).toEqual([]);
  });
});
