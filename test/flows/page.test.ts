import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toMessageId } from '../../src/core/ids.js';
import { openSqliteStores } from '../../src/store/index.js';
import { badKey, deltas, slowly, text, toolCall } from '../emulators/openai/control.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { executablePath, launch, openPage } from './browser.js';
import { createLine } from './cut-line.js';
import { createWorld } from './world.js';

const todo = toolCall('todo', { todos: [{ id: '1', content: 'milk', status: 'pending' }] });

interface Scroller {
  readonly scrollHeight: number;
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  scrollTo(x: number, y: number): void;
}

const belowOf = (node: Scroller): number => node.scrollHeight - node.scrollTop - node.clientHeight;
const asideOf = (node: Scroller): number => node.scrollWidth - node.clientWidth;

let browser: Browser;

// Without a browser nothing of this can be seen: `npm test` installs Chromium where it may, and says so elsewhere.
describe.skipIf(executablePath === undefined)('the page in Chromium', () => {
  beforeAll(async () => {
    browser = await launch(executablePath ?? '');
  });
  afterAll(() => browser?.close());

  test('shows an answer while it is written, and as what it means', async () => {
    const world = await createWorld();
    const answer = [
      'Here **is',
      ' it**:\n\n',
      '```js\nlet a = 1;\n```\n',
      '\n| a | b |\n|---|---|\n| 1 | 2 |',
    ];
    await world.model.respond(slowly(deltas(answer)));
    const { page, say, shows, complaints } = await openPage(browser, world);
    await say('show me');
    await world.model.release('slow', 3);
    await shows('you: show me', /^agent draft: Here/u);
    await world.model.openGate('slow');
    await page.locator('.message.from-agent:not(.is-draft)').waitFor();
    const body = page.locator('.from-agent .body');
    expect(await body.locator('strong').textContent()).toBe('is it');
    expect(await body.locator('pre code').textContent()).toBe('let a = 1;');
    expect(await body.locator('td').allTextContents()).toEqual(['1', '2']);
    expect(complaints).toEqual([]);
  });

  test('stops an answer, which then stands there once, also when the connection is lost meanwhile', async () => {
    const world = await createWorld();
    const line = await createLine();
    const { page, say, shows, isConnected } = await openPage(browser, world, { proxy: line.proxy });
    const stop = page.locator('#stop');
    const stopped = ['you: write', /^agent: It grows.* …\(stopped\)$/u];
    for (const chat of ['held', 'lost']) {
      await world.model.closeGate('slow');
      await world.model.respond(slowly(deltas(['It ', 'grows ', 'and ', 'grows ', 'on ', 'and on'])));
      await page.goto(`${world.pageUrl()}#${chat}`);
      await isConnected();
      await say('write');
      await world.model.release('slow', 5);
      await shows('you: write', /^agent draft: It grows/u);
      if (chat === 'held') await stop.click();
      else {
        line.cut();
        await page.locator('#app[data-connection=lost]').waitFor();
        await stop.click();
        // What cannot be asked for can be asked again.
        await expect.poll(() => stop.isEnabled()).toBe(true);
        const address = new URL(`/api/sessions/${chat}/cancel`, world.pageUrl());
        await fetch(address, { method: 'POST' });
        line.mend();
      }
      await shows(...stopped);
      await stop.waitFor({ state: 'hidden' });
      await page.reload();
      await shows(...stopped);
    }
  });

  test('shows after a reload what it showed before: tools, failures, and how to try again', async () => {
    const world = await createWorld();
    await world.model.respond(todo, text('Noted.'), badKey(), text('Now it works.'));
    const { page, say, shows } = await openPage(browser, world);
    await say('buy milk');
    const noted = ['you: buy milk', /^tool: todo .*done$/u, 'agent: Noted.'];
    await shows(...noted);
    await say('and bread');
    await shows(...noted, 'you: and bread', /^agent error: .*key/u);
    await page.reload();
    await shows(...noted, 'you: and bread', /^agent error: .*key/u);
    await page.getByRole('button', { name: 'Try again' }).click();
    await shows(...noted, 'you: and bread', /^agent error: .*key/u, 'you: and bread', 'agent: Now it works.');
  });

  test('sends a picture and shows it', async () => {
    const world = await createWorld();
    const { page, say, shows } = await openPage(browser, world);
    const picture =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    const file = { name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') };
    await page.locator('#chooser').setInputFiles([file, { ...file, name: 'other.png' }]);
    await page.getByRole('button', { name: 'Leave out other.png' }).click();
    await say('what is this?');
    await shows('you: what is this?', /^agent: /u);
    const image = page.locator('.from-user img');
    await image.waitFor();
    await expect.poll(() => image.evaluate((node: { naturalWidth: number }) => node.naturalWidth)).toBe(1);
    expect(await image.getAttribute('alt')).toBe('red.png');
  });

  test('opens a conversation of a thousand messages at its end, and goes back in it without losing the place', async () => {
    const world = await createWorld({ isStarted: false });
    const file = join(world.home, 'state.db');
    const stores = await openSqliteStores({ file, now: () => 0, logger: new MemoryLogger() });
    for (let index = 1; index <= 1_000; index += 1)
      await stores.pageLog.append({
        session: 'main',
        type: 'message',
        message: toMessageId(`m${index}`),
        role: index % 2 === 1 ? 'user' : 'assistant',
        text: `Message **${index}**\n\n- one\n- two\n\n\`\`\`\ncode ${index}\n\`\`\``,
        at: world.clock.now() - 1_000 + index,
      });
    await stores.close();
    await world.start();
    const startedAt = performance.now();
    const { page } = await openPage(browser, world);
    await page.getByText('code 1000').waitFor();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await page.locator('#scroller').evaluate(belowOf)).toBeLessThan(2);
    const entries = page.locator('#log > *');
    expect(await entries.count()).toBe(60);
    const first = entries.first();
    await first.scrollIntoViewIfNeeded();
    await page.locator('#scroller').evaluate((node: Scroller) => node.scrollTo(0, 0));
    const was = await first.boundingBox();
    const old = await first.elementHandle();
    await page.locator('#earlier').click();
    await expect.poll(() => entries.count()).toBe(120);
    expect(Math.abs(((await old?.boundingBox())?.y ?? 0) - (was?.y ?? 0))).toBeLessThan(60);
  });

  test('lets nothing that is written run', async () => {
    const world = await createWorld();
    const attack = [
      '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
      '[click](javascript:window.pwned=1) ![p](https://example.invalid/x.png)',
      '<svg onload=window.pwned=1> [d](data:text/html,<script>1</script>) <javascript:window.pwned=1>',
      '```html\n<img src=x onerror=window.pwned=1>\n```',
    ].join('\n\n');
    await world.model.respond(text(attack), badKey());
    const { page, say, shows, complaints } = await openPage(browser, world);
    await say(attack);
    await shows(/^you: <img/u, /^agent: <img/u);
    await page.reload();
    await shows(/^you: <img/u, /^agent: <img/u);
    const log = page.locator('#log');
    expect(await log.locator('img, script, svg, iframe').count()).toBe(0);
    for (const link of await log.locator('a').all())
      expect(await link.getAttribute('href')).toMatch(/^https?:/u);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('keeps what is written while the connection is lost, and sends it once', async () => {
    const world = await createWorld();
    const line = await createLine();
    const { page, say, shows, isConnected } = await openPage(browser, world, { proxy: line.proxy });
    line.cut();
    await page.locator('#app[data-connection=lost]').waitFor();
    await say('first');
    await say('second');
    await shows('you waiting: first', 'you waiting: second');
    expect(await page.locator('#connection').textContent()).toContain('Connection lost');
    line.mend();
    await isConnected();
    await expect.poll(() => page.locator('.from-agent').count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.is-waiting').count()).toBe(0);
    const users = await page.locator('.from-user .body').allTextContents();
    expect(users).toEqual(['first', 'second']);
    expect((await world.model.requests()).length).toBeLessThanOrEqual(2);
  });

  test('fits a phone, in the light and in the dark', async () => {
    const world = await createWorld();
    const wide = `| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${'cell | '.repeat(12)}`;
    const long = `https://example.org/${'a'.repeat(300)}`;
    await world.model.respond(todo, text(`${wide}\n\n${long}\n\n\`\`\`\n${'x'.repeat(300)}\n\`\`\``));
    const { page, say, shows } = await openPage(browser, world);
    await say(`look ${'w'.repeat(200)}`);
    await shows(/^you: look/u, /^tool: /u, /^agent: column/u);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 360, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.locator('#scroller').evaluate(asideOf)).toBe(0);
        for (const name of ['#composer', '#send', '.from-agent', '.from-user', '.topbar']) {
          const box = await page.locator(name).first().boundingBox();
          expect(box?.x, name).toBeGreaterThanOrEqual(0);
          expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(width);
        }
        const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        const [red = 0] = String(background).match(/\d+/gu)?.map(Number) ?? [];
        expect(colorScheme === 'dark' ? red < 64 : red > 192).toBe(true);
        expect((await page.screenshot()).byteLength).toBeGreaterThan(5_000);
      }
  });

  test('can be used by the keyboard alone', async () => {
    const world = await createWorld();
    await world.model.respond(slowly(deltas(['It ', 'grows ', 'on ', 'and on'])));
    const { page, shows } = await openPage(browser, world, { viewport: { width: 400, height: 700 } });
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.className');
    for (let presses = 0; presses < 15 && (await focused()) !== 'skip'; presses += 1)
      await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('composer-text');
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await world.model.release('slow', 3);
    await shows('you: one two', /^agent draft: It/u);
    for (let presses = 0; presses < 3 && (await focused()) !== 'stop'; presses += 1)
      await page.keyboard.press('Tab');
    expect(await focused()).toBe('stop');
    await page.keyboard.press('Enter');
    await shows('you: one two', /^agent: It.* …\(stopped\)$/u);
    expect(await focused()).toBe('composer-text');
    await page.locator('#open-sidebar').press('Enter');
    expect(await focused()).toBe('new-chat');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('open-sidebar');
  });
});
