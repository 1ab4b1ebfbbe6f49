import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../../src/core/errors.js';
import { toMessageId } from '../../../src/core/ids.js';
import type { EncodedMessage } from '../../../src/core/outbound.js';
import type { Route } from '../../../src/core/route.js';
import type { CallRecord } from '../../emulators/telegram/control.js';
import { anySignal, createBed, type TelegramBed } from './harness.js';

const person = 1001;
const withPerson = { chats: [{ id: person }] };

const sendAll = async ({ adapter }: TelegramBed, route: Route, markdown: string): Promise<void> => {
  for (const encoded of adapter.encode([{ type: 'text', text: markdown }], route)) {
    await adapter.send({ route, encoded, idempotencyKey: 'k' }, anySignal());
  }
};

const sendOne = (
  bed: TelegramBed,
  route: Route,
  markdown: string,
  replyTo?: number,
): ReturnType<TelegramBed['adapter']['send']> => {
  const encoded = bed.adapter.encode([{ type: 'text', text: markdown }], route)[0]!;
  const reply = replyTo === undefined ? {} : { replyTo: toMessageId(String(replyTo)) };
  return bed.adapter.send({ route, encoded, idempotencyKey: 'k', ...reply }, anySignal());
};

const failureOf = async (sending: Promise<unknown>): Promise<PlatformError> => {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  // Just asserted.
  return error as PlatformError;
};

const textsOf = (calls: readonly CallRecord[]): readonly string[] =>
  calls.map(({ params }) => String(params['text']));
const isWellFormed = (text: string): boolean =>
  !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);

