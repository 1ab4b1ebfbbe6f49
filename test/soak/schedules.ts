import { compare, createRandom, randomExpression, zones } from '../cron/schedule/against-croner.js';
import type { SoakPart } from './part.js';

const SCHEDULES = 500;
const YEARS_MS = 2 * 366 * 86_400_000;
const STRETCHES = 24;

/** Random schedules in twelve zones, looked at all over two years, beside croner's. */
export const schedules: SoakPart = {
  name: 'schedules',
  run: async ({ seed, share }) => {
    const random = createRandom(seed);
    const start = Date.parse('2026-01-01T00:00:00Z');
    const problems: string[] = [];
    let runs = 0;
    let justified = 0;
    for (let made = 0; made < SCHEDULES * share; made += 1) {
      const expression = randomExpression(random);
      for (const zone of zones) {
        for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
          const from = start + Math.floor((stretch * YEARS_MS) / STRETCHES) + random(0, 40_000) * 60_000;
          const compared = compare(expression, zone, from, 3);
          runs += compared.runs;
          justified += compared.justified;
          for (const at of compared.faults)
            problems.push(`${expression} in ${zone}: ${new Date(at).toISOString()}`);
        }
      }
    }
    return { summary: `${runs} runs, ${justified} differ on days on which clocks are changed`, problems };
  },
};
