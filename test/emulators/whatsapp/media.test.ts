import { Agent } from 'node:https';
import { connect as connectSocket, type NetConnectOpts } from 'node:net';
import { downloadMediaMessage, normalizeMessageContent, type WAMessage } from '@whiskeysockets/baileys';
import { describe, expect, test } from 'vitest';
import { ANN, type Rig, useEmulator } from './harness.js';

const world = useEmulator();
const BYTES = Buffer.from('not really a picture, but the same bytes everywhere');
const contentBase64 = BYTES.toString('base64');

async function download(message: WAMessage): Promise<Buffer> {
  const bytes = await downloadMediaMessage(message, 'buffer', {});
  return Buffer.from(bytes);
}

async function withUploads(rig: Rig) {
  return rig.connect(undefined, { fetchAgent: new Agent({ ca: rig.emulator.mediaCertificate }) });
}

describe('media from a phone', () => {
  test.each([
    [{ kind: 'image', caption: 'what is this?' }, 'imageMessage'],
    [{ kind: 'voice', seconds: 2 }, 'audioMessage'],
    [{ kind: 'document', name: 'a.pdf', mimetype: 'application/pdf' }, 'documentMessage'],
    [{ kind: 'sticker' }, 'stickerMessage'],
    [{ kind: 'video' }, 'videoMessage'],
  ] as const)('%o can be downloaded and decrypted', async (content, field) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends({ ...content, contentBase64 });
    const { message } = await bot.untilMessage(messageId);
    expect(normalizeMessageContent(message.message)?.[field]?.mimetype).toBeTruthy();
    expect(await download(message)).toEqual(BYTES);
  });

  test.each([404, 410, 500])('a download is answered with %i on demand', async (status) => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends({ kind: 'image', contentBase64, status });
    const { message } = await bot.untilMessage(messageId);
    await expect(download(message)).rejects.toMatchObject({ output: { statusCode: status } });
  });

  test('a download is held back, and cut', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends({ kind: 'image', contentBase64 });
    const { message } = await bot.untilMessage(messageId);
    await control.fault({ call: '^GET', action: { kind: 'hold', applied: true } });
    const held = download(message);
    await control.wait({ kind: 'held', count: 1 });
    await control.release();
    expect(await held).toEqual(BYTES);
    await control.fault({ call: '^GET', action: { kind: 'cut', applied: false } });
    await expect(download(message)).rejects.toThrow();
  });

  test('an expired file is uploaded anew by a phone that has it still, and not by another', async () => {
    const { connect, control, emulator } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    const kept = await ann.sends({ kind: 'image', contentBase64, status: 410, kept: true });
    const gone = await ann.sends({ kind: 'image', contentBase64, status: 410 });
    await bot.socket.refreshMediaConn();
    const renewed = await bot.socket.updateMediaMessage((await bot.untilMessage(kept.messageId)).message);
    const { url } = renewed.message?.imageMessage ?? {};
    expect(url).toContain('https://127.0.0.1');
    // Node's fetch takes no further root in a running process; the port speaks http as well.
    const plain = {
      ...renewed,
      message: {
        imageMessage: {
          ...renewed.message?.imageMessage,
          url: url!.replace('https', 'http'),
          directPath: null,
        },
      },
    };
    expect(await download(plain)).toEqual(BYTES);
    await expect(
      bot.socket.updateMediaMessage((await bot.untilMessage(gone.messageId)).message),
    ).rejects.toThrow('Failed to re-upload');
    expect(emulator.mediaCertificate).toContain('BEGIN CERTIFICATE');
  });

  test('a size that is claimed and bytes that are spoiled come as they are said', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const { messageId } = await control.phone(ANN).sends({
      kind: 'document',
      name: 'huge.iso',
      contentBase64,
      declaredBytes: 3_000_000_000,
      spoiled: true,
    });
    const { message } = await bot.untilMessage(messageId);
    expect(Number(message.message?.documentMessage?.fileLength)).toBe(3_000_000_000);
    await expect(download(message)).rejects.toThrow();
  });

  test('places, contacts and wrapped files', async () => {
    const { connect, control } = await world();
    const bot = await connect();
    await bot.untilOpen();
    const ann = control.phone(ANN);
    const place = await ann.sends({ kind: 'location', latitude: 52.5, longitude: 13.4, name: 'Berlin' });
    const contact = await ann.sends({ kind: 'contact', name: 'Cy', vcard: 'BEGIN:VCARD\nFN:Cy\nEND:VCARD' });
    const file = await ann.sends(
      { kind: 'document', name: 'a.pdf', caption: 'sum up', contentBase64 },
      { wrap: ['ephemeral', 'document-with-caption'] },
    );
    expect((await bot.untilMessage(place.messageId)).message.message?.locationMessage).toMatchObject({
      degreesLatitude: 52.5,
      name: 'Berlin',
    });
    expect((await bot.untilMessage(contact.messageId)).message.message?.contactMessage?.displayName).toBe(
      'Cy',
    );
    const wrapped = (await bot.untilMessage(file.messageId)).message;
    expect(normalizeMessageContent(wrapped.message)?.documentMessage).toMatchObject({ caption: 'sum up' });
    expect(await download(wrapped)).toEqual(BYTES);
  });
});

