import { describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/tools/send-message.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { MemoryMessaging, someServices } from '../fakes/tool-services.js';

const messaging = () =>
  new MemoryMessaging(
    {
      origin: { ok: true, isOwnChatOrHome: true },
      'fake:other': { ok: true, isOwnChatOrHome: false },
      'fake:a,fake:b': { ok: true, isOwnChatOrHome: false },
      'fake:gone': { ok: true, isOwnChatOrHome: false },
      'fake:slow': { ok: true, isOwnChatOrHome: false },
    },
    {
      'fake:a,fake:b': [
        { target: 'fake:a', state: 'sent', detail: 'message 7' },
        { target: 'fake:b', state: 'failed', detail: 'blocked' },
      ],
      'fake:gone': [{ target: 'fake:gone', state: 'failed', detail: 'no such chat' }],
      'fake:slow': [{ target: 'fake:slow', state: 'unknown', detail: 'timed out' }],
    },
  );

const call = async (input: unknown) => {
  const service = messaging();
  const context = aToolContext({ services: someServices({ messaging: service }) });
  const parsed = sendMessage.input.parse(input);
  const category = sendMessage.categoryOf?.(parsed, context);
  return { outcome: await sendMessage.execute(parsed, context), sent: service.sent, category };
};

describe('sending', () => {
  test('to the own chat is a write and says what the receipt says', async () => {
    const { outcome, sent, category } = await call({ target: 'origin', message: '**Hi**' });
    expect(category).toBe('write');
    expect(outcome).toEqual({ text: 'origin: sent (message 1)', isError: false });
    expect(sent).toEqual([{ targets: 'origin', text: '**Hi**', key: 'tool:t1:c1', correlation: 'corr-1' }]);
  });

  test('to any other target weighs as system', async () => {
    expect((await call({ target: 'fake:other', message: 'Hi' })).category).toBe('system');
  });

  test('to several targets tells each fate', async () => {
    const { outcome } = await call({ target: 'fake:a,fake:b', message: 'Hi' });
    expect(outcome).toEqual({ text: 'fake:a: sent (message 7)\nfake:b: NOT sent: blocked', isError: false });
  });

  test.each([
    ['fake:gone', /NOT sent: no such chat/],
    ['fake:slow', /unknown whether it arrived: timed out\. Do not send it again/],
  ])('to %s without a receipt is an error', async (target, said) => {
    const { outcome } = await call({ target, message: 'Hi' });
    expect(outcome).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Nothing is known to have been sent\./),
    });
    expect(outcome.text).toMatch(said);
  });

  test.each([
    [{ target: 'fake:typo', message: 'Hi' }, "'fake:typo' leads nowhere."],
    [{ target: 'origin' }, '`message` is empty'],
    [{ target: 'origin', message: ' \n' }, '`message` is empty'],
    [{ message: 'Hi' }, '`target` is missing'],
    [{ target: ' ', message: 'Hi' }, '`target` is missing'],
  ])('of %o sends nothing and says why', async (input, problem) => {
    const { outcome, sent, category } = await call(input);
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining(problem) });
    expect(sent).toEqual([]);
    expect(category).toBe('write');
  });
});

describe('listing', () => {
  test('tells how targets are written and which of the nearest lead somewhere', async () => {
    const { outcome, category, sent } = await call({ action: 'list' });
    expect(outcome.isError).toBe(false);
    expect(outcome.text).toContain('origin: can be used');
    expect(outcome.text).toContain("fake: 'fake' leads nowhere.");
    expect(outcome.text).toContain('platform:chat_id');
    expect(category).toBe('write');
    expect(sent).toEqual([]);
  });
});

test.each([
  [{ action: 'list' }, 'list targets'],
  [{ target: 'fake:other', message: 'Hi' }, 'to fake:other'],
  [{ message: 'Hi' }, 'to ?'],
])('tells people of %o as %s', (input, summary) => {
  expect(sendMessage.summarise?.(sendMessage.input.parse(input))).toBe(summary);
});
