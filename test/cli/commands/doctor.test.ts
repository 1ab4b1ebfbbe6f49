import { chmodSync, closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../src/cli/checks/finding.js';
import { run } from '../../../src/cli/commands/doctor.js';
import { createWorld } from '../../flows/world.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, aStatus } from '../fake-gateway.js';

const examine = async (edge: FakeEdge, ...args: string[]) => {
  const code = await run([...args, '--json'], edge);
  const { ok, checks } = JSON.parse(edge.out) as { ok: boolean; checks: Finding[] };
  return { code, ok, find: (id: string) => checks.filter((check) => check.id === id), checks };
};

const edgeWith = (yaml: string): FakeEdge => {
  const edge = new FakeEdge();
  writeFileSync(join(edge.home, 'config.yaml'), yaml, { mode: 0o600 });
  return edge;
};

const page = 'platforms: {web: {port: 0}}\n';

test('a fresh home has nothing to mend, and notes say what is not there yet', async () => {
  const edge = edgeWith(page);
  const { code, ok, find } = await examine(edge);
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(find('settings')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(find('database')).toEqual([expect.objectContaining({ state: 'note' })]);
  expect(find('gateway')).toEqual([expect.objectContaining({ state: 'note', text: 'not running' })]);
  expect(edge.err).toBe('');
});

test('asks every platform and the model live, beside a running gateway', async () => {
  const world = await createWorld({ discord: '' });
  const edge = new FakeEdge({ home: world.home });
  const { find, checks } = await examine(edge, '--fix');
  expect(find('platform.telegram')).toEqual([
    expect.objectContaining({ state: 'ok', text: expect.stringContaining('the token is good: @') }),
  ]);
  expect(find('platform.discord')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(find('model')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(find('clock')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(find('database')).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(find('gateway')[0]).toMatchObject({ state: 'ok', text: expect.stringContaining('running') });
  for (const { state, fix } of checks) if (state === 'mend') expect(fix).toBeTruthy();
});

test('a token or a key that is refused is told with where to get a good one', async () => {
  const edge = edgeWith(
    `model: {provider: openai, default: m, base_url: 'http://127.0.0.1:${inject('openaiPort')}/v1', api_key: key-of-nobody}\n` +
      `platforms: {web: {port: 0}, telegram: {token: '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', api_root: 'http://127.0.0.1:${inject('telegramPort')}'}, ` +
      `discord: {token: OTAwMDAwMDAw.TEST12.nobody-knows-it, api_root: 'http://127.0.0.1:${inject('discordPort')}/api'}}\n`,
  );
  const { code, find } = await examine(edge);
  expect(code).toBe(1);
  expect(find('platform.telegram')[0]).toMatchObject({
    state: 'mend',
    fix: expect.stringContaining('@BotFather'),
  });
  expect(find('platform.discord')[0]).toMatchObject({
    state: 'mend',
    fix: expect.stringContaining('Bot page'),
  });
  expect(find('model')[0]).toMatchObject({ state: 'mend', fix: expect.stringContaining('model.api_key') });
});

test('a far side that cannot be reached is told with its address', async () => {
  const nobody = 'http://127.0.0.1:1';
  const edge = edgeWith(
    `model: {provider: openai, default: m, base_url: '${nobody}/v1', api_key: key-of-nobody}\n` +
      `platforms: {web: {port: 0}, telegram: {token: '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', api_root: '${nobody}'}}\n`,
  );
  const { find } = await examine(edge);
  expect(find('platform.telegram')[0]).toMatchObject({ state: 'mend', fix: expect.stringContaining(nobody) });
  expect(find('model')[0]).toMatchObject({ state: 'mend', fix: expect.stringContaining(`${nobody}/v1`) });
  expect(find('clock')[0]).toMatchObject({ state: 'skipped' });
  expect(edge.out).not.toContain('TEST-AAAA');
});

test('settings that cannot be used are told with what to write, and the rest is put off', async () => {
  const { code, find } = await examine(edgeWith('log: {level: loud}\n'));
  expect(code).toBe(1);
  expect(find('settings')[0]).toMatchObject({ state: 'mend', fix: expect.stringContaining('level') });
  expect(find('rest')[0]).toMatchObject({ state: 'skipped' });
});

test('a port that another program has is told with its setting', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, find } = await examine(edgeWith(`platforms: {web: {port: ${port}}}\n`));
  expect(code).toBe(1);
  expect(find(`port.${port}`)[0]).toMatchObject({
    state: 'mend',
    fix: expect.stringContaining('platforms.web.port'),
  });
});

test('a port that the running gateway has is ours', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const edge = edgeWith(`platforms: {web: {port: ${port}}}\n`);
  const web = { platform: 'web', title: 'Web', state: 'connected', since: 0, disconnects: 0 } as const;
  const gateway = await answerOnSocket(edge.home, { status: 200, body: aStatus({ adapters: [web] }) });
  onTestFinished(() => gateway.close());
  expect((await examine(edge)).find(`port.${port}`)[0]).toMatchObject({ state: 'ok' });
});

test('what the running gateway complains of is to be mended', async () => {
  const edge = edgeWith(page);
  const adapter = {
    platform: 'x',
    title: 'X',
    state: 'stopped',
    since: 0,
    disconnects: 1,
    detail: 'Do this.',
  } as const;
  const body = aStatus({ version: '1.0.0', adapters: [adapter], problems: ['It is so. Do that.'] });
  const gateway = await answerOnSocket(edge.home, { status: 200, body });
  onTestFinished(() => gateway.close());
  const { code, find } = await examine(edge);
  expect(code).toBe(1);
  expect(find('gateway').slice(1)).toMatchObject([
    { state: 'note', text: 'version 1.0.0 runs, and this is 1.2.3' },
    { state: 'mend', text: 'X is stopped', fix: 'Do this.' },
    { state: 'mend', text: 'It is so', fix: 'Do that.' },
  ]);
});

test('secrets that others can read are told, and closed by --fix', async () => {
  const edge = edgeWith(`${page}model: {api_key: sk-hidden-0123456789, provider: offline}\n`);
  const [env, settings] = [join(edge.home, '.env'), join(edge.home, 'config.yaml')];
  writeFileSync(env, 'OTHER=1\n');
  for (const file of [env, settings]) chmodSync(file, 0o644);
  const before = await examine(edge);
  expect(before.code).toBe(1);
  expect(before.find('secrets')).toMatchObject([
    { state: 'mend', fix: `Run \`chmod 600 ${env}\`.`, isFixable: true },
    { state: 'mend', fix: `Run \`chmod 600 ${settings}\`.` },
  ]);
  edge.out = '';
  const after = await examine(edge, '--fix');
  expect(after.code).toBe(0);
  expect(after.find('secrets')).toMatchObject([{ state: 'mended' }, { state: 'mended' }]);
  expect(after.checks.filter(({ id }) => id === 'settings')).toHaveLength(1);
  expect([env, settings].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('a database that is damaged is told', async () => {
  const world = await createWorld();
  await world.stop();
  const file = join(world.home, 'state.db');
  const edge = new FakeEdge({ home: world.home });
  expect((await examine(edge)).find('database')[0]).toMatchObject({ state: 'ok' });
  const handle = openSync(file, 'r+');
  for (let page = 2; page < 12; page += 1) writeSync(handle, Buffer.alloc(2048, 0x5a), 0, 2048, page * 4096);
  closeSync(handle);
  edge.out = '';
  expect((await examine(edge)).find('database')[0]).toMatchObject({
    state: 'mend',
    fix: expect.stringContaining('backup'),
  });
});

test('a host whose clock goes wrong is told', async () => {
  const server = createHttpServer((_request, response) => {
    response.writeHead(401, { date: 'Mon, 06 Sep 2021 00:00:00 GMT' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const edge = edgeWith(
    `${page}model: {provider: openai, default: m, base_url: 'http://127.0.0.1:${port}', api_key: key-of-nobody}\n`,
  );
  expect((await examine(edge)).find('clock')[0]).toMatchObject({
    state: 'mend',
    text: expect.stringContaining('fast'),
  });
});

test('people read it within 80 columns, with the count of what has to be mended', async () => {
  const edge = edgeWith('log: {level: loud}\nagent: {max_iterations: none}\n');
  expect(await run([], edge)).toBe(1);
  expect(edge.out).toContain('2 things have to be mended.');
  const long = edge.out.split('\n').filter((line) => line.length > 80 && !line.includes(edge.home));
  expect(long).toEqual([]);
});
