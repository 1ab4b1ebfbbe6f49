import { expect, test } from 'vitest';
import { ContextGauge } from '../../src/agent/context-gauge.js';

test('what a service counts is learnt for its model alone, within reason', () => {
  const gauge = new ContextGauge();
  gauge.counted('one', { estimated: 1000, reported: 1500 });
  expect([gauge.ratio('one'), gauge.ratio('other')]).toEqual([1.5, 1]);
  gauge.counted('one', { estimated: 1000, reported: 600 });
  expect(gauge.ratio('one')).toBe(0.75);
  gauge.counted('one', { estimated: 1000, reported: 90_000 });
  expect(gauge.ratio('one')).toBe(4);
});

test('a short request, or a count that cannot be one, teaches nothing', () => {
  const gauge = new ContextGauge();
  gauge.counted('one', { estimated: 100, reported: 300 });
  gauge.counted('one', { estimated: 1000, reported: 0 });
  gauge.counted('one', { estimated: 1000, reported: 100 });
  expect(gauge.ratio('one')).toBe(1);
});

test('a refusal lowers the limit, and never raises it', () => {
  const gauge = new ContextGauge();
  expect(gauge.limit('one', 8000)).toBe(8000);
  gauge.refused('one', 5000);
  gauge.refused('one', 9000);
  expect(gauge.limit('one', 8000)).toBe(3500);
  expect(gauge.limit('one', 1000)).toBe(1000);
});
