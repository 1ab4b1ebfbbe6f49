import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { telegram } from '../../../src/adapters/telegram/index.js';
import { later, StoreError } from '../../../src/core/errors.js';
import { createBed, type Running, type TelegramBed } from './harness.js';

const person = 1001;
const secret = 'a-secret_of-ours';

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

interface Hooked {
  readonly bed: TelegramBed;
  readonly url: string;
  readonly running: Running;
}

const start = async (): Promise<Hooked> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/telegram`;
  const bed = await createBed(
    { chats: [{ id: person }] },
    { mode: 'webhook', webhook: { url, port, secret } },
  );
  const running = bed.run();
  onTestFinished(() => running.stop());
  await running.waitForStatus(({ state }) => state === 'connected');
  return { bed, url, running };
};

const update = (text: string, id = 5) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1_767_225_600,
    chat: { id: person, type: 'private', first_name: 'Ada' },
    from: { id: person, is_bot: false, first_name: 'Ada' },
    text,
  },
});

const post = async (url: string, headers: Record<string, string>, body: string): Promise<number> =>
  (await fetch(url, { method: 'POST', headers, body })).status;

const withSecret = { 'x-telegram-bot-api-secret-token': secret };

describe('a webhook without a secret or an address', () => {
  const problems = (webhook: object | undefined): readonly string[] =>
    telegram.section
      .safeParse({ token: '1:a', mode: 'webhook', webhook })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  test('SC-08 is refused with what to write', () => {
    const url = 'https://bot.example.org/telegram';
    expect(problems({ url })).toEqual([expect.stringMatching(/^webhook\.secret: expected a secret/u)]);
    expect(problems({ url, secret: '' })).toEqual([
      expect.stringMatching(/^webhook\.secret: expected 1 to/u),
    ]);
    expect(problems(undefined)).toEqual([
      expect.stringMatching(/^webhook\.url: /u),
      expect.stringMatching(/^webhook\.secret: /u),
    ]);
    expect(problems({ url, secret })).toEqual([]);
  });

  test('SC-08 listens on loopback unless told otherwise', () => {
    const section = telegram.section.parse({ token: '1:a', webhook: {} });
    expect(section.webhook).toMatchObject({ host: '127.0.0.1', port: 8443 });
  });
});

describe('a webhook', () => {
  test('SC-08 takes an update with the right secret, and nothing else', async () => {
    const { bed, url } = await start();
    const body = JSON.stringify(update('hello'));
    expect(await post(url, {}, body)).toBe(401);
    expect(await post(url, { 'x-telegram-bot-api-secret-token': `${secret}x` }, body)).toBe(401);
    expect(await post(url, { 'x-telegram-bot-api-secret-token': '' }, body)).toBe(401);
    expect(await post(url, withSecret, JSON.stringify(update('x'.repeat(2 * 1024 * 1024))))).toBe(413);
    expect(bed.sink.events).toEqual([]);
    expect(await post(url, withSecret, body)).toBe(200);
    expect(bed.sink.events).toMatchObject([{ type: 'message', parts: [{ text: 'hello' }] }]);
  });

  test('SC-08 cuts off a body that grows beyond the limit without having said so', async () => {
    const { bed, url } = await start();
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let index = 0; index < 24; index += 1) controller.enqueue(new Uint8Array(64 * 1024).fill(32));
        controller.close();
      },
    });
    // The built-in types do not know the field that streams in a request need.
    const init = { method: 'POST', headers: withSecret, body: pieces, duplex: 'half' } as RequestInit;
    expect((await fetch(url, init)).status).toBe(413);
    expect(bed.sink.events).toEqual([]);
  });

  test('answers other paths, methods and bodies without any work', async () => {
    const { bed, url } = await start();
    expect(await post(`${url}/other`, withSecret, '{}')).toBe(404);
    expect((await fetch(url, { headers: withSecret })).status).toBe(405);
    expect(await post(url, withSecret, 'no json')).toBe(400);
    expect(bed.sink.events).toEqual([]);
  });

  test('is registered with its secret and what we read, and gets what waits and what comes', async () => {
    const { bed, url } = await start();
    await bed.control.sendDirect(person, 'one');
    await bed.control.sendDirect(person, 'two');
    await bed.sink.waitFor(2);
    expect(bed.sink.events).toMatchObject([{ parts: [{ text: 'one' }] }, { parts: [{ text: 'two' }] }]);
    const [call] = await bed.control.calls('setWebhook');
    expect(call?.params).toMatchObject({
      url,
      secret_token: secret,
      allowed_updates: expect.arrayContaining(['message', 'edited_message']),
      max_connections: 1,
    });
    expect(await bed.control.calls('getUpdates')).toEqual([]);
  });

  test('does not take what cannot be stored, and takes it when it comes again', async () => {
    const { bed, running } = await start();
    bed.sink.answer = () =>
      Promise.reject(new StoreError({ code: 'full', message: 'the disk is full', retry: later }));
    const { updateId } = await bed.control.sendDirect(person, 'important');
    await running.waitForStatus(({ state }) => state === 'unhealthy');
    bed.sink.answer = async () => undefined;
    await expect.poll(async () => (await bed.control.state()).webhookAnswers).toEqual([503]);
    await bed.control.deliver();
    await bed.control.waitForConfirmed(updateId);
    expect(bed.sink.events).toMatchObject([{ parts: [{ text: 'important' }] }]);
    expect((await bed.control.state()).webhookAnswers).toEqual([503, 200]);
    expect(running.statuses.at(-1)?.state).toBe('connected');
  });

  test('is set again when another program has changed it', async () => {
    const { bed, url } = await start();
    await fetch(`${bed.control.apiRoot}/bot${bed.token}/deleteWebhook`, { method: 'POST' });
    expect((await bed.control.state()).webhookUrl).toBe('');
    await bed.clock.waiting(5 * 60_000);
    await bed.clock.advance(5 * 60_000);
    await bed.control.waitForCalls('setWebhook', 2);
    expect((await bed.control.state()).webhookUrl).toBe(url);
  });

  test('waits for its port, and gives up for a refused token only', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has an address.
    const { port } = blocker.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/t`;
    const bed = await createBed({}, { mode: 'webhook', webhook: { url, port, secret } });
    const running = bed.run();
    const trouble = await running.waitForStatus(({ state }) => state === 'unhealthy');
    expect(trouble.detail).toContain(`127.0.0.1:${port}`);
    await new Promise((resolve) => blocker.close(resolve));
    await bed.control.fault(
      { method: 'setWebhook' },
      { kind: 'error', code: 401, description: 'Unauthorized' },
    );
    await bed.clock.advance(await bed.clock.waitForSleep(800, 1_000));
    await expect(running.ended).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
