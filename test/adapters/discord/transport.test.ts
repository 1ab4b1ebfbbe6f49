import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/discord/transport.js';
import { ManualClock } from '../../fakes/manual-clock.js';

/** A server that refuses every call for its pace. */
const refuseAll = async (headers: Readonly<Record<string, string>>): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '2', ...headers }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  // It listens on a port, not on a pipe.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/channels/1/messages`;
};

test.each([{}, { 'x-ratelimit-global': 'true' }])(
  'a pause that was asked for (%j) is no longer by a clock that was set back since',
  async (headers) => {
    const url = await refuseAll(headers);
    const clock = new ManualClock();
    const transport = createHttpTransport({ clock });
    const { signal } = new AbortController();
    const ask = () => transport.request(url, { method: 'POST', headers: {}, body: '{}', signal });
    await expect(ask()).rejects.toThrow('Discord asks to wait');
    await clock.advance(500);
    clock.setNow(clock.now() - 3_600_000);
    const refusal: unknown = await ask().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: 'the limit of Discord for such calls is reached' });
    const { retryAfterMs } = refusal as { readonly retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(1_000);
    expect(retryAfterMs).toBeLessThan(3_000);
  },
);
