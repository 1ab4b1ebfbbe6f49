import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Mailboxes } from '../../../src/gateway/sessions/mailbox.js';

interface Run {
  readonly key: string;
  readonly batch: readonly number[];
  readonly signal: AbortSignal;
  end(): void;
  fail(error: Error): void;
}

const scene = (takeBatch = (waiting: number[]): readonly number[] => waiting.splice(0)) => {
  const runs: Run[] = [];
  const errors: unknown[] = [];
  const boxes = new Mailboxes<number>({
    takeBatch,
    run: (key, batch, { signal }) =>
      new Promise<void>((end, fail) => {
        runs.push({ key, batch, signal, end, fail });
      }),
    onError: (_key, error) => errors.push(error),
  });
  return { boxes, runs, errors };
};

/** Lets everything run that is ready to. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await undefined;
};

describe('Mailboxes', () => {
  test('runs one batch of a key at a time and keeps the order', async () => {
    const { boxes, runs } = scene();
    expect([boxes.put('a', 1), boxes.put('a', 2), boxes.put('a', 3)]).toEqual([true, false, false]);
    expect(runs.map(({ batch }) => batch)).toEqual([[1]]);
    runs[0]?.end();
    await settle();
    expect(runs.map(({ batch }) => batch)).toEqual([[1], [2, 3]]);
  });

  test('runs other keys beside it', () => {
    const { boxes, runs } = scene();
    boxes.put('a', 1);
    boxes.put('b', 2);
    expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('goes on after a run that fails', async () => {
    const { boxes, runs, errors } = scene();
    boxes.put('a', 1);
    boxes.put('a', 2);
    runs[0]?.fail(new Error('boom'));
    await settle();
    expect(errors).toHaveLength(1);
    expect(runs[1]?.batch).toEqual([2]);
  });

  test('aborts the run and not the line', async () => {
    const { boxes, runs } = scene();
    boxes.put('a', 1);
    boxes.put('a', 2);
    const reason = new Error('stop');
    expect(boxes.abort('a', reason)).toBe(true);
    expect(runs[0]?.signal.reason).toBe(reason);
    runs[0]?.end();
    await settle();
    expect(runs[1]?.signal.aborted).toBe(false);
    expect(boxes.abort('b', reason)).toBe(false);
  });

  test('begins nothing while paused and tells when all runs have ended', async () => {
    const { boxes, runs } = scene();
    boxes.put('a', 1);
    boxes.put('a', 2);
    let isIdle = false;
    const paused = boxes.pause().then(() => {
      isIdle = true;
    });
    await settle();
    expect(isIdle).toBe(false);
    boxes.put('b', 3);
    runs[0]?.end();
    await paused;
    expect(runs.map(({ batch }) => batch)).toEqual([[1]]);
  });

  test('forgets keys that have nothing to do', async () => {
    const { boxes, runs } = scene();
    boxes.put('a', 1);
    expect(boxes.counts).toEqual({ running: 1, waiting: 0 });
    runs[0]?.end();
    await boxes.settled('a');
    expect(boxes.counts).toEqual({ running: 0, waiting: 0 });
    expect(boxes.waiting('a')).toBeUndefined();
  });

  test('takes every item exactly once and in order, whatever happens when', async () => {
    const step = fc.oneof(
      fc.record({ put: fc.constantFrom('a', 'b') }),
      fc.record({ end: fc.nat({ max: 3 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        let size = 2;
        const { boxes, runs } = scene((waiting) => waiting.splice(0, size));
        const running = new Set<Run>();
        const expected: Record<string, number[]> = { a: [], b: [] };
        const seen = (key: string) => runs.filter((run) => run.key === key).flatMap(({ batch }) => batch);
        let next = 0;
        let known = 0;
        const notice = (): void => {
          for (; known < runs.length; known += 1) {
            const run = runs[known];
            if (run === undefined) continue;
            expect([...running].some(({ key }) => key === run.key)).toBe(false);
            running.add(run);
          }
        };
        for (const action of steps) {
          if ('put' in action) {
            expected[action.put]?.push(next);
            boxes.put(action.put, next++);
          } else if ('take' in action) size = action.take;
          else {
            const run = [...running][action.end];
            if (run !== undefined) {
              running.delete(run);
              run.end();
              await settle();
            }
          }
          notice();
        }
        while (running.size > 0) {
          for (const run of running) {
            running.delete(run);
            run.end();
          }
          await settle();
          notice();
        }
        expect(seen('a')).toEqual(expected['a']);
        expect(seen('b')).toEqual(expected['b']);
      }),
    );
  });
});
