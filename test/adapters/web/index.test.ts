import { describe, expect, test } from 'vitest';
import { createWebFace, web, webSection } from '../../../src/adapters/web/index.js';
import { PlatformError } from '../../../src/core/errors.js';
import { toChatId } from '../../../src/core/ids.js';
import { createMemoryStores } from '../../../src/store/index.js';
import { platformSuite } from '../../contracts/platform/platform-suite.js';
import { someGatewayServices } from '../../fakes/gateway-services.js';
import { createMemoryMedia } from '../../fakes/memory-media.js';
import { createMemoryNotes } from '../adapter-bed.js';
import { toRouteOf } from './routes.js';
import { createPage } from './support.js';

describe('the definition', () => {
  test('reads session ids as addresses, and nothing with a thread', () => {
    expect(web.parseAddress('main')).toEqual({ chat: 'main' });
    expect(web.parseAddress('main:17')).toBeUndefined();
  });

  test('creates an adapter that has not touched the network', async () => {
    const { pageLog, clock, logger } = createPage();
    const ports = {
      clock,
      logger,
      pageLog,
      media: createMemoryMedia(),
      redact: (text: string) => text,
      folder: '/nowhere',
    };
    const adapter = await web.create(webSection.parse({}), {
      ...ports,
      ids: { next: () => 'id' as never },
      notes: createMemoryNotes(),
      services: someGatewayServices(),
    });
    expect([adapter.platform, adapter.account, adapter.idempotentSend]).toEqual(['web', 'local', true]);
    expect(adapter.progress).toBeDefined();
  });
});

describe('sending', () => {
  const request = { encoded: { text: 'a', payload: null }, idempotencyKey: 'k' };
  const options = { signal: new AbortController().signal };

  test('to something that is no session is refused for good', async () => {
    const { face } = createPage();
    const sending = face.adapter.send(
      { ...request, route: { ...toRouteOf('a'), chat: toChatId('a b') } },
      options,
    );
    await expect(sending).rejects.toMatchObject({
      code: 'unreachable-chat',
      outcome: 'none',
      retry: { kind: 'never' },
    });
  });

  test('that cannot be stored has certainly not happened', async () => {
    const { pageLog } = createMemoryStores();
    const failing = { ...pageLog, append: () => Promise.reject(new Error('the disk is full')) };
    const { face } = createPage({ pageLog: failing });
    const sending = face.adapter.send({ ...request, route: toRouteOf('main') }, options);
    await expect(sending).rejects.toBeInstanceOf(PlatformError);
    await expect(sending).rejects.toMatchObject({
      code: 'unavailable',
      outcome: 'none',
      retry: { kind: 'later' },
    });
  });
});

/** A person at the page, which sends again what was not taken. */
const createHarness = async () => {
  const { face, clock, pageLog } = createPage();
  const unsent: { text: string; key: string }[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    for (const { text, key } of unsent.splice(0)) {
      const response = await fetch(new URL('/api/sessions/main/messages', face.url()), {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: JSON.stringify({ text }),
      });
      if (response.status >= 500) unsent.push({ text, key });
    }
  };
  return {
    definition: web,
    adapter: face.adapter,
    route: toRouteOf('main'),
    shown: async () =>
      (await pageLog.history('main', { limit: 100 }))
        .filter(({ role }) => role === 'assistant')
        .map(({ text }) => text),
    say: (text: string) => {
      count += 1;
      unsent.push({ text, key: `key-${count}` });
      return flush();
    },
    pass: async (ms: number) => {
      await clock.advance(ms);
      await flush();
    },
    oversized: { text: 'x'.repeat(1_000_001), payload: null },
    dispose: async () => {},
  };
};

platformSuite('web', createHarness);

test('the face and the platform are one', async () => {
  const { clock, logger, pageLog } = createPage();
  const face = await createWebFace(webSection.parse({ port: 0 }), {
    clock,
    logger,
    pageLog,
    media: createMemoryMedia(),
    redact: (text) => text,
    folder: '/nowhere',
    ids: { next: () => 'id' as never },
    notes: createMemoryNotes(),
    services: someGatewayServices(),
  });
  expect(face.url()).toBeUndefined();
  expect(face.adapter.platform).toBe(web.id);
});
