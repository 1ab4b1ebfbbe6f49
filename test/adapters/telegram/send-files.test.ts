import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlatformError } from '../../../src/core/errors.js';
import { toMessageId } from '../../../src/core/ids.js';
import type { MediaKind, OutboundMediaPart, OutboundPart } from '../../../src/core/parts.js';
import type { Route } from '../../../src/core/route.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import {
  anySignal,
  createBed,
  createPorts,
  createTelegramAdapter,
  freshToken,
  type TelegramBed,
  WatchedClock,
} from './harness.js';

const person = 1001;
const forum = -1009000777;
const world = { chats: [{ id: person }, { id: forum, topics: [{ id: 314 }] }] };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const written = async (
  kind: MediaKind,
  mimeType: string,
  fileName: string,
  bytes: Uint8Array = randomBytes(2_000),
): Promise<OutboundMediaPart> => {
  const path = join(folder, `${Math.random().toString(36).slice(2)}-${fileName.replaceAll('"', '')}`);
  await writeFile(path, bytes);
  return { type: 'media', kind, file: { path, fileName, mimeType, sizeBytes: bytes.length } };
};
const photo = (name = 'p.png') => written('image', 'image/png', name);
const text = (words: string): OutboundPart => ({ type: 'text', text: words });

/** Sends everything the parts become; gives the ids of all messages. */
const sendAll = async (
  { adapter }: TelegramBed,
  route: Route,
  parts: readonly OutboundPart[],
  replyTo?: number,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const encoded of adapter.encode(parts, route)) {
    const reply = replyTo === undefined ? {} : { replyTo: toMessageId(String(replyTo)) };
    ids.push(
      ...(await adapter.send({ route, encoded, idempotencyKey: 'k', ...reply }, anySignal())).messages,
    );
  }
  return ids;
};

/** What stands in the chat: `media|text` of each message. */
const shown = async ({ control }: TelegramBed, chat = person): Promise<readonly string[]> =>
  (await control.messages(chat)).map((message) => `${message.media ?? ''}|${message.text}`);

const methods = async ({ control }: TelegramBed): Promise<readonly string[]> =>
  (await control.calls()).map(({ method }) => method);

describe('files', () => {
  test('arrive with their bytes, names and captions', async () => {
    const bed = await createBed(world);
    const bytes = randomBytes(200_000);
    const name = 'my "chart"; v2 – 図.pdf';
    const file = await written('file', 'application/pdf', name, bytes);
    const ids = await sendAll(bed, bed.routeTo(person), [text('**The** report'), file]);
    expect(ids).toHaveLength(1);
    const [call] = await bed.control.calls('sendDocument');
    const uploads = Object.values(call?.params ?? {}).filter(
      (value) => typeof value === 'object' && value !== null && 'sizeBytes' in value,
    );
    expect(uploads).toEqual([expect.objectContaining({ fileName: name, sizeBytes: bytes.length })]);
    const [message] = await bed.control.messages(person);
    expect(message).toMatchObject({ media: 'document', text: 'The report', entities: [{ type: 'bold' }] });
  });

  test('TG-07 TG-12 a long text follows its picture into the same topic, and a caption that fits is one', async () => {
    const bed = await createBed(world);
    const route = bed.routeTo(forum, 314);
    await sendAll(bed, route, [await photo(), text('y'.repeat(1500))]);
    await sendAll(bed, route, [await photo(), text(`**${'x'.repeat(1022)}**`)]);
    const messages = await bed.control.messages(forum);
    expect(messages.map(({ threadId }) => threadId)).toEqual([314, 314, 314]);
    expect(await shown(bed, forum)).toEqual(['photo|', `|${'y'.repeat(1500)}`, `photo|${'x'.repeat(1022)}`]);
    expect(messages[2]?.entities).toEqual([{ type: 'bold', offset: 0, length: 1022 }]);
    expect(await methods(bed)).toEqual(['sendPhoto', 'sendMessage', 'sendPhoto']);
    expect(await bed.control.warnings()).toEqual([]);
  });

  test('of one sort arrive as an album, whose receipt names every message', async () => {
    const bed = await createBed(world);
    const parts = [text('three'), await photo(), await photo(), await written('video', 'video/mp4', 'v.mp4')];
    const { messageId = 0 } = await bed.control.sendDirect(person, 'send me pictures');
    const ids = await sendAll(bed, bed.routeTo(person), parts, messageId);
    const messages = (await bed.control.messages(person)).filter(({ from }) => from === 'bot');
    expect(ids).toEqual(messages.map((message) => String(message.messageId)));
    expect(messages.map(({ media }) => media)).toEqual(['photo', 'photo', 'video']);
    expect(messages.map((message) => message.text)).toEqual(['three', '', '']);
    expect(messages[0]?.replyTo).toBe(messageId);
    expect(await methods(bed)).toEqual(['sendMediaGroup']);
  });

  test.each<[MediaKind, string, string, string]>([
    ['voice', 'audio/ogg', 'v.ogg', 'voice'],
    ['audio', 'audio/mpeg', 's.mp3', 'audio'],
    ['image', 'image/gif', 'g.gif', 'animation'],
    ['video', 'video/mp4', 'v.mp4', 'video'],
  ])('%s of type %s is shown as such', async (kind, mimeType, name, media) => {
    const bed = await createBed(world);
    await sendAll(bed, bed.routeTo(person), [await written(kind, mimeType, name), text('hear')]);
    expect(await shown(bed)).toEqual([`${media}|hear`]);
  });

  test('are marked as a possible duplicate in their caption', async () => {
    const bed = await createBed(world);
    const route = bed.routeTo(person);
    const note = '(possible duplicate)';
    for (const words of ['short', 'z'.repeat(1020), '']) {
      const [encoded] = bed.adapter.encode([await photo(), text(words)], route);
      for (const next of encoded === undefined ? [] : bed.adapter.annotate(encoded, note)) {
        await bed.adapter.send({ route, encoded: next, idempotencyKey: 'k' }, anySignal());
      }
    }
    expect(await shown(bed)).toEqual([
      `photo|${note}\nshort`,
      `photo|${note}`,
      `|${'z'.repeat(1020)}`,
      `photo|${note}`,
    ]);
  });
});

