import { expect, inject, test } from 'vitest';
import { runJobCrashes } from './job-crashes.js';

test('jobs of a gateway that is killed around their times are begun once at most, and none that comes but once is lost', async () => {
  const report = await runJobCrashes({
    seed: 21,
    kills: 3,
    distMain: inject('distMain'),
    telegramUrl: `http://127.0.0.1:${inject('telegramPort')}`,
    openaiUrl: `http://127.0.0.1:${inject('openaiPort')}`,
  });
  expect(report.problems).toEqual([]);
  expect(report.runs).toBeGreaterThan(5);
  expect(report.oneShots).toBeGreaterThan(10);
  expect(report.ticks).toBeGreaterThan(3);
}, 180_000);
