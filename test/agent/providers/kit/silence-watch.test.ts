import { expect, test } from 'vitest';
import { SilenceWatch } from '../../../../src/agent/providers/kit/silence-watch.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const watching = () => {
  const clock = new ManualClock();
  const silences: number[] = [];
  return { clock, silences, watch: new SilenceWatch(clock, (limitMs) => silences.push(limitMs)) };
};

test('silence of the whole limit is noticed once', async () => {
  const { clock, silences, watch } = watching();
  watch.start(6000);
  await clock.advance(5999);
  expect(silences).toEqual([]);
  await clock.advance(20_000);
  expect(silences).toEqual([6000]);
});

test('a touch begins the limit anew, to within a sixth of it', async () => {
  const { clock, silences, watch } = watching();
  watch.start(6000);
  await clock.advance(5500);
  watch.touch();
  await clock.advance(6000);
  expect(silences).toEqual([]);
  await clock.advance(1000);
  expect(silences).toEqual([6000]);
});

test('a stopped watch notices nothing and leaves nothing behind', async () => {
  const { clock, silences, watch } = watching();
  watch.start(6000);
  watch.stop();
  await clock.advance(10_000);
  expect(silences).toEqual([]);
  expect(clock.sleeping).toEqual([]);
});

test('another start replaces the limit', async () => {
  const { clock, silences, watch } = watching();
  watch.start(6000);
  await clock.advance(5000);
  watch.start(60_000);
  await clock.advance(59_000);
  expect(silences).toEqual([]);
  await clock.advance(1000);
  expect(silences).toEqual([60_000]);
});
