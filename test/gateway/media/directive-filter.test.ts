import { describe, expect, test } from 'vitest';
import { DirectiveFilter } from '../../../src/gateway/media/directive-filter.js';

const stream = (...deltas: readonly string[]): readonly string[] => {
  const filter = new DirectiveFilter();
  return deltas.map((delta) => filter.push(delta));
};

const letters = (text: string): readonly string[] => stream(...text);

describe('a text in the making', () => {
  test('ME-08 never shows a tag, a part of one or of its path', () => {
    const shown = stream('Done. ', 'MED', 'IA:/ws/o', 'ut.p', 'ng', '\nBye', ' [[audio_', 'as_voice]]', '');
    expect(shown.join('')).toBe('Done.\nBye');
    for (const part of shown) expect(part).not.toMatch(/MED|ws|out|png|\[/u);
  });

  test('ME-08 is not held back by the word in prose', () => {
    expect(stream('The media', ' wrote: ', 'media', ': the press')).toEqual([
      'The',
      ' media wrote:',
      '',
      ' media: the press',
    ]);
    expect(stream('Multimedia:', ' yes')).toEqual(['Multimedia:', ' yes']);
    expect(letters('immediately done').join('')).toBe('immediately done');
  });

  test.each([
    ['Text\n**MEDIA:/ws/a.png**\nEnd', 'Text\n\nEnd'],
    ['- one\n- MEDIA:/ws/a.png\n- two', '- one\n\n- two'],
    ['See (MEDIA:"/ws/a b.png") here\n', 'See here\n'],
    ['Write `MEDIA:/ws/a.png` so\n', 'Write `MEDIA:/ws/a.png` so\n'],
    ['```\nMEDIA:/ws/a.png\n```\n', '```\nMEDIA:/ws/a.png\n```\n'],
    ['a [link](https://example.org) here.', 'a [link](https://example.org) here.'],
  ])('letter by letter comes to the same: %j', (text, expected) => {
    const shown = letters(text).join('');
    expect(expected.replace(/\n\n/gu, '\n').startsWith(shown.replace(/\n\n/gu, '\n'))).toBe(true);
    expect(expected.length - shown.length).toBeLessThan(3);
  });
});

test('a long line costs no more for being long', () => {
  const filter = new DirectiveFilter();
  const begun = performance.now();
  let length = 0;
  for (let index = 0; index < 100_000; index += 1) length += filter.push('word ').length;
  expect(length).toBeGreaterThan(499_000);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
