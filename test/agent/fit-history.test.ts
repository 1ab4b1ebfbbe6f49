import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateFrame, estimateMessages } from '../../src/agent/estimate.js';
import { fitHistory, omissionNote } from '../../src/agent/fit-history.js';
import { repairHistory } from '../../src/agent/repair-history.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelMessage } from '../../src/core/provider.js';
import { aToolCall } from '../fakes/scripted-provider.js';
import { user } from './agent-world.js';

/** About a hundred tokens. */
const long = 'x'.repeat(350);
const answer = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });
const step = (id: string, text = long): readonly ModelMessage[] => [
  { role: 'assistant', text: '', toolCalls: [aToolCall({ id, name: 'look' })] },
  { role: 'tool', call: toToolCallId(id), text, isError: false },
];

describe('a history that fits', () => {
  test('stays whole', () => {
    const history = [user(long), answer(long), user('now')];
    expect(fitHistory(history, 1000)).toBe(history);
  });
});

describe('a history that is too long', () => {
  test('loses its oldest turns, cut at a message of a person, and says so', () => {
    const history = [user(long), answer(long), user('b'), ...step('c1'), answer('c'), user('now')];
    expect(fitHistory(history, 200)).toEqual([omissionNote, ...history.slice(2)]);
    expect(fitHistory(history, 120)).toEqual([omissionNote, user('now')]);
  });

  test('keeps its last turn even if that alone does not fit', () => {
    const history = [user('old'), answer('old'), user(long), ...step('c1')];
    expect(fitHistory(history, 50)).toEqual([omissionNote, ...history.slice(2)]);
  });

  test('loses the oldest steps of a last turn that alone does not fit, but not its question', () => {
    const history = [user('old'), user('do it'), ...step('c1'), ...step('c2'), ...step('c3')];
    expect(fitHistory(history, 300)).toEqual([omissionNote, user('do it'), ...history.slice(-4)]);
    expect(fitHistory(history, 10)).toEqual([omissionNote, user('do it'), ...history.slice(-2)]);
  });

  test('keeps its summary, unless that is most of what there is room for', () => {
    const summary: ModelMessage = { role: 'user', text: 'so far', isSummary: true };
    const history = [summary, user(long), answer(long), user('now')];
    expect(fitHistory(history, 120)).toEqual([summary, omissionNote, user('now')]);
    const large = { ...summary, text: long };
    expect(fitHistory([large, ...history.slice(1)], 120)).toEqual([omissionNote, user('now')]);
  });

  test('without any message of a person stays as it is', () => {
    expect(fitHistory([answer(long)], 10)).toEqual([answer(long)]);
  });

  test('begins with the same message for several turns, so that the service can cache it', () => {
    const turns = Array.from({ length: 40 }, (_, index) => [user(`${index} ${long}`), answer('ok')]);
    const starts = turns
      .slice(20)
      .map((_turn, index) => fitHistory(turns.slice(0, 20 + index).flat(), 1500)[1]);
    expect(new Set(starts).size).toBeLessThan(starts.length * 0.7);
  });

  test('always fits, or is the last question and the last step; it needs no repair', () => {
    const turn = fc.tuple(fc.nat(900), fc.array(fc.nat(900), { maxLength: 4 }));
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 60, max: 2000 }),
        (turns, room) => {
          const history = turns.flatMap(([asked, results], index) => [
            user(`${'q'.repeat(asked)}${index}`),
            ...results.flatMap((size, at) => step(`c${index}-${at}`, 'r'.repeat(size))),
            ...(index < turns.length - 1 ? [answer('done')] : []),
          ]);
          const fitted = fitHistory(history, room);
          const last = history.findLast(({ role }) => role === 'user');
          expect(fitted).toContain(last);
          expect(repairHistory(fitted)).toEqual(fitted);
          const rest = fitted.slice(last === undefined ? 0 : fitted.lastIndexOf(last));
          const isSmallest =
            rest.filter(({ role }) => role === 'assistant').length <= 1 && fitted.length - rest.length <= 1;
          if (!isSmallest) expect(estimateMessages(fitted)).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});

describe('the estimate', () => {
  test('counts a character outside ASCII for more', () => {
    expect(estimateMessages([user('東京'.repeat(50))])).toBeGreaterThan(
      2 * estimateMessages([user('to'.repeat(50))]),
    );
  });

  test('counts a picture for what the services charge', () => {
    const file = { path: '/p.jpg', fileName: 'p.jpg', mimeType: 'image/jpeg', sizeBytes: 1 };
    const [bare, seen] = [user('look'), { ...user('look'), images: [file, file] }];
    expect(estimateMessages([seen]) - estimateMessages([bare])).toBe(2000);
  });

  test('of the frame counts the system prompt and the tools', () => {
    const bare = estimateFrame({ system: long, tools: [] });
    expect(bare).toBeGreaterThan(99);
    const tools = [{ name: 'look', description: long, parameters: {} }];
    expect(estimateFrame({ system: long, tools })).toBeGreaterThan(bare + 99);
  });
});
