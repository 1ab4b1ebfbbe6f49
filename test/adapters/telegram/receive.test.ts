import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { later, PlatformError, StoreError } from '../../../src/core/errors.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import {
  createBed,
  createPorts,
  createTelegramAdapter,
  emulatorUrl,
  freshToken,
  KeepingSink,
  runAdapter,
  WatchedClock,
} from './harness.js';

const isConnected = ({ state }: { state: string }): boolean => state === 'connected';
const isUnhealthy = ({ state }: { state: string }): boolean => state === 'unhealthy';

/** A Bot API server that answers each poll at once, with nothing. */
const createHurriedBed = async () => {
  let polls = 0;
  const server = createServer((request, response) => {
    const isPoll = request.url?.endsWith('/getUpdates') === true;
    if (isPoll) polls += 1;
    const result = isPoll ? [] : { id: 7, is_bot: true, first_name: 'Bot', username: 'a_bot' };
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  const clock = new WatchedClock();
  const adapter = await createTelegramAdapter(
    { token: freshToken(), api_root: `http://127.0.0.1:${port}` },
    createPorts(clock, new MemoryLogger()),
  );
  return {
    clock,
    polls: () => polls,
    run: () => runAdapter(adapter, new KeepingSink()),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};

describe('receiving', () => {
  test('a private message becomes an event and is confirmed once it is stored', async () => {
    const { control, run, sink } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    const { updateId } = await control.sendDirect(1001, 'hello');
    await sink.waitFor(1);
    await control.waitForConfirmed(updateId);
    expect(sink.events[0]).toMatchObject({
      type: 'message',
      addressed: 'direct',
      parts: [{ type: 'text', text: 'hello' }],
      origin: { platform: 'telegram', chat: '1001', chatKind: 'direct' },
    });
    await running.stop();
  });

  test('connected is reported only after a poll was answered', async () => {
    const { control, run } = await createBed();
    const fault = await control.fault({ method: 'getUpdates' }, { kind: 'delay', applied: false });
    const running = run();
    await fault.waitUntilHeld();
    await control.waitForCalls('getMe');
    expect(running.statuses).toEqual([]);
    await fault.release();
    await running.waitForStatus(isConnected);
    await running.stop();
  });

  test('a batch that cannot be stored is offered again after a pause and confirmed only then', async () => {
    const { control, run, sink, clock } = await createBed();
    let refusals = 0;
    sink.answer = async () => {
      refusals += 1;
      if (refusals > 2) return;
      throw new StoreError({ code: 'full', message: 'the disk is full', retry: later });
    };
    const { updateId } = await control.sendDirect(1001, 'keep me');
    const running = run();
    const first = await clock.waitForSleep(800, 1000);
    const status = await running.waitForStatus(isUnhealthy);
    expect(status.detail).toContain('the disk is full');
    expect((await control.state()).pendingUpdates).toBe(1);
    await clock.advance(first);
    await clock.advance(await clock.waitForSleep(1600, 2000));
    await sink.waitFor(1);
    await control.waitForConfirmed(updateId);
    expect(sink.events).toHaveLength(1);
    await running.stop();
  });

  test('what could not be stored before a stop is left at Telegram for the next start', async () => {
    const { control, run, sink } = await createBed();
    sink.answer = () =>
      Promise.reject(new StoreError({ code: 'full', message: 'the disk is full', retry: later }));
    await control.sendDirect(1001, 'keep me');
    const running = run();
    await running.waitForStatus(isUnhealthy);
    await running.stop();
    expect((await control.state()).pendingUpdates).toBe(1);
    sink.answer = async () => undefined;
    const again = run();
    await sink.waitFor(1);
    expect(sink.events).toMatchObject([{ parts: [{ text: 'keep me' }] }]);
    await again.stop();
  });

  test('a stop tells Telegram what is stored, so that nothing comes again', async () => {
    const { control, run, sink } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    let stopping: Promise<void> = Promise.resolve();
    sink.answer = async () => {
      stopping = running.stop();
    };
    const { updateId } = await control.sendDirect(1001, 'last words');
    await sink.waitFor(1);
    await stopping;
    await control.waitForConfirmed(updateId);
    expect((await control.state()).pendingUpdates).toBe(0);
  });

  test('TG-10 a conflict is survived with growing pauses and told, and polling goes on', async () => {
    const { control, run, sink, clock } = await createBed();
    await control.conflict(3);
    const running = run();
    const pauses: number[] = [];
    for (const longest of [1000, 2000, 4000]) {
      const pause = await clock.waitForSleep(longest * 0.8, longest);
      pauses.push(pause);
      if (longest < 4000) await clock.advance(pause);
    }
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    const status = await running.waitForStatus(isUnhealthy);
    expect(status.detail).toContain('Another process receives with this bot token');
    await control.sendDirect(1001, 'still there?');
    await clock.advance(4000);
    await sink.waitFor(1);
    await running.waitForStatus(isConnected);
    await running.stop();
  });

  test('TG-10 a refused token stops the adapter with advice and without another try', async () => {
    const clock = new WatchedClock();
    const token = freshToken();
    const adapter = await createTelegramAdapter(
      { token, api_root: emulatorUrl() },
      createPorts(clock, new MemoryLogger()),
    );
    const running = runAdapter(adapter, new KeepingSink());
    const error: unknown = await running.ended.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: 'unauthorized', retry: { kind: 'never' } });
    expect(running.statuses.map(({ state }) => state)).toEqual(['stopped']);
    expect(running.statuses[0]?.detail).toContain('@BotFather');
    expect(running.statuses[0]?.detail).not.toContain(token);
  });

  test('conflicts that come back are counted and told', async () => {
    const { control, run, clock, log } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    for (const longest of [1000, 2000, 4000]) {
      await control.waitForPoll();
      await control.conflict(1);
      await clock.advance(await clock.waitForSleep(longest * 0.8, longest));
    }
    await running.waitForStatus(({ detail }) => detail?.includes('3 times within the hour') === true);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
    await running.stop();
  });

  test('a poll that is never answered is given up, though other calls succeed meanwhile', async () => {
    const { control, run, sink, clock, adapter, routeTo } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    await control.waitForPoll();
    await clock.advance(44_000);
    const encoded = adapter.encode([{ type: 'text', text: 'alive' }], routeTo(1001))[0];
    await control.sendDirect(1001, 'first contact');
    await sink.waitFor(1);
    await control.waitForPoll();
    await adapter.send(
      { route: routeTo(1001), encoded: encoded!, idempotencyKey: 'k' },
      { signal: new AbortController().signal },
    );
    await clock.advance(45_000);
    const status = await running.waitForStatus(isUnhealthy);
    expect(status.detail).toContain('getUpdates: no answer in time');
    await clock.advance(await clock.waitForSleep(800, 1000));
    await control.sendDirect(1001, 'after');
    await sink.waitFor(2);
    await running.stop();
  });

  test('a cut connection is survived', async () => {
    const { control, run, sink, clock } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    await control.waitForPoll();
    await control.fault({ method: 'getUpdates' }, { kind: 'drop', applied: false });
    await control.sendDirect(1001, 'one');
    await sink.waitFor(1);
    await clock.advance(await clock.waitForSleep(800, 1000));
    await control.sendDirect(1001, 'two');
    await sink.waitFor(2);
    expect(running.statuses.some(isUnhealthy)).toBe(true);
    await running.stop();
  });

  test('a webhook that is set is taken away and its updates are kept', async () => {
    const { control, run, sink, token } = await createBed();
    await fetch(`${control.apiRoot}/bot${token}/setWebhook?url=https://example.com/hook`);
    expect((await control.state()).webhookUrl).not.toBe('');
    await control.sendDirect(1001, 'from before');
    const running = run();
    await sink.waitFor(1);
    const [deletion] = await control.calls('deleteWebhook');
    expect(deletion?.params['drop_pending_updates']).not.toBe(true);
    await running.stop();
  });

  test('a store that never answers makes the adapter unhealthy', async () => {
    const { control, run, sink, clock } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    await control.waitForPoll();
    let release = (): void => undefined;
    const reached = new Promise<void>((arrived) => {
      sink.answer = () =>
        new Promise((stored) => {
          release = stored;
          arrived();
        });
    });
    await control.sendDirect(1001, 'hello');
    await reached;
    await clock.advance(120_000);
    await clock.advance(await clock.waitForSleep(120_000, 120_000));
    const status = await running.waitForStatus(isUnhealthy);
    expect(status.detail).toContain('No poll has been completed');
    release();
    await sink.waitFor(1);
    await running.stop();
  });

  test('a server that does not hold its polls is asked once a second', async () => {
    const { clock, polls, run, stop } = await createHurriedBed();
    const running = run();
    await running.waitForStatus(isConnected);
    for (let round = 0; round < 3; round += 1) {
      const pause = await clock.waitForSleep(1_000, 1_000);
      // The first poll shows whether polling works at all; the pauses stand behind the later ones.
      expect(polls()).toBe(2 + round);
      await clock.advance(pause);
    }
    await running.stop();
    await stop();
  });

  test('a malformed update is passed over and the next one is received', async () => {
    const { control, run, sink, log } = await createBed();
    const running = run();
    await running.waitForStatus(isConnected);
    const { updateId } = await control.pushUpdate({
      kind: 'raw',
      update: { message: { chat: 'nowhere', text: 7 } },
    });
    await control.sendDirect(1001, 'fine');
    await sink.waitFor(1);
    expect(sink.events).toHaveLength(1);
    expect(log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        fields: { update: updateId, complaint: 'its message has no message_id' },
        message: 'malformed update passed over',
      },
    ]);
    await running.stop();
  });
});
