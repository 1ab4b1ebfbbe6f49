import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import type { SendOptions } from '../emulators/telegram/control.js';
import { png } from './media-world.js';
import { createWorld, user, type World } from './world.js';

/** A photo of our own making, and the fields of a message that carries it. */
const photo = async ({ telegram }: World, fields: Record<string, unknown> = {}): Promise<SendOptions> => {
  const { fileId } = await telegram.addFile({ bytes: png, fileName: 'p.png', mimeType: 'image/png' });
  const sizes = [
    { file_id: fileId, file_unique_id: `u${fileId}`, width: 10, height: 10, file_size: png.length },
  ];
  return { fields: { photo: sizes, ...fields } };
};

const sendFields = (world: World, options: SendOptions) =>
  world.telegram.pushUpdate({ kind: 'message', userId: user, ...options });

const document = (fileId: string, name: string, sizeBytes: number) => ({
  document: { file_id: fileId, file_unique_id: `u${fileId}`, file_name: name, file_size: sizeBytes },
});

const textOfLast = async ({ model }: World): Promise<string> =>
  (await model.requests()).at(-1)?.lastUserText ?? '';

test('SE-04 an album is one turn with its pictures and captions in order, however slow they are', async () => {
  const world = await createWorld();
  const { telegram, model, clock, passing } = world;
  const slow = await telegram.fault({ method: 'getFile', nth: 2 }, { kind: 'delay', applied: true });
  for (const caption of ['before', undefined, 'after']) {
    const options = await photo(world, {
      media_group_id: 'album',
      ...(caption !== undefined && { caption }),
    });
    const { updateId } = await sendFields(world, options);
    await telegram.waitForConfirmed(updateId);
    await clock.advance(100);
  }
  await passing(slow.waitUntilHeld());
  await clock.advance(4_000);
  await telegram.sendDirect(1002, 'elsewhere');
  await passing(telegram.waitForMessage(1002, 'elsewhere'));
  expect(await model.requests({ userText: 'before' })).toEqual([]);
  await slow.release();
  await passing(model.waitFor({ userText: 'before', idle: true }));
  const requests = await model.requests({ userText: 'before' });
  expect(requests).toHaveLength(1);
  const told = requests[0]?.lastUserText ?? '';
  const notes = [...told.matchAll(/\[image saved at (\S+): \S+, 1 KB\]/gu)];
  expect(notes).toHaveLength(3);
  expect(told.indexOf('before')).toBeLessThan(notes[0]?.index ?? 0);
  expect(told.indexOf('after')).toBeGreaterThan(notes[1]?.index ?? 0);
  expect(told.indexOf('after')).toBeLessThan(notes[2]?.index ?? 0);
  for (const [, path = ''] of notes) expect(readFileSync(path)).toEqual(png);
});

test('SE-04 three files within half a second are one turn', async () => {
  const world = await createWorld();
  const { telegram, model, clock, passing } = world;
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) {
    const { fileId } = await telegram.addFile({ bytes: Buffer.from('%PDF-1.7'), fileName: name });
    const { updateId } = await sendFields(world, { fields: document(fileId, name, 8) });
    await telegram.waitForConfirmed(updateId);
    await clock.advance(150);
  }
  await passing(model.waitFor({ requests: 1, idle: true }));
  expect(await model.requests()).toHaveLength(1);
  expect((await textOfLast(world)).match(/file saved at \S+\.pdf: [abc]\.pdf/gu)).toHaveLength(3);
});

test('SE-05 the pieces of a long text are one question, and short ones do not wait', async () => {
  const world = await createWorld();
  const { telegram, model, clock, passing } = world;
  const pieces = ['a'.repeat(4096), 'b'.repeat(4096), 'c'.repeat(700)];
  for (const [index, piece] of pieces.entries()) {
    const { updateId } = await telegram.sendDirect(user, piece);
    await telegram.waitForConfirmed(updateId);
    await clock.advance([1_200, 300, 0][index] ?? 0);
  }
  await model.waitFor({ requests: 1, idle: true });
  expect(await textOfLast(world)).toBe(pieces.join(''));
  await passing(telegram.waitForMessage(user, 'ccc'));
  await telegram.sendDirect(user, 'short');
  await telegram.waitForMessage(user, 'echo: short');
  await telegram.sendDirect(user, 'd'.repeat(4096));
  await telegram.sendDirect(user, '/stop');
  await telegram.waitForMessage(user, 'One waiting message was dropped');
  await clock.advance(5_000);
  expect(await model.requests()).toHaveLength(2);
});

