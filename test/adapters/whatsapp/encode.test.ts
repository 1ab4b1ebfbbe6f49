import { expect, test } from 'vitest';
import { encodeMarkdown } from '../../../src/adapters/whatsapp/encode.js';

const contentOf = (markdown: string): string =>
  encodeMarkdown(markdown)
    .map(({ content }) => content)
    .join('\n---\n');

test('WA-10 Markdown becomes WhatsApp’s marks, and identifiers and code stay as they are', () => {
  const reply =
    '# Title\n\n**b** *i* ~~s~~ [t](https://example.com) `a**b` my_file_name\n\n```js\n\nx**2\n\n```';
  expect(contentOf(reply)).toBe(
    '*Title*\n\n*b* _i_ ~s~ t (https://example.com) `a**b` my_file_name\n\n```\nx**2\n```',
  );
});

test.each([
  ['un*frigging*believable', 'unfriggingbelievable'],
  ['**two\nlines**', '*two*\n*lines*'],
  ['> quoted\n> lines', '> quoted\n> lines'],
  ['- one\n- two', '• one\n• two'],
  ['**bold *and it* bold**', '*bold _and it_ bold*'],
  ['`` x`y ``', 'x`y'],
])('%j is sent as %j', (markdown, content) => {
  expect(contentOf(markdown)).toBe(content);
});
