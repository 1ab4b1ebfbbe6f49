import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { complaintAbout } from '../../../src/adapters/telegram/malformed.js';
import { createRandom } from '../../crash/random.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { propertyRuns, propertySeed } from '../../setup/property-runs.js';
import {
  createPorts,
  createTelegramAdapter,
  freshToken,
  KeepingSink,
  runAdapter,
  WatchedClock,
} from './harness.js';
import { drawOddUpdate } from './odd-updates.js';

const BATCH_SIZE = 20;
const BATCHES = Math.ceil(propertyRuns(600) / BATCH_SIZE);

const hello = (id: number) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1_767_225_600,
    from: { id: 1001, is_bot: false, first_name: 'Ada' },
    chat: { id: 1001, type: 'private' },
    text: `good ${id}`,
  },
});

/** A Bot API server that hands out its batches one after the other, each until its last update is confirmed. */
const serve = async (batches: readonly (readonly unknown[])[]) => {
  const polls: number[] = [];
  let confirmed = 0;
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse((await readText(request)) || '{}');
    let result: unknown = { id: 7, is_bot: true, first_name: 'Bot', username: 'a_bot' };
    if (request.url?.endsWith('/getUpdates') === true) {
      const offset = typeof body === 'object' && body !== null && 'offset' in body ? Number(body.offset) : 0;
      polls.push(offset);
      if (offset > 0) confirmed = offset / 1000;
      result = batches[Math.floor(confirmed)] ?? [];
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  // It listens on a port, not on a pipe.
  return { polls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test('no update, whatever it is, stops the polling or is offered twice; what is malformed is logged once', async () => {
  const seed = propertySeed(20_261_130);
  const random = createRandom(seed);
  const batches = Array.from({ length: BATCHES }, (_, batch) => {
    const odd = Array.from({ length: BATCH_SIZE }, (__, index) => {
      const id = batch * 1000 + index;
      const update = { update_id: id, ...drawOddUpdate(random) };
      return random.pick<unknown>([
        update,
        update,
        update,
        update,
        { ...update, update_id: `${id}` },
        null,
        7,
        'x',
      ]);
    });
    return [...odd, hello(batch * 1000 + 999)];
  });
  const { polls, url } = await serve(batches);
  const logger = new MemoryLogger();
  const clock = new WatchedClock();
  const adapter = await createTelegramAdapter(
    { token: freshToken(), api_root: url },
    createPorts(clock, logger),
  );
  const sink = new KeepingSink();
  const good = () =>
    sink.events.filter(
      (event) =>
        event.type === 'message' &&
        event.parts[0]?.type === 'text' &&
        event.parts[0].text.startsWith('good '),
    );
  const running = runAdapter(adapter, sink);
  // The pause of a server that has nothing more.
  await clock.waitForSleep(1_000, 1_000);
  await running.stop();

  const context = `seed ${seed}`;
  expect(good(), context).toHaveLength(BATCHES);
  expect(polls.slice(0, BATCHES), context).toEqual(
    Array.from({ length: BATCHES }, (_, batch) => batch * 1000),
  );
  const complained = batches.flat().filter((update) => complaintAbout(update) !== undefined);
  const warned = logger.lines.filter(({ message }) => message === 'malformed update passed over');
  expect(warned, context).toHaveLength(complained.length);
  expect(complained.length).toBeGreaterThan(BATCHES);
  expect(
    logger.lines.filter(({ level }) => level === 'error'),
    context,
  ).toEqual([]);
}, 240_000);
