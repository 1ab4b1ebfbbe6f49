import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/status.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, aStatus, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

test('without a gateway it says so and exits 1', async () => {
  const edge = new FakeEdge();
  expect(await run([], edge)).toBe(1);
  expect(edge.out).toBe('');
  expect(edge.err).toContain(`not running on ${edge.home}`);
});

test('--json without a gateway is an answer too', async () => {
  const edge = new FakeEdge();
  expect(await run(['--json'], edge)).toBe(1);
  expect(JSON.parse(edge.out)).toEqual({ running: false });
  expect(edge.err).toBe('');
});

test('a file that a crash left in the place of the socket is no gateway', async () => {
  const edge = new FakeEdge();
  writeFileSync(join(edge.home, 'gateway.sock'), '');
  expect(await run([], edge)).toBe(1);
  expect(edge.err).toContain('not running');
});

test('prints what the gateway says', async () => {
  const edge = new FakeEdge();
  gateway = await answerOnSocket(edge.home, { status: 200, body: aStatus() });
  expect(await run([], edge)).toBe(0);
  expect(gateway.asked).toEqual([{ method: 'GET', path: '/api/status', body: undefined }]);
  expect(edge.out).toContain('Hermes Gateway 1.2.3');
  expect(edge.err).toBe('');
});

test('--json gives the same for programs', async () => {
  const edge = new FakeEdge();
  gateway = await answerOnSocket(edge.home, { status: 200, body: aStatus() });
  expect(await run(['--json'], edge)).toBe(0);
  expect(JSON.parse(edge.out)).toEqual({ running: true, ...aStatus() });
});

test('a refusal is told in the words of the gateway', async () => {
  const edge = new FakeEdge();
  const body = { error: { code: 'unavailable', message: 'The database is gone.' } };
  gateway = await answerOnSocket(edge.home, { status: 503, body });
  await expect(run([], edge)).rejects.toThrow('The database is gone.');
});

test('a connection that breaks off is told', async () => {
  const edge = new FakeEdge();
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(join(edge.home, 'gateway.sock'), resolve);
  });
  await expect(run([], edge)).rejects.toThrow('broke off');
  server.close();
});
