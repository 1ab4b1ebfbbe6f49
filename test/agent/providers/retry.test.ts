import { describe, expect, test } from 'vitest';
import { withRetry } from '../../../src/agent/providers/retry.js';
import { after as inMs, later, never } from '../../../src/core/errors.js';
import type { ModelEvent } from '../../../src/core/provider.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { fails, type ScriptedAnswer, ScriptedProvider, says } from '../../fakes/scripted-provider.js';
import { aRequest } from './openai-world.js';

const retrying = (...answers: readonly ScriptedAnswer[]) => {
  const inner = new ScriptedProvider(...answers);
  const clock = new ManualClock();
  const provider = withRetry(inner, { clock, logger: new MemoryLogger(), random: () => 0 });
  const events: ModelEvent[] = [];
  const read = async (signal = new AbortController().signal) => {
    for await (const event of provider.stream(aRequest(), { signal })) events.push(event);
    return events;
  };
  return { inner, clock, events, read };
};

describe('a call that may be repeated', () => {
  test('is announced before the wait, and waits longer each time', async () => {
    const { inner, clock, events, read } = retrying(
      fails({ retry: later, partial: 'a' }),
      fails({ retry: later }),
      fails({ retry: later }),
      says('done'),
    );
    const running = read();
    for (const waitMs of [1000, 2000, 4000]) {
      await clock.waiting(waitMs);
      expect(events.at(-1)).toMatchObject({ type: 'restart', waitMs, reason: { code: 'unavailable' } });
      await clock.advance(waitMs);
    }
    await running;
    expect(inner.requests).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ type: 'done', message: { text: 'done' } });
  });

  test('is given up after four tries with the last error', async () => {
    const { inner, clock, read } = retrying(fails({ retry: inMs(1000), userText: 'Away.' }));
    const running = read();
    for (let count = 0; count < 3; count += 1) {
      await clock.waiting(1000);
      await clock.advance(1000);
    }
    expect((await running).at(-1)).toMatchObject({ type: 'error', error: { userText: 'Away.' } });
    expect(inner.requests).toHaveLength(4);
  });

  test('does not wait for more than two minutes in all', async () => {
    const { inner, clock, read } = retrying(fails({ retry: inMs(50_000) }));
    const running = read();
    for (let count = 0; count < 2; count += 1) {
      await clock.waiting(50_000);
      await clock.advance(50_000);
    }
    expect((await running).at(-1)).toMatchObject({
      type: 'error',
      error: { userText: expect.stringContaining('50 s') },
    });
    expect(inner.requests).toHaveLength(3);
  });
});

describe('a call that is not repeated', () => {
  test('passes its error on as it is', async () => {
    const { inner, read } = retrying(fails({ retry: never, code: 'quota-exhausted', userText: 'Pay.' }));
    expect(await read()).toMatchObject([
      { type: 'error', error: { code: 'quota-exhausted', userText: 'Pay.' } },
    ]);
    expect(inner.requests).toHaveLength(1);
  });

  test.each([
    [61_000, '2 min'],
    [100 * 60_000, '100 min'],
    [18_000_000, '5 h'],
    [72 * 3_600_000, '3 days'],
  ])('because it would have to wait %i ms says %s', async (delayMs, said) => {
    const { read } = retrying(fails({ retry: inMs(delayMs), code: 'rate-limited' }));
    expect(await read()).toMatchObject([
      {
        type: 'error',
        error: { code: 'rate-limited', retry: never, userText: expect.stringContaining(said) },
      },
    ]);
  });

  test('because of an abort during the wait rejects with its reason', async () => {
    const { inner, clock, read } = retrying(fails({ retry: inMs(30_000) }), says('never'));
    const stop = new AbortController();
    const reason = new Error('stopped');
    const running = read(stop.signal);
    await clock.waiting(30_000);
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(inner.requests).toHaveLength(1);
    expect(clock.sleeping).toEqual([]);
  });
});
