import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../bench/percentile.js';
import { createHome, loggedErrors, startDaemon } from '../crash/daemon.js';
import { createDiscordControl } from '../emulators/discord/control.js';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl, type TelegramControl } from '../emulators/telegram/control.js';
import type { SoakPart } from './part.js';

const MESSAGES = 5_000;
const FLOOD_MS = 10_000;
/** Dispatched together, so many times. */
const WAVES = 100;
/** A thousand messages each. Many more people would keep the far side's model busy, which both platforms share. */
const PEOPLE = 5;
const FIRST_PERSON = 800_000_000_005_000n;
const PERSON = 7001;
const CALM_MESSAGES = 60;
const MAX_RATIO = 1.5;
const TIMEOUT_MS = 120_000;

/** From a message on Telegram to its answer, in ms, one after the other until `isOver`. */
const measure = async (
  telegram: TelegramControl,
  kind: string,
  isOver: (count: number) => boolean,
): Promise<readonly number[]> => {
  const times: number[] = [];
  while (!isOver(times.length)) {
    const text = `${kind}${String(times.length).padStart(4, '0')}`;
    const startedAt = performance.now();
    await telegram.sendDirect(PERSON, text);
    await telegram.wait({ kind: 'message', chatId: PERSON, contains: text }, { timeoutMs: TIMEOUT_MS });
    times.push(performance.now() - startedAt);
  }
  return times;
};

/** Five thousand messages in ten seconds on one platform, and what the people of another notice of it. */
export const flood: SoakPart = {
  name: 'flood',
  run: async ({ share, distMain, telegramUrl, discordUrl, openaiUrl }) => {
    const telegram = createTelegramControl(telegramUrl, '400003:soak-0123456789abcdefghij');
    const botId = Buffer.from('900000000004000003').toString('base64url');
    const discord = createDiscordControl(discordUrl, `${botId}.SOAK12.0123456789abcdefghij`);
    const openai = createOpenAiControl(openaiUrl, 'sk-soak-flood');
    await Promise.all([telegram.reset(), discord.reset(), openai.reset({ logCapacity: 1 })]);
    const home = createHome({
      platforms: {
        telegram: { token: telegram.token, api_root: telegramUrl, streaming: false },
        discord: { token: discord.token, api_root: discord.apiRoot, streaming: false },
      },
      openaiBaseUrl: openai.baseUrl,
      openaiKey: openai.key,
    });
    const daemon = startDaemon(distMain, home);
    const problems: string[] = [];
    let summary = '';
    try {
      await Promise.all([telegram.waitForPoll(), discord.waitForReady()]);
      await measure(telegram, 'w', (count) => count >= CALM_MESSAGES);
      const calm = await measure(telegram, 'c', (count) => count >= CALM_MESSAGES);
      const waves = Math.ceil(WAVES * share);
      let isFlooding = true;
      const flooding = (async () => {
        for (let wave = 0; wave < waves; wave += 1) {
          const list = Array.from({ length: MESSAGES / WAVES }, (_, index) => ({
            userId: String(FIRST_PERSON + BigInt(index % PEOPLE)),
            text: `f${wave}x${index}.`,
          }));
          await Promise.all([discord.sayAll(list), pause(FLOOD_MS / WAVES)]);
        }
        isFlooding = false;
      })();
      const during = await measure(telegram, 'd', () => !isFlooding);
      await flooding;
      const [before, after] = [percentile(calm, 50), percentile(during, 50)];
      for (let person = 0; person < PEOPLE; person += 1) {
        const channelId = await discord.directChannel(String(FIRST_PERSON + BigInt(person)));
        const last = `f${waves - 1}x${person + PEOPLE * Math.floor((MESSAGES / WAVES - 1 - person) / PEOPLE)}.`;
        await discord.waitForMessage(channelId, last, { timeoutMs: TIMEOUT_MS });
      }
      const ratio = after / before;
      summary = `${(waves * MESSAGES) / WAVES} messages on Discord; Telegram ${before.toFixed(1)} ms before, ${after.toFixed(1)} ms meanwhile (${ratio.toFixed(2)}×)`;
      if (ratio > MAX_RATIO)
        problems.push(`Telegram took ${ratio.toFixed(2)} times as long during the flood`);
    } finally {
      daemon.kill('SIGTERM');
      const { code, signal } = await daemon.exited;
      if (code !== 0) problems.push(`the gateway ended with ${code ?? signal}`);
      problems.push(...loggedErrors(home, daemon).map((line) => `logged ${line}`));
      home.remove();
      await Promise.all([telegram.remove(), discord.remove(), openai.forget()]);
    }
    return { summary, problems };
  },
};
