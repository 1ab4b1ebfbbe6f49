import { expect, test } from 'vitest';
import { compare, createRandom, randomExpression, zones } from './against-croner.js';

const changes = [
  '2026-03-07T20:00:00Z',
  '2026-03-28T12:00:00Z',
  '2026-04-04T08:00:00Z',
  '2026-10-24T16:00:00Z',
];

test('60 random schedules in 12 zones run when croner says, but for days on which clocks are changed', () => {
  const random = createRandom(20_260_101);
  const faults: string[] = [];
  let runs = 0;
  for (let made = 0; made < 60; made += 1) {
    const expression = randomExpression(random);
    for (const zone of zones) {
      const from = Date.parse(changes[random(0, changes.length - 1)] ?? '') + random(0, 2_000) * 60_000;
      const compared = compare(expression, zone, from, 4);
      runs += compared.runs;
      faults.push(...compared.faults.map((at) => `${expression} in ${zone}: ${new Date(at).toISOString()}`));
    }
  }
  expect(faults).toEqual([]);
  expect(runs).toBeGreaterThan(2_000);
});
