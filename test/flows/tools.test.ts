import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withList } from '../../src/config/settings-file.js';
import { text, toolCall } from '../emulators/openai/control.js';
import { createWorld, user, type World } from './world.js';

interface Body {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const bodies = async ({ model }: World): Promise<readonly Body[]> =>
  (await model.requests()).map(({ body }) => body as unknown as Body);

/** What the last model call offered. */
const offered = async (world: World): Promise<readonly string[]> =>
  (await bodies(world)).at(-1)?.tools?.map(({ function: { name } }) => name) ?? [];

const toolResult = async (world: World): Promise<string> =>
  (await bodies(world)).at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content ?? '';

const say = async ({ telegram }: World, words: string): Promise<void> => {
  await telegram.sendDirect(user, words);
  await telegram.waitForMessage(user, words);
};

const setToolsets = async ({ home }: World, path: readonly string[], names: readonly string[]) => {
  const file = join(home, 'config.yaml');
  await writeFile(file, withList(await readFile(file, 'utf8'), path, names));
};

test('a conversation keeps the tools that it began with, also over a restart; the next one has those of the settings', async () => {
  const world = await createWorld({ settings: 'toolsets: [file, todo]' });
  await say(world, 'one');
  const before = await offered(world);
  expect(before).toEqual(['patch', 'read_file', 'search_files', 'todo', 'write_file']);
  await setToolsets(world, ['platforms', 'telegram', 'toolsets'], ['todo', 'session_search']);
  await say(world, 'two');
  expect(await offered(world)).toEqual(before);
  await world.stop();
  await world.start();
  await say(world, 'three');
  expect(await offered(world)).toEqual(before);
  await world.telegram.sendDirect(user, '/new');
  await say(world, 'four');
  expect(await offered(world)).toEqual(['session_search', 'todo']);
});

test('settings that cannot be used leave new conversations with what held before', async () => {
  const world = await createWorld({ settings: 'toolsets: [todo]' });
  await writeFile(join(world.home, 'config.yaml'), 'toolsets: {');
  await say(world, 'one');
  expect(await offered(world)).toEqual(['todo']);
});

test('a tool that is off is not offered, and a call of it all the same is refused', async () => {
  const world = await createWorld({ settings: 'toolsets: [todo]' });
  await writeFile(join(world.workspace, 'notes.txt'), 'hidden words');
  await world.model.respond(toolCall('read_file', { path: 'notes.txt' }), text('I could not'));
  await world.telegram.sendDirect(user, 'read it');
  await world.telegram.waitForMessage(user, 'I could not');
  expect(await offered(world)).toEqual(['todo']);
  expect(await toolResult(world)).toMatch(/read_file is switched off here, so nothing was done/);
  expect(await toolResult(world)).not.toContain('hidden');
});

test('a custom toolset brings its own tools and those of what it includes', async () => {
  const settings = 'toolsets: [mine]\ncustom_toolsets: {mine: {tools: [read_file], includes: [messaging]}}';
  const world = await createWorld({ settings });
  await say(world, 'one');
  expect(await offered(world)).toEqual(['read_file', 'send_message']);
});

test('a long result is kept, and can be read and searched where it is', async () => {
  // A small window: the quarter of it that a result may take is passed.
  const world = await createWorld({ settings: 'agent: {context_tokens: 32000}' });
  const lines = Array.from({ length: 1900 }, (_each, index) => `line ${index + 1} ${'x'.repeat(60)}`);
  lines[1234] = 'the needle';
  await writeFile(join(world.workspace, 'long.txt'), lines.join('\n'));
  await world.model.respond(toolCall('read_file', { path: 'long.txt' }), text('read'));
  await world.telegram.sendDirect(user, 'read it');
  await world.telegram.waitForMessage(user, 'read');
  const [, path = ''] = /All of it is in (\S+\.txt)\./.exec(await toolResult(world)) ?? [];
  expect(await toolResult(world)).toContain('Search it with search_files');
  await world.model.respond(toolCall('search_files', { pattern: 'needle', path }), text('searched'));
  await world.telegram.sendDirect(user, 'where is it?');
  await world.telegram.waitForMessage(user, 'searched');
  expect(await toolResult(world)).toBe(`1 line:\n${path}\n1235: 1235\tthe needle`);
  await world.model.respond(toolCall('read_file', { path, offset: 1235, limit: 1 }), text('there'));
  await world.telegram.sendDirect(user, 'read there');
  await world.telegram.waitForMessage(user, 'there');
  expect(await toolResult(world)).toContain('1235\t1235\tthe needle');
});

test('a picture of the workspace is shown to the model, and is kept for the turns that follow', async () => {
  const world = await createWorld();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await writeFile(join(world.workspace, 'plot.png'), png);
  await world.model.respond(toolCall('read_file', { path: 'plot.png' }), text('a dot'));
  await world.telegram.sendDirect(user, 'look at it');
  await world.telegram.waitForMessage(user, 'a dot');
  const shown = `data:image/png;base64,${png.toString('base64')}`;
  expect(JSON.stringify((await bodies(world)).at(-1)?.messages)).toContain(shown);
  await rm(join(world.workspace, 'plot.png'));
  await say(world, 'and again?');
  expect(JSON.stringify((await bodies(world)).at(-1)?.messages)).toContain(shown);
});
