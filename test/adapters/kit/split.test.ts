import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INDENT_GUARD, splitPieces, splitText } from '../../../src/adapters/kit/split.js';

const words = (count: number, word = 'word') => Array.from({ length: count }, () => word).join(' ');

describe('splitText', () => {
  it('leaves a text that fits alone, trimmed', () => {
    expect(splitText('  a b \n', 100)).toEqual(['a b']);
  });

  it('gives nothing for a text that shows nothing', () => {
    expect(splitText(' \n\t\u200b\u2060 ', 100)).toEqual([]);
    expect(splitText('', 100)).toEqual([]);
  });

  it('prefers a blank line to a line, a line to a sentence, a sentence to a word', () => {
    const paragraph = `${words(6)}. ${words(6)}`;
    expect(splitText(`${paragraph}\n${words(2)}\n\n${words(4)}\n${words(9)}`, 100)[0]).toBe(
      `${paragraph}\n${words(2)}`,
    );
    expect(splitText(`${paragraph}\n${words(12)}`, 100)[0]).toBe(paragraph);
    expect(splitText(`${words(14)}. ${words(30)}`, 100)[0]).toBe(`${words(14)}.`);
    expect(splitText(words(40), 100)[0]).toBe(words(20));
  });

  it('cuts Chinese after its punctuation', () => {
    const [first, second] = splitText(`${'春'.repeat(60)}。${'夏'.repeat(60)}`, 100);
    expect(first).toBe(`${'春'.repeat(60)}。`);
    expect(second).toBe('夏'.repeat(60));
  });

  it('keeps emoji, flags and marks whole', () => {
    for (const cluster of ['😀', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301\u0323', '👍🏽', 'क्षि']) {
      const pieces = splitText(cluster.repeat(60), 50);
      expect(pieces.join('')).toBe(cluster.repeat(60));
      for (const piece of pieces) expect(piece.length % cluster.length).toBe(0);
    }
  });

  it('cuts a cluster longer than the limit between code points', () => {
    const pieces = splitText(`😀${'\u{e0061}'.repeat(40)}x`, 17);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(17);
    expect(pieces.join('')).not.toMatch(/\p{Surrogate}/u);
  });

  it('takes linear time for one long run', { timeout: 60_000 }, () => {
    const started = performance.now();
    for (const unit of ['x', ' ', '\n', '😀', '🇩🇪', 'a\u0301', '\u3000', '。']) {
      splitText(`a${unit.repeat(300_000 / unit.length)}b`, 4096);
    }
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('splitPieces', () => {
  const cut = (text: string, options: Partial<Parameters<typeof splitPieces>[1]>) =>
    splitPieces(text, { limitUnits: 100, ...options }).map((it) => text.slice(it.start, it.end));

  it('cuts before a block that fits whole in the next piece', () => {
    const text = `intro intro intro\n\n${words(18)}`;
    expect(cut(text, { blockStarts: [0, 19] })).toEqual(['intro intro intro', words(18)]);
  });

  it('does not leave a piece nearly empty for a block that has to be cut anyway', () => {
    const text = `intro intro intro\n\n${words(40)}`;
    expect(cut(text, { blockStarts: [0, 19] })[0]?.length).toBeGreaterThan(50);
  });

  it('moves a short whole to the next piece rather than cut it', () => {
    const text = `${words(18)} see the whole label here`;
    const start = text.indexOf('the');
    expect(cut(text, { wholes: [{ start, end: text.length }] })[1]).toBe('the whole label here');
  });

  it('cuts code at lines without indentation if possible', () => {
    const code = Array.from({ length: 8 }, (_, at) => `def f${at}():\n    return ${at}`).join('\n');
    const pieces = cut(code, { codeBlocks: [{ start: 0, end: code.length }] });
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece).toMatch(/^def/);
    expect(pieces.join('\n')).toBe(code);
  });

  it('keeps the indentation of a piece that has to begin with it, and says so', () => {
    const code = Array.from({ length: 12 }, (_, at) => `    line number ${at}`).join('\n');
    const pieces = splitPieces(code, { limitUnits: 100, codeBlocks: [{ start: 0, end: code.length }] });
    expect(pieces.map((it) => code.slice(it.start, it.end)).join('\n')).toBe(code);
    for (const piece of pieces) {
      expect(piece.indented).toBe(true);
      expect(piece.end - piece.start + INDENT_GUARD.length).toBeLessThanOrEqual(100);
    }
  });

  it('ends a piece before the ranges it touches weigh too much', () => {
    const text = words(60, 'abcd');
    const ranges = Array.from({ length: 60 }, (_, at) => ({ start: at * 5, end: at * 5 + 4, weight: 2 }));
    const all = [{ start: 0, end: text.length, weight: 1 }, ...ranges];
    const pieces = splitPieces(text, { limitUnits: 4096, ranges: all, maxWeight: 20 });
    for (const { start, end } of pieces) {
      const touched = all.filter((it) => it.start < end && it.end > start);
      expect(touched.reduce((sum, it) => sum + it.weight, 0)).toBeLessThanOrEqual(20);
    }
    expect(pieces.map((it) => text.slice(it.start, it.end)).join(' ')).toBe(text);
  });

  it('drops only white space, for any text, limit and code', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'ab.。，中 \n', '  ', '😀', '🇩🇪', 'e\u0301', '\u200d'),
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 16, max: 90 }), fc.nat(), fc.nat(), (value, limitUnits, a, b) => {
        const [start = 0, end = 0] = [a % (value.length + 1), b % (value.length + 1)].sort((x, y) => x - y);
        const pieces = splitPieces(value, { limitUnits, codeBlocks: start < end ? [{ start, end }] : [] });
        let last = 0;
        for (const piece of pieces) {
          expect(value.slice(last, piece.start)).toMatch(/^[\s\u200d]*$/);
          expect(piece.end - piece.start).toBeLessThanOrEqual(limitUnits);
          last = piece.end;
        }
        expect(value.slice(last)).toMatch(/^[\s\u200d]*$/);
      }),
      { numRuns: 1000 },
    );
  });
});