describe('what is refused in one form', () => {
  const refusal = (description: string, code = 400) => ({ kind: 'error', code, description }) as const;

  test('ME-09 a picture whose form Telegram does not take goes as a file', async () => {
    const bed = await createBed(world);
    await bed.control.fault({ method: 'sendPhoto' }, refusal('Bad Request: PHOTO_INVALID_DIMENSIONS'));
    await sendAll(bed, bed.routeTo(person), [text('wide'), await photo()]);
    expect(await shown(bed)).toEqual(['document|wide']);
  });

  test('ME-09 a picture over ten megabytes goes as a file at once', async () => {
    const bed = await createBed(world);
    const large = await written('image', 'image/jpeg', 'photo.jpg', Buffer.alloc(12 * 1024 * 1024, 1));
    await sendAll(bed, bed.routeTo(person), [text('large'), large]);
    expect(await shown(bed)).toEqual(['document|large']);
    expect(await methods(bed)).toEqual(['sendDocument']);
  });

  test('a voice message to somebody who takes none goes as a sound file', async () => {
    const bed = await createBed(world);
    const description = 'Bad Request: VOICE_MESSAGES_FORBIDDEN';
    await bed.control.fault({ method: 'sendVoice' }, refusal(description));
    await sendAll(bed, bed.routeTo(person), [await written('voice', 'audio/ogg', 'v.ogg'), text('listen')]);
    expect(await shown(bed)).toEqual(['audio|listen']);
  });

  test('ME-09 a file that is too large is named in a notice beside its text, and not tried again', async () => {
    const bed = await createBed(world);
    await bed.control.fault({ method: 'sendVideo' }, refusal('Request Entity Too Large', 413));
    const video = await written('video', 'video/mp4', 'video.mp4');
    const ids = await sendAll(bed, bed.routeTo(person), [text('Here **it** is:'), video]);
    expect(ids).toHaveLength(1);
    const [message] = await bed.control.messages(person);
    expect(message?.text).toMatch(/^Here it is:\n\n⚠️ I could not send “video\.mp4” \(2 KB\): .*50 MB/u);
    expect(message?.entities).toMatchObject([{ type: 'bold', offset: 5, length: 2 }]);
    expect(await methods(bed)).toEqual(['sendVideo', 'sendMessage']);
  });

  test('ME-09 a proxy that takes no large files is believed too', async () => {
    const bed = await createBed(world);
    await bed.control.fault({ method: 'sendDocument' }, { kind: 'html', status: 413 });
    await sendAll(bed, bed.routeTo(person), [text('Here:'), await written('file', 'text/plain', 'a.txt')]);
    expect(await shown(bed)).toEqual([expect.stringMatching(/^\|Here:\n\n⚠️ I could not send “a\.txt”/u)]);
  });

  test('ME-09 an empty file, and one that is gone, are reported and not sent', async () => {
    const bed = await createBed(world);
    const empty = await written('file', 'text/plain', 'empty.txt', new Uint8Array());
    const gone = await written('file', 'text/plain', 'gone.txt');
    await rm(gone.file.path);
    const parts = [text('Here:'), empty, gone, await written('file', 'text/plain', 'here.txt')];
    await sendAll(bed, bed.routeTo(person), parts);
    expect(await shown(bed)).toEqual([
      'document|Here:',
      '|⚠️ I could not send “empty.txt”: the file is empty.\n⚠️ I could not send “gone.txt”: the file is no longer there.',
    ]);
    await bed.control.clearCalls();
    await sendAll(bed, bed.routeTo(person), [text('Only:'), empty]);
    expect((await shown(bed)).at(-1)).toBe('|Only:\n\n⚠️ I could not send “empty.txt”: the file is empty.');
  });

  test('an album goes piece by piece, so that one bad file costs nothing but itself', async () => {
    const bed = await createBed(world);
    await bed.control.fault({ method: 'sendMediaGroup' }, refusal('Bad Request: IMAGE_PROCESS_FAILED'));
    await bed.control.fault({ method: 'sendPhoto', nth: 2 }, refusal('Bad Request: IMAGE_PROCESS_FAILED'));
    const ids = await sendAll(bed, bed.routeTo(person), [text('two'), await photo(), await photo()]);
    expect(await shown(bed)).toEqual(['photo|two', 'document|']);
    expect(ids).toHaveLength(2);
  });

  test('a caption whose formatting is refused loses the formatting only', async () => {
    const bed = await createBed(world);
    const match = { method: 'sendPhoto', formatted: true };
    await bed.control.fault(match, refusal("Bad Request: can't parse entities"));
    const words = `[guide](https://example.com/g) ${'w'.repeat(1010)}`;
    await sendAll(bed, bed.routeTo(person), [text(words), await photo()]);
    const all = (await shown(bed)).map((line) => line.split('|')[1]).join(' ');
    expect(all).toContain('guide (https://example.com/g)');
    expect(all.replaceAll(/[^w]/g, '')).toHaveLength(1010);
    expect((await shown(bed))[0]).toMatch(/^photo\|/u);
  });
});

