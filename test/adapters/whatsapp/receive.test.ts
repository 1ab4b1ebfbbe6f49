import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { later, StoreError } from '../../../src/core/errors.js';
import { KeepingSink, runAdapter } from '../adapter-bed.js';
import { ann, anySignal, bob, bot, createBed, group, type WhatsAppBed } from './harness.js';

let bed: WhatsAppBed;
afterEach(() => bed.dispose());

const textsOf = (sink: KeepingSink): readonly string[] =>
  sink.events.flatMap((event) =>
    'parts' in event ? event.parts.map((part) => (part.type === 'text' ? part.text : part.type)) : [],
  );

describe('what arrives', () => {
  test('WA-01 in private and in a group a person is one, by hidden id or number', async () => {
    bed = await createBed();
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await bed.control.phone(ann).sends('one');
    await bed.sink.waitFor(1);
    await bed.control.phone(ann).sends('two', { chat: group });
    await bed.sink.waitFor(2);
    await bed.control.phone(ann).sends('three', { addressing: 'pn' });
    await bed.sink.waitFor(3);
    await bed.control.phone(bob).sends('four');
    await bed.sink.waitFor(4);
    await running.stop();
    expect(bed.sink.events.map(({ sender, origin }) => [sender.user, origin.chat])).toEqual([
      [`+${ann}`, `+${ann}`],
      [`+${ann}`, group],
      [`+${ann}`, `+${ann}`],
      [`+${bob}`, `+${bob}`],
    ]);
    expect(bed.sink.events[1]?.origin.chatTitle).toBe('Plans');
  });

  test('WA-05 what is days old is left alone, and what waited while we were away is taken', async () => {
    bed = await createBed();
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    const sentAt = Date.now() - 3 * 24 * 3_600_000;
    await bed.control.phone(ann).sends('old', { append: true, sentAt });
    await bed.control.phone(ann).sends('old', { sentAt });
    await bed.control.phone(ann).sends('waited', { append: true });
    await bed.control.phone(ann).sends('new');
    await bed.sink.waitFor(2);
    await running.stop();
    expect([...textsOf(bed.sink)].sort()).toEqual(['new', 'waited']);
  });

  test('WA-04 in the chat with oneself our own answers are no questions', async () => {
    bed = await createBed({ section: { mode: 'self-chat' } });
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await bed.control.phone(bot).sends('mine', { chat: bot });
    await bed.sink.waitFor(1);
    const route = bed.routeTo(`+${bot}`);
    const [encoded] = bed.adapter.encode([{ type: 'text', text: '**done**' }], route);
    if (encoded === undefined) throw new Error('the text gives no message');
    await bed.adapter.send({ route, encoded, idempotencyKey: 'k' }, anySignal());
    await bed.control.phone(bot).sends('*done*', { chat: bot, append: true });
    await bed.control.phone(bot).sends('mine again', { chat: bot });
    await bed.sink.waitFor(2);
    await running.stop();
    expect(textsOf(bed.sink)).toEqual(['mine', 'mine again']);
  });

  test('what could not be stored before a kill is offered after it', async () => {
    bed = await createBed();
    const sink = new KeepingSink();
    sink.answer = async () => {
      throw new StoreError({ code: 'full', message: 'the disk is full', retry: later });
    };
    const running = bed.run(sink);
    await running.waitForStatus(({ state }) => state === 'connected');
    await bed.control.phone(ann).sends('keep me');
    await running.waitForStatus(({ state }) => state === 'unhealthy');
    await running.stop();
    await bed.clock.advance(1_000);
    const next = runAdapter(await bed.restart(), bed.sink);
    await bed.sink.waitFor(1);
    expect(textsOf(bed.sink)).toEqual(['keep me']);
    await vi.waitUntil(async () => (await readdir(join(bed.folder, 'held'))).length === 0);
    await next.stop();
  });
});

describe('a connection that ends', () => {
  test('WA-09 comes back at once after 515, after a pause after 503', async () => {
    bed = await createBed();
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await bed.control.end('restart');
    await bed.control.wait({ kind: 'logins', count: 2 });
    await bed.control.waitForReady();
    await bed.control.end('unavailable');
    const { detail } = await running.waitForStatus(({ state }) => state === 'unhealthy');
    expect(detail).toContain('503');
    await vi.waitUntil(
      async () => {
        await bed.clock.advance(250);
        return (await bed.control.state()).logins === 3;
      },
      { timeout: 10_000 },
    );
    await running.stop();
  });

  test.each([
    ['revoked', /unlinked.*hermes whatsapp login/u, true],
    ['conflict', /Another program/u, false],
  ] as const)(
    'WA-09 %s stops it and says what to do; credentials are never deleted',
    async (ending, words, isAside) => {
      bed = await createBed();
      const running = bed.run();
      await running.waitForStatus(({ state }) => state === 'connected');
      await bed.control.end(ending);
      const { detail } = await running.waitForStatus(({ state }) => state === 'stopped');
      expect(detail).toMatch(words);
      const names = await readdir(bed.folder);
      expect(names.some((name) => name.startsWith('session.unlinked-'))).toBe(isAside);
      expect(names.includes('session')).toBe(!isAside);
      await running.stop();
    },
  );

  test('a server with a chain of certificates that is not signed by the root is not spoken to', async () => {
    bed = await createBed({ world: { certificate: 'forged' } });
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'unhealthy');
    expect((await bed.control.state()).logins).toBe(0);
    await running.stop();
  });
});