describe('cases of long and awkward replies', () => {
  test('TG-01 a long reply of emoji is cut by UTF-16 units and not within a character', async () => {
    const bed = await createBed(withPerson);
    const reply = 'a'.repeat(4000) + '\u{1F600}'.repeat(60);
    await sendAll(bed, bed.routeTo(person), reply);
    const texts = textsOf(await bed.control.calls('sendMessage'));
    expect(texts.length).toBeGreaterThanOrEqual(2);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(4096);
      expect(isWellFormed(text)).toBe(true);
    }
    expect((await bed.control.botTexts(person)).join('')).toBe(reply);
    expect(await bed.control.warnings()).toEqual([]);
  });

  test.each([['!'.repeat(4096)], ['&'.repeat(4096)], ['a.b-c!'.repeat(900)]])(
    'TG-02 characters that markup would escape are counted and shown once (%#)',
    async (reply) => {
      const bed = await createBed(withPerson);
      await sendAll(bed, bed.routeTo(person), reply);
      const calls = await bed.control.calls('sendMessage');
      expect(calls.every(({ status }) => status === 200)).toBe(true);
      expect((await bed.control.botTexts(person)).join('')).toBe(reply);
      expect(calls).toHaveLength(Math.ceil(reply.length / 4096));
    },
  );

  test('TG-03 code longer than a message keeps its formatting and language in every message', async () => {
    const bed = await createBed(withPerson);
    const rows = Array.from({ length: 300 }, (_, index) => `    row_${index} = f(${index})`);
    await sendAll(bed, bed.routeTo(person), `Intro line\n\n\`\`\`py\n${rows.join('\n')}\n\`\`\`\n\nDone.`);
    const messages = await bed.control.messages(person);
    expect(messages.length).toBeGreaterThan(1);
    const code = messages.flatMap(({ text, entities }) =>
      entities
        .filter(({ type }) => type === 'pre')
        .map((entity) => {
          expect(entity).toMatchObject({ language: 'py' });
          return text.slice(entity.offset, entity.offset + entity.length);
        }),
    );
    expect(code.join('\n').split('\n')).toEqual(rows);
    expect(
      messages
        .filter(({ text }) => text.includes('row_'))
        .every(({ entities }) => entities.some(({ type }) => type === 'pre')),
    ).toBe(true);
    expect((await bed.control.calls('sendMessage')).every(({ status }) => status === 200)).toBe(true);
  });

  test('TG-04 bold goes on in the next message and a link at the cut stays a link', async () => {
    const bed = await createBed(withPerson);
    // The label reaches over unit 4096 of the text that is shown.
    const lead = 'word '.repeat(818);
    await sendAll(
      bed,
      bed.routeTo(person),
      `**${lead}[the long documentation label](https://example.com/x) ${'word '.repeat(400)}end**`,
    );
    const messages = await bed.control.messages(person);
    expect(messages.length).toBeGreaterThan(1);
    for (const { entities } of messages) expect(entities.some(({ type }) => type === 'bold')).toBe(true);
    const links = messages.flatMap(({ text, entities }) =>
      entities
        .filter(({ type }) => type === 'text_link')
        .map((entity) => ({
          label: text.slice(entity.offset, entity.offset + entity.length),
          url: entity.url,
        })),
    );
    expect(new Set(links.map(({ url }) => url))).toEqual(new Set(['https://example.com/x']));
    expect(links.map(({ label }) => label).join(' ')).toBe('the long documentation label');
    expect(messages.map(({ text }) => text).join('')).not.toMatch(/\*\*|\]\(/);
  });

  test('TG-05 angle brackets and ampersands are shown as typed', async () => {
    const bed = await createBed(withPerson);
    await sendAll(
      bed,
      bed.routeTo(person),
      '**From:** Pat Doe <pat@example.com>\n\nif a < b && c > d then <b>not bold</b> & done',
    );
    const [message, ...others] = await bed.control.messages(person);
    expect(others).toEqual([]);
    expect(message?.text).toBe(
      'From: Pat Doe <pat@example.com>\n\nif a < b && c > d then <b>not bold</b> & done',
    );
    const bold = message?.entities.filter(({ type }) => type === 'bold');
    expect(bold).toEqual([expect.objectContaining({ offset: 0, length: 5 })]);
    expect(await bed.control.calls('sendMessage')).toHaveLength(1);
  });

  test('TG-06 a message whose formatting is refused is sent once more as plain text of its own', async () => {
    const bed = await createBed(withPerson);
    const chunk = (name: string): string =>
      `${name} **bold** [guide](https://example.com/g) ${'x'.repeat(4000)}`;
    await bed.control.fault(
      { method: 'sendMessage', formatted: true, nth: 2 },
      {
        kind: 'error',
        code: 400,
        description: "Bad Request: can't parse entities: can't find end of the entity",
      },
    );
    await sendAll(bed, bed.routeTo(person), ['one', 'two', 'three'].map(chunk).join('\n\n'));
    const messages = await bed.control.messages(person);
    expect(messages.map(({ text }) => text.slice(0, 5).trim())).toEqual(['one b', 'two b', 'three']);
    expect(messages.map(({ entities }) => entities.some(({ type }) => type === 'bold'))).toEqual([
      true,
      false,
      true,
    ]);
    expect(messages[1]?.text).toContain('two bold guide (https://example.com/g)');
    expect(await bed.control.calls({ method: 'sendMessage', textContains: 'two' })).toHaveLength(2);
    expect(bed.log.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('TG-08 an edit that changes nothing is done, and a changed one shows', async () => {
    const bed = await createBed(withPerson);
    const route = bed.routeTo(person);
    const [message] = (await sendOne(bed, route, 'Hello')).messages;
    const edit = (text: string) =>
      bed.adapter.editing!.edit(
        { route, message: message!, encoded: bed.adapter.encode([{ type: 'text', text }], route)[0]! },
        anySignal(),
      );
    expect((await edit('Hello')).messages).toEqual([message]);
    expect((await edit('Hello world')).messages).toEqual([message]);
    expect(await bed.control.botTexts(person)).toEqual(['Hello world']);
    expect(await bed.control.calls('editMessageText')).toHaveLength(2);
    expect(bed.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('sending', () => {
  test('the receipt names the message that stands in the chat', async () => {
    const bed = await createBed(withPerson);
    const receipt = await sendOne(bed, bed.routeTo(person), 'hi');
    const [message] = await bed.control.messages(person);
    expect(receipt).toEqual({ messages: [String(message?.messageId)], sentAt: bed.clock.now() });
  });

  test('an answer quotes the message it answers, also if that was deleted meanwhile', async () => {
    const bed = await createBed(withPerson);
    const { messageId } = await bed.control.sendDirect(person, 'question');
    await sendOne(bed, bed.routeTo(person), 'answer', messageId);
    await sendOne(bed, bed.routeTo(person), 'answer to nothing', 999_999);
    const messages = (await bed.control.messages(person)).filter(({ from }) => from === 'bot');
    expect(messages.map(({ replyTo }) => replyTo)).toEqual([messageId, undefined]);
  });

  test('a message for a topic goes to that topic', async () => {
    const group = -1009000777;
    const bed = await createBed({ chats: [{ id: group, topics: [{ id: 314 }] }] });
    await sendOne(bed, bed.routeTo(group, 314), 'in the topic');
    await sendOne(bed, bed.routeTo(group), 'in General');
    expect((await bed.control.messages(group)).map(({ threadId }) => threadId)).toEqual([314, undefined]);
  });

  test('typing is shown where the message will go', async () => {
    const group = -1009000777;
    const bed = await createBed({ chats: [{ id: group, topics: [{ id: 314 }] }] });
    await bed.adapter.typing!.show(bed.routeTo(group, 314), anySignal());
    expect((await bed.control.calls('sendChatAction'))[0]?.params).toMatchObject({
      chat_id: group,
      message_thread_id: 314,
      action: 'typing',
    });
  });

  test('TG-12 typing in General names that topic, which no message may', async () => {
    const group = -1009000777;
    const bed = await createBed({ chats: [{ id: group, topics: [{ id: 314 }] }, { id: person }] });
    const running = bed.run();
    await bed.control.sendText(person, group, 'in General');
    await bed.control.sendDirect(person, 'in private');
    await bed.sink.waitFor(2);
    await bed.adapter.typing!.show(bed.routeTo(group), anySignal());
    await bed.adapter.typing!.show(bed.routeTo(person), anySignal());
    await sendOne(bed, bed.routeTo(group), 'answer');
    await running.stop();
    const typing = await bed.control.calls('sendChatAction');
    expect(typing.map(({ params }) => params['message_thread_id'])).toEqual([1, undefined]);
    const [sent] = await bed.control.calls('sendMessage');
    expect(sent?.params).not.toHaveProperty('message_thread_id');
    expect(sent?.status).toBe(200);
  });

  test('the command menu is published, and a refusal of it is told', async () => {
    const bed = await createBed();
    const commands = [{ name: 'stop', description: 'Stops the running answer' }];
    await bed.adapter.commandMenu!.publish(commands, anySignal());
    expect((await bed.control.calls('setMyCommands'))[0]?.params['commands']).toEqual([
      { command: 'stop', description: 'Stops the running answer' },
    ]);
    await bed.control.fault(
      { method: 'setMyCommands' },
      { kind: 'error', code: 500, description: 'Internal' },
    );
    await expect(bed.adapter.commandMenu!.publish(commands, anySignal())).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('an abort passes through as the reason of the signal', async () => {
    const bed = await createBed(withPerson);
    const fault = await bed.control.fault({ method: 'sendMessage' }, { kind: 'delay', applied: false });
    const stop = new AbortController();
    const route = bed.routeTo(person);
    const encoded: EncodedMessage = bed.adapter.encode([{ type: 'text', text: 'hi' }], route)[0]!;
    const sending = bed.adapter.send({ route, encoded, idempotencyKey: 'k' }, { signal: stop.signal });
    await fault.waitUntilHeld();
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(sending).rejects.toBe(reason);
  });
});

describe('what a failed send means', () => {
  const refusals: readonly [description: string, code: number, expected: Partial<PlatformError>][] = [
    ['Bad Request: chat not found', 400, { code: 'unreachable-chat', retry: { kind: 'never' } }],
    ['Forbidden: bot was blocked by the user', 403, { code: 'unreachable-chat', retry: { kind: 'never' } }],
    ['Forbidden: bot was kicked from the supergroup chat', 403, { code: 'unreachable-chat' }],
    ['Bad Request: not enough rights to send text messages to the chat', 400, { code: 'unreachable-chat' }],
    ['Bad Request: message thread not found', 400, { code: 'refused', retry: { kind: 'never' } }],
    ['Bad Request: message text is empty', 400, { code: 'refused', retry: { kind: 'never' } }],
    ['Unauthorized', 401, { code: 'unauthorized', retry: { kind: 'never' } }],
    ['Bad Gateway', 502, { code: 'unavailable', outcome: 'none', retry: { kind: 'later' } }],
    ['Gateway Timeout', 504, { code: 'unavailable', outcome: 'unknown', retry: { kind: 'later' } }],
  ];

  test.each(refusals)('%s (%i)', async (description, code, expected) => {
    const bed = await createBed(withPerson);
    await bed.control.fault({ method: 'sendMessage' }, { kind: 'error', code, description });
    const error = await failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    expect(error).toMatchObject({ outcome: 'none', ...expected });
    expect(error.message).toContain(`sendMessage: ${code} ${description}`);
    expect(await bed.control.calls('sendMessage')).toHaveLength(1);
  });

  test('who has never written to the bot has to begin', async () => {
    const bed = await createBed({
      chats: [
        { id: person, standing: 'not-found' },
        { id: -501, standing: 'not-found' },
      ],
    });
    const error = await failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    expect(error).toMatchObject({
      code: 'unreachable-chat',
      message: 'sendMessage: 400 Bad Request: chat not found. That person has to write to the bot first.',
      userText: 'That person has to write to the bot first.',
    });
    const ofGroup = await failureOf(sendOne(bed, bed.routeTo(-501), 'hi'));
    expect(ofGroup.message).toBe('sendMessage: 400 Bad Request: chat not found');
  });

  test('TG-09 a flood answer says when to come back, and other chats are served', async () => {
    const bed = await createBed({ chats: [{ id: person }, { id: 1002 }] });
    await bed.control.flood({ method: 'sendMessage', chatId: person }, 3);
    const error = await failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    expect(error).toMatchObject({ code: 'rate-limited', outcome: 'none', retry: { kind: 'after' } });
    expect(error.retry.kind === 'after' && error.retry.delayMs).toBeGreaterThanOrEqual(3000);
    await sendOne(bed, bed.routeTo(1002), 'hi');
    expect(await bed.control.botTexts(1002)).toEqual(['hi']);
  });

  test.each([
    'Bad Request: message to edit not found',
    "Bad Request: message can't be edited",
    'Bad Request: MESSAGE_ID_INVALID',
  ])('an edit answered with "%s" asks for a new message', async (description) => {
    const bed = await createBed(withPerson);
    const route = bed.routeTo(person);
    await bed.control.fault({ method: 'editMessageText' }, { kind: 'error', code: 400, description });
    const editing = bed.adapter.editing!.edit(
      { route, message: toMessageId('5'), encoded: { text: 'hi', payload: null } },
      anySignal(),
    );
    expect(await failureOf(editing)).toMatchObject({ code: 'message-gone', outcome: 'none' });
  });

  test('a group that became a supergroup is named with its new id', async () => {
    const bed = await createBed({ chats: [{ id: -501, migratedTo: -1009000501 }] });
    const error = await failureOf(sendOne(bed, bed.routeTo(-501), 'hi'));
    expect(error).toMatchObject({ code: 'unreachable-chat', outcome: 'none' });
    expect(error.message).toContain('-1009000501');
  });

  test.each([
    ['cut before an answer', { kind: 'drop', applied: true }],
    ['cut within the answer', { kind: 'truncate' }],
  ] as const)('a connection %s leaves the outcome unknown', async (_, action) => {
    const bed = await createBed(withPerson);
    await bed.control.fault({ method: 'sendMessage' }, action);
    const error = await failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown', retry: { kind: 'later' } });
    expect(error.message).toMatch(/^sendMessage: /);
  });

  test('a send without an answer is given up in time, with its outcome unknown', async () => {
    const bed = await createBed(withPerson);
    const fault = await bed.control.fault({ method: 'sendMessage' }, { kind: 'hang', applied: true });
    const failing = failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    await fault.waitUntilHeld();
    await bed.clock.advance(30_000);
    expect(await failing).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  });

  test('an error page of a proxy is an outage and was not carried out', async () => {
    const bed = await createBed(withPerson);
    await bed.control.fault({ method: 'sendMessage' }, { kind: 'html', status: 502 });
    const error = await failureOf(sendOne(bed, bed.routeTo(person), 'hi'));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'none' });
  });

  test('a plain version that fails half-way leaves the outcome unknown', async () => {
    const bed = await createBed(withPerson);
    const address = `https://example.com/${'p'.repeat(600)}`;
    await bed.control.fault(
      { method: 'sendMessage', formatted: true },
      { kind: 'error', code: 400, description: "Bad Request: can't parse entities" },
    );
    await bed.control.fault(
      { method: 'sendMessage', formatted: false, nth: 2 },
      { kind: 'error', code: 500, description: 'Internal Server Error' },
    );
    const error = await failureOf(
      sendOne(bed, bed.routeTo(person), `${'word '.repeat(800)}[guide](${address})`),
    );
    expect(error.outcome).toBe('unknown');
    expect(await bed.control.botTexts(person)).toHaveLength(1);
  });
});
