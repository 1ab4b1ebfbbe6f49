import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountOfToken, parseAddress, threadIdOf } from '../../../src/adapters/telegram/ids.js';
import { toChatId, toThreadId } from '../../../src/core/ids.js';

const id = fc.integer({ min: 2, max: 2 ** 52 }).map(String);

test('an address that is written is read back as it was', () => {
  fc.assert(
    fc.property(id, fc.boolean(), fc.option(id, { nil: undefined }), (digits, isGroup, topic) => {
      const chat = toChatId(isGroup ? `-${digits}` : digits);
      const thread = topic === undefined ? undefined : toThreadId(topic);
      expect(parseAddress([chat, thread].filter(Boolean).join(':'))).toEqual(
        thread === undefined ? { chat } : { chat, thread },
      );
    }),
  );
});

test.each(['', '0', '12a', '-', '1:2:3', '1:', ':1', '1:-2', '@name', '#general', '1.5', '+49 123'])(
  '"%s" is no address',
  (name) => {
    expect(parseAddress(name)).toBeUndefined();
  },
);

test('the General topic is addressed as the chat itself', () => {
  expect(parseAddress('-100123:1')).toEqual({ chat: '-100123' });
  expect(threadIdOf(1)).toBeUndefined();
});

test('a token begins with the account', () => {
  expect(accountOfToken('123456:TEST-AAA')).toBe('123456');
});