describe('media of the bot', () => {
  test('a document and a voice note are decrypted by the phone', async () => {
    const rig = await world();
    const bot = await withUploads(rig);
    await bot.untilOpen();
    const jid = `${ANN}@s.whatsapp.net`;
    await bot.socket.sendMessage(jid, {
      document: BYTES,
      mimetype: 'application/pdf',
      fileName: 'a.pdf',
      caption: 'here',
    });
    await bot.socket.sendMessage(jid, {
      audio: BYTES,
      ptt: true,
      mimetype: 'audio/ogg; codecs=opus',
      seconds: 3,
    });
    const [file, voice] = await rig.control.waitForSent(({ length }) => length === 2);
    expect(file).toMatchObject({
      kind: 'document',
      text: 'here',
      media: { name: 'a.pdf', mimetype: 'application/pdf', bytes: BYTES.length, contentBase64 },
    });
    expect(voice).toMatchObject({
      kind: 'voice',
      media: { mimetype: 'audio/ogg; codecs=opus', seconds: 3, contentBase64 },
    });
  });

  test('an upload needs no TLS when the client goes past it', async () => {
    const { connect, control } = await world();
    class PlainAgent extends Agent {
      // Node's own agent makes a TLS socket here; the emulator's port takes both.
      override createConnection(options: NetConnectOpts) {
        return connectSocket(options);
      }
    }
    const bot = await connect(undefined, { fetchAgent: new PlainAgent() });
    await bot.untilOpen();
    await bot.socket.sendMessage(`${ANN}@s.whatsapp.net`, {
      document: BYTES,
      mimetype: 'text/plain',
      fileName: 'a.txt',
    });
    const [file] = await control.waitForSent(({ length }) => length === 1);
    expect(file?.media?.contentBase64).toBe(contentBase64);
  });

  test('what is too large, and what is refused on demand, fails at the upload', async () => {
    const rig = await world({ maxUploadBytes: 32 });
    const bot = await withUploads(rig);
    await bot.untilOpen();
    const jid = `${ANN}@s.whatsapp.net`;
    const document = { mimetype: 'text/plain', fileName: 'a.txt' };
    await expect(bot.socket.sendMessage(jid, { ...document, document: BYTES })).rejects.toThrow(
      'upload failed',
    );
    await rig.control.fault({ call: '^POST /mms/document', action: { kind: 'answer', code: 500 } });
    await expect(
      bot.socket.sendMessage(jid, { ...document, document: Buffer.from('small') }),
    ).rejects.toThrow('upload failed');
    expect(await rig.control.sent()).toEqual([]);
  });
});
