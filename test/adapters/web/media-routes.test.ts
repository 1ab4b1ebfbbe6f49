import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encode } from '../../../src/adapters/web/encode.js';
import { toRouteOf } from './routes.js';
import { type Page, startPage } from './support.js';

const start = async (options?: Parameters<typeof startPage>[0]): Promise<Page> => {
  const page = await startPage(options);
  onTestFinished(() => page.stop());
  return page;
};

const file = (name: string, type: string, content: string) => ({
  name,
  type,
  data: Buffer.from(content).toString('base64'),
});

const messages = '/api/sessions/main/messages';

describe('files with a message', () => {
  test('are kept, given to the gateway and shown with the message', async () => {
    const page = await start();
    const files = [file('a photo.png', 'image/png', 'pixels'), file('notes.txt', 'text/plain', 'words')];
    expect((await page.post(messages, { text: 'look', files })).status).toBe(202);
    const [event] = page.inbox.events;
    expect(event).toMatchObject({
      parts: [
        { type: 'text', text: 'look' },
        { type: 'media', kind: 'image', kept: { fileName: 'a photo.png', sizeBytes: 6 } },
        { type: 'media', kind: 'file', kept: { fileName: 'notes.txt' } },
      ],
    });
    const { media } = (await page.get(messages)).body.messages[0];
    expect(media).toMatchObject([
      { name: 'a photo.png', type: 'image/png' },
      { name: 'notes.txt', type: 'text/plain' },
    ]);
    const picture = await fetch(new URL(media[0].url, page.url));
    expect(await picture.text()).toBe('pixels');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('content-disposition')).toContain('inline');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    const notes = await fetch(new URL(media[1].url, page.url));
    expect(notes.headers.get('content-disposition')).toContain(`attachment; filename="notes.txt"`);
    expect(notes.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('need no text', async () => {
    const page = await start();
    expect((await page.post(messages, { files: [file('a.txt', '', 'a')] })).status).toBe(202);
    expect(page.inbox.events[0]).toMatchObject({ parts: [{ type: 'media', kind: 'file' }] });
  });

  test.each([
    ['more than ten', Array.from({ length: 11 }, () => file('a', 'text/plain', 'a'))],
    ['data that is not base64', [{ name: 'a', type: 'text/plain', data: '!' }]],
    ['an empty file', [file('a', 'text/plain', '')]],
    ['a file without a name', [{ type: 'text/plain', data: 'YQ==' }]],
  ])('refuses %s', async (_name, files) => {
    const page = await start();
    const { status, body } = await page.post(messages, { text: 'a', files });
    expect([status, body.error.code]).toEqual([400, 'invalid-request']);
    expect(page.inbox.events).toEqual([]);
  });

  test('are refused as a whole when they are too large', async () => {
    const page = await start({ section: { max_body_bytes: 2_000 } });
    const { status } = await page.post(messages, { text: 'a', files: [file('a', '', 'x'.repeat(3_000))] });
    expect(status).toBe(413);
  });

  test('are served to no guesser', async () => {
    const page = await start();
    expect((await page.get('/api/media/unknown')).status).toBe(404);
    expect((await page.get('/api/media/..%2Fconfig.yaml')).status).toBe(404);
  });
});

describe('files of an answer', () => {
  test('stand beside its text and outlive the copy that was sent', async () => {
    const page = await start();
    const folder = await mkdtemp(join(tmpdir(), 'hermes-page-'));
    const path = join(folder, 'spooled');
    await writeFile(path, 'sound');
    const stored = { path, fileName: 'say.mp3', mimeType: 'audio/mpeg', sizeBytes: 5 };
    const [encoded, ...others] = encode([
      { type: 'text', text: 'Listen' },
      { type: 'media', kind: 'audio', file: stored },
    ]);
    expect(others).toEqual([]);
    expect(encoded?.files).toEqual([path]);
    if (encoded === undefined) return;
    const request = { route: toRouteOf('main'), encoded, idempotencyKey: 'k' };
    await page.face.adapter.send(request, { signal: new AbortController().signal });
    await rm(folder, { recursive: true });
    const [message] = (await page.get(messages)).body.messages;
    expect(message).toMatchObject({ text: 'Listen', media: [{ name: 'say.mp3', type: 'audio/mpeg' }] });
    expect(await (await fetch(new URL(message.media[0].url, page.url))).text()).toBe('sound');
  });
});
