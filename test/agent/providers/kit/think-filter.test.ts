import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThinkFilter } from '../../../../src/agent/providers/kit/think-filter.js';

const split = (deltas: readonly string[]) => {
  const filter = new ThinkFilter();
  const pieces = [...deltas.flatMap((delta) => filter.push(delta)), ...filter.end()];
  const join = (kind: string) => pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('');
  return { text: join('text'), reasoning: join('reasoning') };
};

describe('the think filter', () => {
  test.each([
    ['<think>a</think>Hi', 'Hi', 'a'],
    ['\n<THINK>a</Think>\n\nHi', 'Hi', 'a'],
    ['<thinking>a</thinking>Hi', 'Hi', 'a'],
    ['<think>a</think> <think>b</think>Hi', 'Hi', 'ab'],
    ['<think></think>Hi', 'Hi', ''],
    ['<think>a < b</think>Hi', 'Hi', 'a < b'],
    ['<think>a', '', 'a'],
    ['<think>İİİ</think>Hi', 'Hi', 'İİİ'],
    ['  Hi', '  Hi', ''],
    ['<thin', '<thin', ''],
    ['<thing>a</thing>', '<thing>a</thing>', ''],
    ['Hi <think>a</think>', 'Hi <think>a</think>', ''],
    ['', '', ''],
  ])('splits %j the same however it is cut', (answer, text, reasoning) => {
    expect(split([answer])).toEqual({ text, reasoning });
    expect(split([...answer])).toEqual({ text, reasoning });
    for (let at = 1; at < answer.length; at += 1)
      expect(split([answer.slice(0, at), answer.slice(at)])).toEqual({ text, reasoning });
  });

  test('holds blanks back only to a point, and then lets everything pass', () => {
    const filter = new ThinkFilter();
    expect(filter.push(' '.repeat(2_000))).toEqual([]);
    expect(filter.push('\n')).toEqual([{ kind: 'text', text: `${' '.repeat(2_000)}\n` }]);
    expect(filter.push('<think>')).toEqual([{ kind: 'text', text: '<think>' }]);
    expect(filter.end()).toEqual([]);
  });

  test('takes as long for endless blanks as for any other text', () => {
    const filter = new ThinkFilter();
    let passed = 0;
    for (let count = 0; count < 100_000; count += 1)
      for (const { text } of filter.push('  ')) passed += text.length;
    expect(passed).toBe(200_000);
  });

  test('lets every answer without a tag at its start pass unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (deltas) => {
        const answer = deltas.join('');
        fc.pre(!/^\s*<(?:think|thinking|thought|reasoning)>/i.test(answer));
        expect(split(deltas)).toEqual({ text: answer, reasoning: '' });
      }),
    );
  });
});
