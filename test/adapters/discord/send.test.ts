import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { anySignal, createBed, type DiscordBed, forum, general, otherPerson, person } from './harness.js';

let bed: DiscordBed;
let channel: string;
beforeEach(async () => {
  bed = await createBed();
  channel = await bed.control.directChannel(person);
});
afterEach(() => bed.control.remove());

const sendText = async (chat: string, text: string, key = 'k', thread?: string) => {
  const route = bed.routeTo(chat, thread);
  const [encoded] = bed.adapter.encode([{ type: 'text', text }], route);
  if (encoded === undefined) throw new Error('nothing to send');
  return bed.adapter.send({ route, encoded, idempotencyKey: key }, anySignal());
};

describe('a message whose answer never came', () => {
  test('is the same message when it is sent again', async () => {
    await bed.control.fault({
      call: '^POST /channels/\\d+/messages',
      action: { kind: 'cut', applied: true },
    });
    await expect(sendText(channel, 'once')).rejects.toMatchObject({
      code: 'unavailable',
      outcome: 'unknown',
    });
    await sendText(channel, 'once');
    expect(await bed.control.botTexts(channel)).toEqual(['once']);
  });

  test('is another one under another key', async () => {
    await sendText(channel, 'same words', 'a');
    await sendText(channel, 'same words', 'b');
    expect(await bed.control.botTexts(channel)).toEqual(['same words', 'same words']);
  });

  test('is given up in time, on the clock of the gateway', async () => {
    await bed.control.fault({
      call: '^POST /channels/\\d+/messages',
      action: { kind: 'hold', applied: false },
    });
    const sending = sendText(channel, 'held').then(
      () => 'sent',
      (error: unknown) => error,
    );
    await bed.control.wait({ kind: 'held', count: 1 });
    await bed.clock.advance(30_000);
    expect(await sending).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  });
});

describe('the pace', () => {
  test('of a 429 is handed to the caller, and no call of that kind leaves before', async () => {
    const body = { message: 'You are being rate limited.', retry_after: 1.5, global: false };
    const headers = { 'retry-after': '1.5' };
    await bed.control.fault({
      call: '^POST /channels',
      action: { kind: 'answer', status: 429, body, headers },
    });
    const tooFast = { code: 'rate-limited', outcome: 'none', retry: { kind: 'after', delayMs: 1_550 } };
    await expect(sendText(channel, 'a')).rejects.toMatchObject(tooFast);
    await expect(sendText(channel, 'a')).rejects.toMatchObject(tooFast);
    expect(await bed.control.calls('^POST /channels')).toHaveLength(1);
    await bed.clock.advance(1_550);
    await sendText(channel, 'a');
    expect(await bed.control.botTexts(channel)).toEqual(['a']);
  });

  test('that is used up holds back the next message and no other channel', async () => {
    await bed.control.reset({
      users: [{ id: person }, { id: otherPerson }],
      rateLimit: { limit: 2, resetAfterSeconds: 5 },
    });
    channel = await bed.control.directChannel(person);
    const other = await bed.control.directChannel(otherPerson);
    await sendText(channel, 'one', '1');
    await sendText(channel, 'two', '2');
    await expect(sendText(channel, 'three', '3')).rejects.toMatchObject({
      code: 'rate-limited',
      retry: { kind: 'after', delayMs: 5_050 },
    });
    await sendText(other, 'free', '4');
    await bed.control.tick();
    await bed.clock.advance(5_050);
    await sendText(channel, 'three', '3');
    expect(await bed.control.botTexts(channel)).toEqual(['one', 'two', 'three']);
    expect((await bed.control.calls('^POST')).every(({ status }) => status === 200)).toBe(true);
  });
});

