/** A real browser before the chat page of a world. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findProgram, chromium as program } from '../../scripts/system-programs.mjs';
import type { World } from './world.js';

/** Undefined where there is none, which skips the tests. */
export const executablePath = findProgram(program);

/** Long enough for a machine whose cores are busy; nothing waits for it to pass. */
const PATIENCE_MS = 15_000;

export const launch = (path: string): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export interface Sight {
  readonly page: Page;
  /** What the page complained of: errors that nobody caught, and messages of its console. */
  readonly complaints: string[];
  /** Types a text into the field and presses Enter. */
  say(text: string): Promise<void>;
  /** The entries of the conversation, each as `who: what`. */
  log(): Promise<readonly string[]>;
  /** Waits until the conversation is so. */
  shows(...entries: readonly (string | RegExp)[]): Promise<void>;
  /** Resolves once the page follows its conversation. */
  isConnected(): Promise<void>;
}

/** A conversation that nobody has opened before, in a browser that knows nothing of the page. */
export const openPage = async (
  browser: Browser,
  world: World,
  { chat = 'main', ...options }: BrowserContextOptions & { readonly chat?: string } = {},
): Promise<Sight> => {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${world.pageUrl()}#${chat}`);

  const log = async (): Promise<readonly string[]> => {
    const entries = await page.locator('#log > *').all();
    return Promise.all(
      entries.map(async (entry) => {
        const who = (await entry.getAttribute('class')) ?? '';
        const body = entry.locator('.body');
        const text = who.startsWith('tool')
          ? ((await entry.textContent()) ?? '')
          : ((await body.textContent()) ?? '');
        return `${nameOf(who)}: ${text.replace(/\s+/gu, ' ').trim()}`;
      }),
    );
  };
  const isConnected = (): Promise<void> => page.locator('#app[data-connection=open]').waitFor();
  await isConnected();
  return {
    page,
    complaints,
    log,
    isConnected,
    say: async (text) => {
      await page.locator('#composer-text').fill(text);
      await page.keyboard.press('Enter');
    },
    shows: (...entries) =>
      expect
        .poll(log, { timeout: PATIENCE_MS, interval: 30 })
        .toEqual(entries.map((entry) => (typeof entry === 'string' ? entry : expect.stringMatching(entry)))),
  };
};

const nameOf = (classes: string): string => {
  if (classes.startsWith('tool')) return 'tool';
  if (classes.startsWith('notice')) return 'notice';
  const who = classes.includes('from-user') ? 'you' : 'agent';
  const state = ['is-draft', 'is-waiting', 'is-failed', 'is-error'].find((name) => classes.includes(name));
  return state === undefined ? who : `${who} ${state.slice('is-'.length)}`;
};
