import { expect, test } from 'vitest';
import { isSilent } from '../../src/cron/silence.js';

test.each([
  '[SILENT]',
  ' [silent]\n',
  '`[SILENT]`',
  '```\n[SILENT]\n```',
  '[SILENT].',
  '[SILENT',
  '3 hits, all filtered.\n\n[SILENT]',
  '[SILENT]\n\nnothing new',
])('CR-06 is silent: %j', (text) => {
  expect(isSilent(text)).toBe(true);
});

test.each([
  'The [SILENT] path now works',
  'SILENT NIGHT tickets are out',
  'Added a --silent flag',
  'Use [SILENT] to mute; 2 alerts today',
  'one\n[SILENT]\nthree',
  '',
])('CR-06 is delivered: %j', (text) => {
  expect(isSilent(text)).toBe(false);
});
