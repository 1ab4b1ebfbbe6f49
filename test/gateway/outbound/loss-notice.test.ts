import { expect, test } from 'vitest';
import { lossNotice } from '../../../src/gateway/outbound/loss-notice.js';

test('tells what became of a part of an answer, and which part it was', () => {
  expect(lossNotice('first line\n\nsecond', 'failed', 'chat not found')).toBe(
    '⚠️ A part of my answer could not be delivered: chat not found\n\n> first line second',
  );
  expect(lossNotice('hello', 'unknown', 'no answer')).toBe(
    '⚠️ A part of my answer may not have arrived: no answer\n\n> hello',
  );
});

test('tells it alone where the part has no words', () => {
  expect(lossNotice(' \n', 'failed', 'too large')).toBe(
    '⚠️ A part of my answer could not be delivered: too large',
  );
});

test('shows the beginning of a long part, cut at a whole character', () => {
  const notice = lossNotice(`${'x'.repeat(199)}🚀 and more`, 'failed', 'no');
  expect(notice).toMatch(/\n> x{199}…$/u);
});
