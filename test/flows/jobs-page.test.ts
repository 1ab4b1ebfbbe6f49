import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { executablePath, launch, openPage } from './browser.js';
import { createWorld, type World } from './world.js';

let browser: Browser;

const create = async (
  world: World,
  request: Parameters<World['daemon']['services']['jobs']['create']>[0],
) => {
  const answer = await world.daemon.services.jobs.create({ prompt: 'Look.', deliver: 'local', ...request });
  if (!answer.ok) throw new Error(answer.problem);
  return answer.job;
};

const untilEnded = (world: World, count: number) =>
  expect
    .poll(
      async () =>
        (await world.daemon.services.jobs.runs(undefined, 50)).filter(({ state }) => state === 'ended')
          .length,
      { timeout: 10_000 },
    )
    .toBe(count);

const focused =
  'document.activeElement.id || document.activeElement.name || document.activeElement.textContent';

describe.skipIf(executablePath === undefined)('the page of jobs in Chromium', () => {
  beforeAll(async () => {
    browser = await launch(executablePath ?? '');
  });
  afterAll(() => browser?.close());

  test('makes a job, tells when it would run, and shows it with its next runs', async () => {
    const world = await createWorld({ settings: 'timezone: Europe/Berlin' });
    const { page, complaints } = await openPage(browser, world);
    await page.getByRole('link', { name: 'Scheduled jobs' }).click();
    await page.getByRole('heading', { name: 'Nothing is scheduled' }).waitFor();
    await page.getByRole('button', { name: 'New job' }).click();
    await page.getByLabel('When').fill('every weekday at 25');
    await page.getByText('cannot be read').waitFor();
    await page.getByLabel('When').fill('every weekday at 9am');
    await page.getByText('on the clocks of Europe/Berlin').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The prompt is missing').waitFor();
    await page.getByLabel('What is to be done').fill('What changed?');
    await page.locator('#job-form').getByLabel('Name').fill('repo <b>watch</b>');
    await page.getByRole('button', { name: 'Save' }).click();
    const card = page.locator('.job');
    await card.getByRole('heading', { name: 'repo <b>watch</b>' }).waitFor();
    expect(await card.locator('.next-runs li').count()).toBe(3);
    expect(await card.textContent()).toContain('every weekday at 09:00');
    expect(await card.locator('.zone').textContent()).toBe('Europe/Berlin');
    expect(await world.daemon.services.jobs.list()).toMatchObject([
      { name: 'repo <b>watch</b>', prompt: 'What changed?', deliver: 'local' },
    ]);
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });

  test('runs, pauses, changes and deletes one, and shows what came of it', async () => {
    const world = await createWorld();
    await world.model.respond(text('# Report\n\n<img src=x onerror="window.pwned=1"> **two** commits'));
    await create(world, { name: 'watch', schedule: '@daily' });
    const { page } = await openPage(browser, world);
    await page.goto(`${world.pageUrl()}#/jobs`);
    const card = page.locator('.job');
    await card.getByRole('button', { name: 'Run now' }).click();
    await untilEnded(world, 1);
    await card.getByText('ok, kept').first().waitFor();
    await card.getByText('Last output').click();
    await card.locator('.run-output strong').getByText('two').waitFor();
    expect(await card.locator('.run-output img').count()).toBe(0);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    await card.getByText('History').click();
    await expect.poll(() => card.locator('.job-history li').count()).toBe(1);
    await card.getByRole('button', { name: 'Pause' }).press('Enter');
    await card.getByText('paused', { exact: true }).waitFor();
    expect(await page.evaluate(focused)).toBe('Resume');
    // What was open stays open.
    expect(await card.locator('.job-history li').count()).toBe(1);
    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('When').fill('every 2h');
    await page.getByRole('button', { name: 'Save' }).click();
    await card.getByText('every 2 hours').waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await card.count()).toBe(1);
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.locator('#confirm').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Nothing is scheduled' }).waitFor();
    expect(await world.daemon.services.jobs.list()).toEqual([]);
  });

  test('fits a phone, in the light and in the dark, and can be used by the keyboard alone', async () => {
    const world = await createWorld();
    const name = 'w'.repeat(80);
    await create(world, {
      name,
      schedule: '*/10 9-17 * * 1-5',
      deliver: 'web:main',
      prompt: 'p'.repeat(400),
    });
    const { page } = await openPage(browser, world);
    await page.goto(`${world.pageUrl()}#/jobs`);
    await page.getByRole('heading', { name }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 360, 320]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        const boxes = await page.locator('.job, .job-actions button, #job-add').all();
        for (const box of await Promise.all(boxes.map((one) => one.boundingBox()))) {
          expect(box?.x).toBeGreaterThanOrEqual(0);
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        }
      }
    await page.locator('#job-add').press('Enter');
    await expect.poll(() => page.evaluate(focused)).toBe('schedule');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(focused)).toBe('job-add');
  });

  test('a chat is deleted by its button once that is confirmed, and one that was deleted elsewhere goes', async () => {
    const world = await createWorld();
    const { page, say, shows } = await openPage(browser, world, { chat: 'one' });
    await say('first');
    await shows('you: first', /^agent: /u);
    await page.goto(`${world.pageUrl()}#two`);
    await say('second');
    await shows('you: second', /^agent: /u);
    const forget = page.getByRole('button', { name: 'Delete the chat first' });
    await forget.waitFor();
    await forget.press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await forget.press('Enter');
    await page.locator('#confirm').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.locator('#chats li').count()).toBe(1);
    await fetch(new URL('/api/sessions/two', world.pageUrl()), { method: 'DELETE' });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.getByText('This chat was deleted.').waitFor();
    await expect.poll(() => page.locator('#log > *').count()).toBe(0);
    expect(await page.locator('#chats li').allTextContents()).toEqual(['New chat']);
  });
});
