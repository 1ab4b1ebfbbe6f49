import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { expect, test } from 'vitest';
import { cjkEmphasis } from './modules.js';

const plain = new MarkdownIt();
const ours = new MarkdownIt().use(cjkEmphasis);
const reference = new MarkdownIt().use(cjkFriendly);

test.each([
  ['**“引用”**说明', '<p><strong>“引用”</strong>说明</p>\n'],
  ['这是**强调：**后文', '<p>这是<strong>强调：</strong>后文</p>\n'],
  ['中文**（括号）**中文', '<p>中文<strong>（括号）</strong>中文</p>\n'],
  ['日本語*「強調」*です', '<p>日本語<em>「強調」</em>です</p>\n'],
])('%s is emphasis', (text, html) => {
  expect(ours.render(text)).toBe(html);
  expect(plain.render(text)).not.toBe(html);
});

test.each(['a * b * c', 'snake_case_name', '**bold** and *em*', '2*3*4', '**"a"**b'])(
  '%s stays as it was',
  (text) => {
    expect(ours.render(text)).toBe(plain.render(text));
  },
);

test('it agrees with the published rules for Chinese and Japanese', () => {
  const piece = fc.constantFrom(
    '中',
    '文',
    'か',
    'カ',
    '한',
    'a',
    '1',
    ' ',
    '*',
    '**',
    '。',
    '，',
    '“',
    '”',
    '（',
    '）',
    '(',
    ')',
    '.',
    '!',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = `x${pieces.join('')}x`;
      expect(ours.render(text)).toBe(reference.render(text));
    }),
    { numRuns: 2000 },
  );
});