describe('failures of another kind', () => {
  const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('keep the file waiting: nothing is sent in another form for a flood or a lost chat', async () => {
    const bed = await createBed(world);
    await bed.control.flood({ method: 'sendPhoto' }, 3);
    const parts = [text('later'), await photo()];
    expect(await failureOf(sendAll(bed, bed.routeTo(person), parts))).toMatchObject({ code: 'rate-limited' });
    await bed.control.setChat({ id: person, standing: 'blocked' });
    expect(await failureOf(sendAll(bed, bed.routeTo(person), parts))).toMatchObject({
      code: 'unreachable-chat',
    });
    expect(await methods(bed)).toEqual(['sendPhoto', 'sendPhoto']);
  });

  test('an upload cut off before its end has certainly not been carried out', async () => {
    const server = createServer((request) => request.once('data', () => request.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has an address.
    const { port } = server.address() as AddressInfo;
    const section = { token: freshToken(), api_root: `http://127.0.0.1:${port}` };
    const adapter = await createTelegramAdapter(section, createPorts(new WatchedClock(), new MemoryLogger()));
    const bed = await createBed(world);
    const route = bed.routeTo(person);
    const large = await written('file', 'text/plain', 'l.txt', Buffer.alloc(8 * 1024 * 1024, 1));
    const [encoded] = adapter.encode([large], route);
    if (encoded === undefined) throw new Error('the file gives no message');
    const error = await failureOf(adapter.send({ route, encoded, idempotencyKey: 'k' }, anySignal()));
    server.close();
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'none' });
  });

  test('an upload that lost its answer may have arrived', async () => {
    const bed = await createBed(world);
    await bed.control.fault({ method: 'sendPhoto' }, { kind: 'drop', applied: true });
    const error = await failureOf(sendAll(bed, bed.routeTo(person), [await photo()]));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  });

  test('a preview gives way to a file, which then is to be sent anew', async () => {
    const bed = await createBed(world);
    const route = bed.routeTo(person);
    const [first] = await sendAll(bed, route, [text('Here it')]);
    const [encoded] = bed.adapter.encode([text('Here it is'), await photo()], route);
    if (encoded === undefined || first === undefined) throw new Error('nothing was sent');
    const edit = bed.adapter.editing?.edit({ route, encoded, message: toMessageId(first) }, anySignal());
    expect(await failureOf(edit ?? Promise.resolve())).toMatchObject({
      code: 'message-gone',
      outcome: 'none',
    });
    expect(await shown(bed)).toEqual([]);
  });
});
