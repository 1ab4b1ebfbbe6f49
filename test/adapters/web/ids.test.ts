import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatPosition,
  parsePosition,
  parseSession,
  toReceivedMessageId,
  toSentMessageId,
} from '../../../src/adapters/web/ids.js';
import { toChatId } from '../../../src/core/ids.js';

describe('session ids', () => {
  test.each(['a', 'main', 'chat-1_2.3', 'A'.repeat(128)])('%s is a session', (text) => {
    expect(parseSession(text)).toBe(text);
  });

  test.each(['', '.', '..', 'a b', 'a/b', 'a:1', 'ä', 'A'.repeat(129), 'a\n'])('%j is none', (text) => {
    expect(parseSession(text)).toBeUndefined();
  });
});

describe('message ids', () => {
  const [one, other] = [toChatId('one'), toChatId('other')];

  test('are the same for the same key of the same session, and for no other', () => {
    expect(toSentMessageId(one, 'k')).toBe(toSentMessageId(one, 'k'));
    const all = [
      toSentMessageId(one, 'k'),
      toSentMessageId(one, 'l'),
      toSentMessageId(other, 'k'),
      toReceivedMessageId(one, 'k'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('stream positions', () => {
  test('come back from their text', () => {
    fc.assert(
      fc.property(
        fc.record({
          sequence: fc.nat(),
          boot: fc.stringMatching(/^[0-9a-z]{1,12}$/u),
          number: fc.nat(),
        }),
        (position) => {
          expect(parsePosition(formatPosition(position))).toEqual(position);
        },
      ),
    );
  });

  test.each(['', '1', '1-a', '1-a-b', '-1-a-2', '1-A-2', '1-a-2-3', `1-a-${'9'.repeat(16)}`])(
    '%j is no position',
    (text) => {
      expect(parsePosition(text)).toBeUndefined();
    },
  );
});
