import { afterEach, describe, expect, test, vi } from 'vitest';
import { ringEveryMinute } from '../../src/cron/bell.js';
import { driveBySchedule } from '../../src/cron/ticker.js';
import { createSystemClock } from '../../src/host/index.js';
import { ManualClock } from '../fakes/manual-clock.js';

describe('the tick', () => {
  test('comes once in a tick time, until it is stopped', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    let ticks = 0;
    const count = (): void => {
      ticks += 1;
    };
    const driven = driveBySchedule(count, {
      clock,
      tickMs: 5_000,
      isReal: false,
      signal: stop.signal,
    });
    await clock.advance(4_999);
    expect(ticks).toBe(0);
    await clock.advance(10_001);
    expect(ticks).toBe(3);
    stop.abort(new Error('stopped'));
    await driven;
    await clock.advance(60_000);
    expect(ticks).toBe(3);
  });

  test('is not hurried by a clock that is set', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    let ticks = 0;
    const count = (): void => {
      ticks += 1;
    };
    const driven = driveBySchedule(count, {
      clock,
      tickMs: 60_000,
      isReal: false,
      signal: stop.signal,
    });
    clock.setNow(clock.now() + 86_400_000);
    await clock.advance(59_000);
    expect(ticks).toBe(0);
    clock.setNow(clock.now() - 2 * 86_400_000);
    await clock.advance(1_000);
    expect(ticks).toBe(1);
    stop.abort(new Error('stopped'));
    await driven;
  });
});

/** The host's own time, by hand: nothing else tells whether its timers hold. */
describe('on the clock of the host', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the bell rings at the beginning of each minute, until it is silenced', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-10T12:00:30Z') });
    const rings: string[] = [];
    const silence = ringEveryMinute(() => rings.push(new Date().toISOString()));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(rings).toEqual([]);
    await vi.advanceTimersByTimeAsync(91_000);
    expect(rings.map((at) => at.slice(11, 16))).toEqual(['12:01', '12:02']);
    silence();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(rings).toHaveLength(2);
  });

  test('CR-05 a wait above 2^31 ms neither ends at once nor warns', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-10T12:00:00Z') });
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    const days40Ms = 40 * 86_400_000;
    const stop = new AbortController();
    let ticks = 0;
    const count = (): void => {
      ticks += 1;
    };
    const driven = driveBySchedule(count, {
      clock: createSystemClock(),
      tickMs: days40Ms,
      isReal: false,
      signal: stop.signal,
    });
    await vi.advanceTimersByTimeAsync(days40Ms - 1);
    expect(ticks).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(ticks).toBe(1);
    stop.abort(new Error('stopped'));
    await driven;
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
