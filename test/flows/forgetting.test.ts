import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gate, text } from '../emulators/openai/control.js';
import { png } from './media-world.js';
import { createWorld, type World } from './world.js';

const address = (world: World, path: string): URL => new URL(path, world.pageUrl());

const say = (world: World, session: string, words: string, files: readonly unknown[] = []) =>
  fetch(address(world, `/api/sessions/${session}/messages`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: words, files }),
  });

const shown = async (world: World, session: string): Promise<readonly string[]> => {
  const answer = await fetch(address(world, `/api/sessions/${session}/messages`));
  const { messages } = (await answer.json()) as { messages: readonly { text: string }[] };
  return messages.map((message) => message.text);
};

const answered = (world: World, session: string, words: string) =>
  world.passing(
    expect
      .poll(() => shown(world, session), { timeout: 8_000 })
      .toContainEqual(expect.stringContaining(words)),
  );

const remove = (world: World, path: string) => fetch(address(world, path), { method: 'DELETE' });

test('a conversation of the page is deleted with its row, its pictures and its words in the search', async () => {
  const world = await createWorld();
  const picture = { name: 'cat.png', type: 'image/png', data: png.toString('base64') };
  await say(world, 'one', 'my cat Murr', [picture]);
  await answered(world, 'one', 'echo');
  await say(world, 'two', 'my dog Fido', [picture]);
  await answered(world, 'two', 'echo');
  const images = join(world.home, 'cache', 'images');
  expect(readdirSync(images)).toHaveLength(2);

  expect((await remove(world, '/api/archive/web:none')).status).toBe(404);
  const { sessions } = world.daemon.services;
  expect((await sessions.find('my cat')).type).toBe('one');
  expect((await remove(world, '/api/archive/web:one')).status).toBe(200);
  expect(await shown(world, 'one')).toEqual([]);
  expect(await shown(world, 'two')).toHaveLength(2);
  expect(readdirSync(images)).toHaveLength(1);
  expect((await sessions.find('my cat')).type).toBe('none');

  expect((await remove(world, '/api/sessions/two')).status).toBe(204);
  expect(readdirSync(images)).toEqual([]);
  const list = (await (await fetch(address(world, '/api/sessions'))).json()) as { sessions: unknown };
  expect(list.sessions).toEqual([]);
  await say(world, 'one', 'who is Murr?');
  await answered(world, 'one', 'echo: who is Murr?');
  expect(existsSync(images)).toBe(true);
});

test('a conversation in which a turn runs is not deleted, and says so', async () => {
  const world = await createWorld();
  await world.model.respond(gate(text('late'), 'held'));
  await say(world, 'one', 'work');
  await world.model.waitFor({ gate: 'held', waiting: 1 });
  const [session] = await world.daemon.services.sessions.list({ limit: 1 });
  expect(session?.isRunning).toBe(true);
  const refused = await remove(world, `/api/archive/${session?.id}`);
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain('/stop');
  expect((await remove(world, '/api/sessions/one')).status).toBe(409);
  await world.model.release('held');
  await answered(world, 'one', 'late');
  await world.passing(
    expect.poll(async () => (await remove(world, '/api/sessions/one')).status, { timeout: 8_000 }).toBe(204),
  );
});

test('what is older than sessions.retention_days goes by itself, and the status says so', async () => {
  const world = await createWorld({ settings: 'sessions: {retention_days: 30}' });
  const dayMs = 24 * 3_600_000;
  const picture = { name: 'cat.png', type: 'image/png', data: png.toString('base64') };
  await say(world, 'old', 'my cat Murr', [picture]);
  await answered(world, 'old', 'echo');
  await world.stop();
  world.clock.setNow(world.clock.now() + 20 * dayMs);
  await world.start();
  await say(world, 'new', 'my dog Fido');
  await answered(world, 'new', 'echo');
  expect(await shown(world, 'old')).toHaveLength(2);
  await world.stop();
  world.clock.setNow(world.clock.now() + 20 * dayMs);
  await world.start();
  const forgotten = async () => (await world.daemon.services.status()).forgotten;
  await world.passing(expect.poll(forgotten, { timeout: 8_000 }).toMatchObject({ sessions: 1 }));
  expect(await shown(world, 'old')).toEqual([]);
  expect(await shown(world, 'new')).toHaveLength(2);
  expect(readdirSync(join(world.home, 'cache', 'images'))).toEqual([]);
  expect(world.logger.lines.some(({ message }) => message === 'old conversations and files forgotten')).toBe(
    true,
  );
});
