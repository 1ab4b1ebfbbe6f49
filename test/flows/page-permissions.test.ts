import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { executablePath, launch, openPage } from './browser.js';
import { createWorld, user, type World } from './world.js';

const secretly = (message = 'psst') =>
  toolCall('send_message', { action: 'send', target: `telegram:${user}`, message });

const begin = async (message?: string): Promise<World> => {
  const world = await createWorld();
  await world.telegram.sendDirect(user, '/whoami');
  await world.telegram.waitForBotMessages(user, 1);
  await world.model.respond(secretly(message), text('so be it'));
  return world;
};

const toOther = async ({ telegram }: World): Promise<readonly string[]> =>
  (await telegram.botTexts(user)).filter((words) => words.startsWith('psst'));

interface Seen {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a program hears of a session. */
const listen = async (world: World, session: string) => {
  const response = await fetch(new URL(`/api/sessions/${session}/events`, world.pageUrl()));
  const seen: Seen[] = [];
  const reader = response.body?.getReader();
  const until = async (event: string): Promise<Seen['data']> => {
    let rest = '';
    for (;;) {
      const found = seen.find((one) => one.event === event);
      if (found !== undefined) return found.data;
      const piece = await reader?.read();
      if (piece?.value === undefined) throw new Error('the stream ended');
      rest += new TextDecoder().decode(piece.value);
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const [, name = ''] = /^event: (.*)$/mu.exec(frame) ?? [];
        const [, data = '{}'] = /^data: (.*)$/mu.exec(frame) ?? [];
        seen.push({ event: name, data: JSON.parse(data) as Seen['data'] });
      }
    }
  };
  return { until, stop: () => reader?.cancel() };
};