test('TG-13 a file that is too large is told once, and asked about only with a question', async () => {
  const world = await createWorld();
  const { telegram, model, passing } = world;
  const { fileId } = await telegram.addFile({ sizeBytes: 187_000_000, fileName: 'clip.mp4' });
  const fields = document(fileId, 'clip.mp4', 187_000_000);
  await sendFields(world, { fields });
  await passing(telegram.waitForMessage(user, 'too large'));
  await telegram.sendDirect(user, 'still there?');
  await passing(telegram.waitForMessage(user, 'still there?'));
  expect(await model.requests()).toHaveLength(1);
  expect((await telegram.botTexts(user)).filter((text) => text.includes('too large'))).toHaveLength(1);
  await sendFields(world, { fields: { ...fields, caption: 'what is this?' } });
  await passing(model.waitFor({ userText: 'what is this?', idle: true }));
  expect(await textOfLast(world)).toMatch(/what is this\?\n\[The sender attached .*too large/u);
});

test('a voice note is kept and told as one', async () => {
  const world = await createWorld();
  const bytes = Buffer.from('OggS'.padEnd(28, '\0').concat('OpusHead'));
  const { fileId } = await world.telegram.addFile({ bytes, mimeType: 'audio/ogg' });
  const voice = {
    file_id: fileId,
    file_unique_id: 'u',
    duration: 12,
    mime_type: 'audio/ogg',
    file_size: bytes.length,
  };
  await sendFields(world, { fields: { voice } });
  await world.passing(world.model.waitFor({ requests: 1, idle: true }));
  expect(await textOfLast(world)).toMatch(
    /^\[voice note of 12 s saved at \S+\.ogg: .*; nothing here recognises speech yet\]$/u,
  );
});

test('a file from the page is kept where the agent finds it', async () => {
  const world = await createWorld();
  const files = [{ name: 'table.csv', type: 'text/csv', data: Buffer.from('a,b').toString('base64') }];
  const address = new URL('/api/sessions/main/messages', world.pageUrl());
  await fetch(address, { method: 'POST', body: JSON.stringify({ text: 'sum it up', files }) });
  await world.passing(world.model.waitFor({ userText: 'sum it up', idle: true }));
  const [, path = ''] = /\[file saved at (\S+): table\.csv, 1 KB\]/u.exec(await textOfLast(world)) ?? [];
  expect(readFileSync(path, 'utf8')).toBe('a,b');
});

/** The pictures of a request, as data addresses. */
const shownIn = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/"url":"(data:[^"]+)"/gu)].map(([, url = '']) => url);

test('a picture is shown to a model that sees, also after a restart, and is summed up with its conversation', async () => {
  const world = await createWorld({ settings: 'agent: {context_tokens: 14000}' });
  const { telegram, model, clock } = world;
  // Kept files have the real time, and the start forgets old ones.
  clock.setNow(Date.now());
  const pictureUrl = `data:image/png;base64,${png.toString('base64')}`;
  const lastShown = async () => shownIn((await model.requests()).at(-1)?.body);
  await model.when({ userTextMatches: '^<transcript>' }, text('They showed a picture.'));
  await sendFields(world, await photo(world, { caption: 'what is this?' }));
  await telegram.waitForMessage(user, 'what is this?');
  expect(await lastShown()).toEqual([pictureUrl]);
  await world.stop();
  await world.start();
  await telegram.sendDirect(user, 'and now?');
  await telegram.waitForMessage(user, 'echo: and now?');
  expect(await lastShown()).toEqual([pictureUrl]);
  for (let count = 1; count <= 14; count += 1) {
    await telegram.sendDirect(user, `message ${count} ${'x'.repeat(1_000)}`);
    await telegram.waitForMessage(user, `message ${count} `);
  }
  await world.stop();
  await world.start();
  await telegram.sendDirect(user, 'do you remember?');
  await telegram.waitForMessage(user, 'echo: do you remember?');
  expect(await lastShown()).toEqual([]);
  expect(JSON.stringify((await model.requests()).at(-1)?.body)).toContain('They showed a picture.');
});

test('a picture whose file was forgotten meanwhile is named in words', async () => {
  const world = await createWorld();
  const { telegram, model, home } = world;
  await sendFields(world, await photo(world, { caption: 'what is this?' }));
  await telegram.waitForMessage(user, 'what is this?');
  rmSync(join(home, 'cache', 'images'), { recursive: true });
  await telegram.sendDirect(user, 'and now?');
  await telegram.waitForMessage(user, 'echo: and now?');
  const body = (await model.requests()).at(-1)?.body;
  expect(shownIn(body)).toEqual([]);
  expect(JSON.stringify(body)).toContain('[image: ');
});
