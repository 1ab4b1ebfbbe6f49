import { describe, expect, test } from 'vitest';
import { StrangerLimit } from '../../../src/gateway/inbound/stranger-limit.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const takeMany = (limit: StrangerLimit, platform: string, count: number): number =>
  Array.from({ length: count }, () => limit.take(platform)).filter((passes) => passes).length;

describe('the limit for strangers', () => {
  test('lets twenty events of a platform pass within any minute', async () => {
    const clock = new ManualClock();
    const limit = new StrangerLimit(clock);
    expect(takeMany(limit, 'fake', 10)).toBe(10);
    await clock.advance(30_000);
    expect(takeMany(limit, 'fake', 30)).toBe(10);
    await clock.advance(30_000);
    expect(takeMany(limit, 'fake', 30)).toBe(10);
  });

  test('counts each platform by itself', () => {
    const limit = new StrangerLimit(new ManualClock());
    expect(takeMany(limit, 'fake', 30)).toBe(20);
    expect(takeMany(limit, 'other', 30)).toBe(20);
  });

  test('opens again after the clock was set back', () => {
    const clock = new ManualClock();
    const limit = new StrangerLimit(clock);
    takeMany(limit, 'fake', 30);
    clock.setNow(clock.now() - 3_600_000);
    expect(takeMany(limit, 'fake', 30)).toBe(20);
  });
});
