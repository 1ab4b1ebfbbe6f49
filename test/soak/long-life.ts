import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createHome, loggedErrors, startDaemon } from '../crash/daemon.js';
import { createRandom, type Random } from '../crash/random.js';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl, type TelegramControl } from '../emulators/telegram/control.js';
import type { SoakPart } from './part.js';

const CHATS = 200;
const FIRST_CHAT = 1001;
const MESSAGES = 20_000;
const LOOK_EVERY = 1_000;
/** The first quarter fills caches and compiles code; then the second is measured against the last. */
const QUARTERS = 4;
const MAX_GROWTH = 1.1;
const PUSHERS = 8;
const MIB = 1024 * 1024;
const TIMEOUT_MS = 120_000;

interface ProbeLine {
  readonly heapBytes?: number;
  readonly open?: readonly string[];
}

const readProbe = (file: string): readonly ProbeLine[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ProbeLine);
  } catch {
    return [];
  }
};

/** Waits until the probe has told once more. */
const nextHeapBytes = async (file: string, before: number): Promise<number> => {
  for (;;) {
    const looks = readProbe(file).flatMap(({ heapBytes }) => heapBytes ?? []);
    const last = looks.at(-1);
    if (looks.length > before && last !== undefined) return last;
    await setImmediate();
  }
};

const textOf = (round: number, chat: number): string => `r${round}c${chat}.`;

/** One message to every chat, in an order of chance, and every answer awaited. */
const playRound = async (telegram: TelegramControl, round: number, random: Random): Promise<void> => {
  const all = Array.from({ length: CHATS }, (_, index) => FIRST_CHAT + index);
  const chats = [...random.sample(all, CHATS)];
  await telegram.clearCalls();
  const push = async (): Promise<void> => {
    for (let chat = chats.pop(); chat !== undefined; chat = chats.pop())
      await telegram.sendDirect(chat, textOf(round, chat));
  };
  await Promise.all(Array.from({ length: PUSHERS }, push));
  await telegram.wait(
    { kind: 'calls', method: 'sendMessage', textContains: `r${round}c`, count: CHATS },
    { timeoutMs: TIMEOUT_MS },
  );
};

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** Every message answered once, in its chat's order; a heap that stays as it is; nothing left open at the end. */
export const longLife: SoakPart = {
  name: 'long-life',
  run: async ({ seed, share, distMain, telegramUrl, openaiUrl, say }) => {
    const telegram = createTelegramControl(telegramUrl, '400002:soak-0123456789abcdefghij');
    const openai = createOpenAiControl(openaiUrl, 'sk-soak-long');
    await Promise.all([telegram.reset(), openai.reset({ logCapacity: 1 })]);
    const section = { token: telegram.token, api_root: telegramUrl, streaming: false };
    const home = createHome({
      platforms: { telegram: section },
      openaiBaseUrl: openai.baseUrl,
      openaiKey: openai.key,
    });
    const folder = mkdtempSync(join(tmpdir(), 'hermes-probe-'));
    const probeFile = join(folder, 'probe.jsonl');
    const probe = new URL('./probe.mjs', import.meta.url).href;
    const daemon = startDaemon(distMain, home, { NODE_OPTIONS: `--import=${probe}`, PROBE_FILE: probeFile });
    const rounds = Math.max(QUARTERS, Math.ceil((MESSAGES * share) / CHATS));
    const random = createRandom(seed);
    const heaps: number[] = [];
    const problems: string[] = [];
    try {
      await telegram.waitForPoll();
      for (let round = 0; round < rounds; round += 1) {
        await playRound(telegram, round, random);
        if (((round + 1) * CHATS) % LOOK_EVERY !== 0) continue;
        daemon.kill('SIGUSR2');
        heaps.push(await nextHeapBytes(probeFile, heaps.length));
        say(`${(round + 1) * CHATS} messages: heap ${((heaps.at(-1) ?? 0) / MIB).toFixed(1)} MiB`);
      }
      for (let chat = FIRST_CHAT; chat < FIRST_CHAT + CHATS; chat += 1) {
        const expected = Array.from({ length: rounds }, (_, round) => `echo: ${textOf(round, chat)}`);
        const shown = await telegram.botTexts(chat);
        if (shown.join('|') !== expected.join('|'))
          problems.push(`chat ${chat}: ${shown.length} answers to ${rounds} messages, or not in their order`);
      }
    } finally {
      daemon.kill('SIGTERM');
      const { code, signal } = await daemon.exited;
      if (code !== 0) problems.push(`the gateway ended with ${code ?? signal}`);
      problems.push(...loggedErrors(home, daemon).map((line) => `logged ${line}`));
      home.remove();
    }
    const open = readProbe(probeFile).flatMap((line) => line.open ?? []);
    if (open.length > 0) problems.push(`left open at the end: ${open.join(', ')}`);
    rmSync(folder, { recursive: true, force: true });
    const size = Math.floor(heaps.length / QUARTERS);
    const [early, late] = [mean(heaps.slice(size, 2 * size)), mean(heaps.slice(-size))];
    if (size > 0 && late > early * MAX_GROWTH)
      problems.push(`the heap grew from ${(early / MIB).toFixed(1)} to ${(late / MIB).toFixed(1)} MiB`);
    const figures = `heap ${(early / MIB).toFixed(1)} MiB in the second quarter, ${(late / MIB).toFixed(1)} MiB in the last`;
    return { summary: `${rounds * CHATS} messages over ${CHATS} chats, ${figures}`, problems };
  },
};
