import { expect, it } from 'vitest';
import { isLinkable } from '../../../src/adapters/telegram/link-address.js';

it.each([
  'https://example.com',
  'HTTP://Example.com:8080/a?b=c#d',
  'https://пример.рф/путь',
  'https://user@example.com/x',
  'tg://user?id=123',
  'tg://resolve?domain=x',
])('takes %s', (url) => {
  expect(isLinkable(url)).toBe(true);
});

it.each([
  '',
  '#part',
  './file.md',
  'example.com',
  'http://localhost:3000/x',
  'https://',
  'https://a.bb:99999/',
  'https://a b.cc',
  'https://a.bb/c d',
  'mailto:a@b.cc',
  'ftp://a.bb',
  'javascript:alert(1)',
  'data:text/plain,x',
  'tg://',
  `https://a.bb/${'x'.repeat(3000)}`,
])('leaves %s to be written out', (url) => {
  expect(isLinkable(url)).toBe(false);
});