const post = (world: World, path: string, body: unknown) =>
  fetch(new URL(path, world.pageUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('over HTTP', () => {
  test('SC-03 a request is told by an event and answered once', async () => {
    const world = await begin();
    const { until, stop } = await listen(world, 'api');
    await post(world, '/api/sessions/api/messages', { text: 'tell the other' });
    const request = await until('permission_request');
    expect(request).toMatchObject({
      tool: 'send_message',
      category: 'system',
      grantKey: `telegram:${user}`,
      arguments: `To telegram:${user}:\npsst`,
      expiresAt: world.clock.now() + 30_000,
    });
    const id = String(request['id']);
    const pending = await (await fetch(new URL('/api/permissions?session=api', world.pageUrl()))).json();
    expect(pending).toMatchObject({ pending: [{ id, remainingMs: 30_000 }] });
    expect((await post(world, '/api/permissions/qst_no', { decision: 'allow' })).status).toBe(404);
    expect((await post(world, `/api/permissions/${id}`, { decision: 'perhaps' })).status).toBe(400);
    const answers = await Promise.all(
      [1, 2, 3].map(() => post(world, `/api/permissions/${id}`, { decision: 'allow' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await until('permission_resolved')).toEqual({ id, outcome: 'allowed', by: 'web:owner' });
    await world.telegram.waitForMessage(user, 'psst');
    expect(await toOther(world)).toEqual(['psst']);
    await stop();
  });

  test('SC-04 without an answer it is over in time: 409, and the model is told so', async () => {
    const world = await begin();
    const { until, stop } = await listen(world, 'api');
    await post(world, '/api/sessions/api/messages', { text: 'tell the other' });
    const id = String((await until('permission_request'))['id']);
    await world.clock.advance(30_100);
    expect(await until('permission_resolved')).toEqual({ id, outcome: 'timed_out' });
    expect((await post(world, `/api/permissions/${id}`, { decision: 'allow' })).status).toBe(409);
    expect(await (await fetch(new URL('/api/permissions', world.pageUrl()))).json()).toEqual({ pending: [] });
    expect(JSON.stringify((await world.model.requests()).at(-1)?.body)).toContain('denied (no answer)');
    expect(await toOther(world)).toEqual([]);
    await stop();
  });

  test('SC-09 plain words on the page answer nothing', async () => {
    const world = await begin();
    const { until, stop } = await listen(world, 'api');
    await post(world, '/api/sessions/api/messages', { text: 'tell the other' });
    const id = String((await until('permission_request'))['id']);
    for (const words of ['yes', '1', '可以'])
      await post(world, '/api/sessions/api/messages', { text: words });
    expect(await (await fetch(new URL('/api/permissions', world.pageUrl()))).json()).toMatchObject({
      pending: [{ id }],
    });
    await post(world, `/api/permissions/${id}`, { decision: 'deny', reason: 'not now' });
    await until('permission_resolved');
    await until('message');
    expect(await toOther(world)).toEqual([]);
    await expect
      .poll(async () => JSON.stringify((await world.model.requests()).at(-1)?.body))
      .toContain('Their reason: not now');
    await stop();
  });
});

describe.skipIf(executablePath === undefined)('the card on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executablePath ?? '');
  });
  afterAll(() => browser.close());

  const card = '.permission';

  test('counts down, never takes the focus, works by the keyboard, and says what became of it', async () => {
    const world = await begin(`psst <img src=x onerror=alert(1)> \u202egnp ${'long '.repeat(300)}`);
    const { page, say, complaints } = await openPage(browser, world);
    await say('tell the other');
    await page.locator(`${card}.is-open`).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('composer-text');
    expect(await page.locator(`${card} img`).count()).toBe(0);
    expect(await page.locator('.permission-arguments').textContent()).toContain('⟨U+202E⟩gnp');
    const left = async (): Promise<number> =>
      Number.parseInt((await page.locator('.permission-left').textContent()) ?? '', 10);
    const before = await left();
    expect(before).toBeGreaterThan(20);
    expect(before).toBeLessThanOrEqual(30);
    await expect.poll(left, { timeout: 5000 }).toBeLessThan(before);
    await page.keyboard.type('yes 1');
    expect(await page.locator(`${card}.is-open`).count()).toBe(1);
    await page.locator('.permission-answer.is-once').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Always');
    await page.keyboard.press('Enter');
    await page.locator(`${card}.is-allowed`).waitFor();
    expect(await page.locator('.permission-outcome').textContent()).toBe('Allowed by web:owner');
    await expect.poll(() => page.locator('.permission form').isHidden()).toBe(true);
    await expect.poll(() => toOther(world)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('is refused with a reason, by the short cut too, and shows the end of what nobody answered', async () => {
    const world = await begin();
    const { page, say } = await openPage(browser, world);
    await say('tell the other');
    await page.locator('.permission-reason').fill('she sleeps');
    await page.locator('.permission-reason').press('Enter');
    await page.locator(`${card}.is-denied`).waitFor();
    await world.model.respond(secretly('two'), text('as you wish'));
    await say('again');
    await page.locator(`${card}.is-open`).waitFor();
    await page.keyboard.press('Alt+4');
    await expect.poll(() => page.locator(`${card}.is-denied`).count()).toBe(2);
    await world.model.respond(secretly('three'), text('nobody there'));
    await say('and again');
    await page.locator(`${card}.is-open`).waitFor();
    await world.clock.advance(30_100);
    await page.locator(`${card}.is-timed_out`).waitFor();
    expect(await toOther(world)).toEqual([]);
  });

  test('is there after a reload, with the time that is left, and fits small and dark screens', async () => {
    const world = await begin();
    const { page, say } = await openPage(browser, world);
    await say('tell the other');
    await page.locator(`${card}.is-open`).waitFor();
    await world.clock.advance(21_000);
    await page.reload();
    await page.locator(`${card}.is-open.is-urgent`).waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1100, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        for (const button of await page.locator('.permission-answer').all()) {
          const box = await button.boundingBox();
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
          expect(box?.height).toBeGreaterThanOrEqual(40);
        }
        expect((await page.screenshot()).byteLength).toBeGreaterThan(5_000);
      }
    await page.locator('.permission-answer.is-deny').click();
    await page.locator(`${card}.is-denied`).waitFor();
  });
});