describe('where a message cannot go', () => {
  test.each([
    { standing: 'unseen', hint: 'View Channel' },
    { standing: 'read-only', hint: 'Send Messages' },
  ] as const)('as the channel is $standing, it says what to do', async ({ standing, hint }) => {
    await bed.control.setChannel({ id: general, standing });
    const error = await sendText(general, 'hi').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unreachable-chat', outcome: 'none' });
    expect(String(error)).toContain(hint);
  });

  test('as there is nothing by that id, it says so', async () => {
    await expect(sendText('123456789012345678', 'hi')).rejects.toMatchObject({ code: 'unreachable-chat' });
  });

  test('as a proxy answers in its place, it is tried again', async () => {
    await bed.control.fault({
      call: '^POST /channels',
      action: { kind: 'answer', status: 403, body: '<html>blocked</html>' },
    });
    await expect(sendText(channel, 'hi')).rejects.toMatchObject({ code: 'unavailable', outcome: 'none' });
  });
});

test('a person is written to by their id', async () => {
  await sendText(otherPerson, 'hello Ben');
  expect(await bed.control.botTexts(await bed.control.directChannel(otherPerson))).toEqual(['hello Ben']);
});

test('a message to a forum makes a post that is named by its first line', async () => {
  const running = bed.run();
  await running.waitForStatus(({ state }) => state === 'connected');
  await sendText(forum, 'A plan\n\nwith details');
  const [post] = (await bed.control.channels()).filter(({ parent_id }) => parent_id === forum);
  expect(post).toMatchObject({ name: 'A plan', type: 11 });
  expect(await bed.control.botTexts(post?.id ?? '')).toEqual(['A plan\n\nwith details']);
  await running.stop();
});

test('an edit of a message that is gone says so', async () => {
  const { messages } = await sendText(channel, 'short-lived');
  const [message] = messages;
  if (message === undefined || bed.adapter.editing === undefined) throw new Error('nothing to edit');
  const [encoded] = bed.adapter.encode([{ type: 'text', text: 'other' }], bed.routeTo(channel));
  if (encoded === undefined) throw new Error('nothing to send');
  await bed.control.fault({
    call: '^PATCH',
    action: { kind: 'answer', status: 404, body: { message: 'Unknown Message', code: 10_008 } },
  });
  await expect(
    bed.adapter.editing.edit({ route: bed.routeTo(channel), message, encoded }, anySignal()),
  ).rejects.toMatchObject({ code: 'message-gone' });
});

describe('files', () => {
  const aFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-discord-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };
  const sendFiles = async (
    paths: readonly { readonly path: string; readonly sizeBytes: number }[],
    text: string,
  ) => {
    const route = bed.routeTo(channel);
    const media = paths.map(({ path, sizeBytes }) => ({
      type: 'media' as const,
      kind: 'file' as const,
      file: { path, fileName: path.split('/').at(-1) ?? '', mimeType: 'text/plain', sizeBytes },
    }));
    const messages = bed.adapter.encode([{ type: 'text', text }, ...media], route);
    for (const [index, encoded] of messages.entries())
      await bed.adapter.send({ route, encoded, idempotencyKey: `files/${index}` }, anySignal());
  };

  test('go ten a message, with their text at the first', async () => {
    const folder = await aFolder();
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const path = join(folder, `f${index}.txt`);
        await writeFile(path, `content ${index}`);
        return { path, sizeBytes: 9 };
      }),
    );
    await sendFiles(files, 'twelve files');
    const sent = (await bed.control.messages(channel)).filter(({ byBot }) => byBot);
    expect(sent.map(({ content, attachments }) => [content, attachments.length])).toEqual([
      ['twelve files', 10],
      ['', 2],
    ]);
    const [first] = sent[0]?.attachments ?? [];
    expect(Buffer.from(first?.contentBase64 ?? '', 'base64').toString()).toBe('content 0');
  });

  test('that vanished are named in their place', async () => {
    const folder = await aFolder();
    await sendFiles([{ path: join(folder, 'gone.txt'), sizeBytes: 3 }], 'here it is');
    const [text] = await bed.control.botTexts(channel);
    expect(text).toContain('here it is');
    expect(text).toContain('could not send “gone.txt”');
  });
});
