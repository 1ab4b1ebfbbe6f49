import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawPlan } from './plan.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const planOf = (seed: number) => drawPlan({ seed, kills: 30, chats: 20, isStreaming: seed % 2 === 1 });

describe('drawPlan', () => {
  test('draws the same for the same seed and something else for another', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual(planOf(9));
  });

  test('numbers the letters of each chat in the order in which they are written', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { opening, cycles, closing } = planOf(seed);
        const written = [...opening, ...cycles.flatMap(({ away, live }) => [...away, ...live]), ...closing];
        expect(new Set(written.map(({ token }) => token)).size).toBe(written.length);
        for (let chat = 0; chat < 20; chat += 1) {
          const numbers = written.filter((letter) => letter.chat === chat).map(({ number }) => number);
          expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        }
      }),
    );
  });

  test('lets no letter live through more than two kills', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { cycles } = planOf(seed);
        for (const [index] of cycles.entries()) {
          const settledAt = cycles.findIndex(
            ({ moment, settledIndex }, later) =>
              later > index && moment.type !== 'start' && settledIndex >= index,
          );
          const end = settledAt === -1 ? cycles.length : settledAt;
          expect(end - index).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  test('waits for a letter that is written while the gateway runs, in a chat where nothing else is under way', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { cycles } = planOf(seed);
        for (const [index, { moment, live, away }] of cycles.entries()) {
          if (!('letter' in moment)) continue;
          expect(live).toContain(moment.letter);
          const recent = [
            ...(cycles[index - 1]?.live ?? []),
            ...(cycles[index - 1]?.away ?? []),
            ...live,
            ...away,
          ];
          expect(recent.filter(({ chat }) => chat === moment.letter.chat)).toEqual([moment.letter]);
        }
      }),
    );
  });

  test('has nobody write during a start that is cut short', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const starts = planOf(seed).cycles.filter(({ moment }) => moment.type === 'start');
        for (const { live } of starts) expect(live).toEqual([]);
      }),
    );
  });
});
