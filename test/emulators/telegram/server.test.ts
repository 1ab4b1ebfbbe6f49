import { Api, InputFile } from 'grammy';
import { describe, expect, test } from 'vitest';
import { refusalOf, useEmulator } from './harness.js';
import { startTelegramEmulator } from './server.js';

const stage = useEmulator();

interface Answer {
  readonly ok: boolean;
  readonly error_code?: number;
  readonly description?: string;
  readonly result?: { readonly text?: string; readonly entities?: unknown; readonly id?: number };
}

async function post(url: string, init: RequestInit = {}): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(url, { method: 'POST', ...init });
  // The Bot API answers every call in this form.
  return { status: response.status, answer: (await response.json()) as Answer };
}

describe('tokens and methods', () => {
  test('getMe gives the bot of the token', async () => {
    const { api, token } = await stage({ bot: { username: 'my_bot', first_name: 'Mine' } });
    const me = await api.getMe();
    expect(me).toMatchObject({
      id: Number.parseInt(token, 10),
      is_bot: true,
      username: 'my_bot',
      first_name: 'Mine',
    });
    expect(me.can_read_all_group_messages).toBe(true);
  });

  test('an unknown token is unauthorised', async () => {
    const { url } = await stage();
    const refusal = await refusalOf(new Api('1:unknown-token-0123456789', { apiRoot: url }).getMe());
    expect(refusal.error_code).toBe(401);
    expect(refusal.description).toBe('Unauthorized');
  });

  test('where any token goes, a well-formed one is known by its first use and an odd one is not', async () => {
    const emulator = await startTelegramEmulator({ anyToken: true });
    try {
      const me = await new Api('77:abcdefghijklmnopqrstuvwxyz', { apiRoot: emulator.url }).getMe();
      expect(me.id).toBe(77);
      const refusal = await refusalOf(new Api('77:short', { apiRoot: emulator.url }).getMe());
      expect(refusal.error_code).toBe(401);
    } finally {
      await emulator.close();
    }
  });

  test('an unknown method answers 404 and is logged', async () => {
    const { url, token, control } = await stage();
    const { status, answer } = await post(`${url}/bot${token}/sendTelepathy`);
    expect(status).toBe(404);
    expect(answer).toEqual({ ok: false, error_code: 404, description: 'Not Found' });
    expect((await control.calls('sendTelepathy')).length).toBe(1);
  });

  test('a method is known in any letter case and logged in the usual one', async () => {
    const { url, token, control } = await stage();
    expect((await post(`${url}/bot${token}/GETME`)).answer.ok).toBe(true);
    expect((await control.calls('getMe')).length).toBe(1);
  });

  test('two tokens do not see each other', async () => {
    const one = await stage({ chats: [{ id: 5 }] });
    const other = await stage({ chats: [{ id: 5 }] });
    await one.api.sendMessage(5, 'mine');
    expect(await one.control.botTexts(5)).toEqual(['mine']);
    expect(await other.control.botTexts(5)).toEqual([]);
    expect(await other.control.calls()).toEqual([]);
  });
});

describe('parameters', () => {
  const entities = [{ type: 'bold', offset: 0, length: 2 }];
  const form = { chat_id: '5', text: 'hi there', entities: JSON.stringify(entities) };

  async function expectTaken(send: (url: string) => ReturnType<typeof post>): Promise<void> {
    const { url, token, control } = await stage({ chats: [{ id: 5 }] });
    const { answer } = await send(`${url}/bot${token}/sendMessage`);
    expect(answer.result).toMatchObject({ text: 'hi there', entities });
    const [call] = await control.calls('sendMessage');
    expect(call?.params).toEqual({ chat_id: 5, text: 'hi there', entities });
  }

  test('come as JSON, numbers as numbers or as text', async () => {
    const headers = { 'content-type': 'application/json' };
    await expectTaken((url) => post(url, { headers, body: JSON.stringify({ ...form, entities }) }));
  });

  test('come as a form', () => expectTaken((url) => post(url, { body: new URLSearchParams(form) })));

  test('come in the query string', () => expectTaken((url) => post(`${url}?${new URLSearchParams(form)}`)));

  test('come as multipart fields', () =>
    expectTaken((url) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      return post(url, { body });
    }));

  test('broken JSON and bytes that are no UTF-8 are refused and logged', async () => {
    const { url, token, control } = await stage();
    const headers = { 'content-type': 'application/json' };
    const broken = await post(`${url}/bot${token}/sendMessage`, { headers, body: '{"chat_id":' });
    expect(broken.answer.error_code).toBe(400);
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const wrong = await post(`${url}/bot${token}/sendMessage`, { headers, body: bytes });
    expect(wrong.answer.description).toBe('Bad Request: strings must be encoded in UTF-8');
    expect((await control.calls('sendMessage')).map((call) => call.status)).toEqual([400, 400]);
  });
});

describe('files', () => {
  test('an uploaded file comes back byte for byte by its path', async () => {
    const { api, url, token, control } = await stage({ chats: [{ id: 5 }] });
    const bytes = new Uint8Array([0, 13, 10, 45, 45, 255, 1]);
    const message = await api.sendDocument(5, new InputFile(bytes, 'a.bin'), {
      caption: '<b>x</b>',
      parse_mode: 'HTML',
    });
    expect(message.caption_entities).toEqual([{ type: 'bold', offset: 0, length: 1 }]);
    expect(message.document).toMatchObject({ file_name: 'a.bin', file_size: bytes.length });
    const file = await api.getFile(message.document.file_id);
    const response = await fetch(`${url}/file/bot${token}/${file.file_path}`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect((await control.messages(5))[0]).toMatchObject({ media: 'document', text: 'x' });
  });

  test('a file over 20 MB cannot be fetched', async () => {
    const { api, control } = await stage();
    const { fileId } = await control.addFile({ sizeBytes: 187_000_000, fileName: 'clip.mp4' });
    expect((await refusalOf(api.getFile(fileId))).description).toBe('Bad Request: file is too big');
    expect((await refusalOf(api.getFile('nothing'))).error_code).toBe(400);
  });

  test('a caption over 1024 units is refused', async () => {
    const { api } = await stage({ chats: [{ id: 5 }] });
    const photo = (): InputFile => new InputFile(new Uint8Array([1]), 'p.png');
    await api.sendPhoto(5, photo(), { caption: 'x'.repeat(1024) });
    const refusal = await refusalOf(api.sendPhoto(5, photo(), { caption: 'x'.repeat(1025) }));
    expect(refusal.description).toBe('Bad Request: message caption is too long');
  });

  test('an album becomes messages of one group', async () => {
    const { api } = await stage({ chats: [{ id: 5 }] });
    const item = (name: string) => ({
      type: 'photo' as const,
      media: new InputFile(new Uint8Array([1]), name),
    });
    const messages = await api.sendMediaGroup(5, [item('a.png'), item('b.png')]);
    expect(new Set(messages.map((message) => Reflect.get(message, 'media_group_id'))).size).toBe(1);
    expect((await refusalOf(api.sendMediaGroup(5, [item('a.png')]))).error_code).toBe(400);
  });
});
