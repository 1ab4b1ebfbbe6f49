import { burstRateOf, CHAT_COUNT, readAnswers, sendBurst } from '../bench/load.js';
import { residentBytes } from '../bench/process-usage.js';
import { createHome, loggedErrors, startDaemon } from '../crash/daemon.js';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl } from '../emulators/telegram/control.js';
import type { SoakPart } from './part.js';

const BURSTS = 100;
/** Memory is looked at after every so many bursts; the first look is the measure for the others. */
const BURSTS_A_LOOK = 10;
/** Histories grow and so do caches, up to a point; what goes on growing is a leak. */
const MAX_GROWTH = 1.5;
const MIB = 1024 * 1024;

/** A life under steady load: each message answered once, and memory that stays within bounds. */
export const messages: SoakPart = {
  name: 'messages',
  run: async ({ share, distMain, telegramUrl, openaiUrl, say }) => {
    const telegram = createTelegramControl(telegramUrl, '400001:soak-0123456789abcdefghij');
    const openai = createOpenAiControl(openaiUrl, 'sk-soak');
    await Promise.all([telegram.reset(), openai.reset()]);
    const home = createHome({
      platforms: { telegram: { token: telegram.token, api_root: telegramUrl, streaming: false } },
      openaiBaseUrl: openai.baseUrl,
      openaiKey: openai.key,
    });
    const daemon = startDaemon(distMain, home);
    const looksMiB: number[] = [];
    const problems: string[] = [];
    const bursts = Math.ceil(BURSTS * share);
    try {
      await telegram.waitForPoll();
      for (let number = 0; number < bursts; number += 1) {
        await sendBurst({ telegram }, number);
        if ((number + 1) % BURSTS_A_LOOK !== 0) continue;
        looksMiB.push(residentBytes(daemon.pid) / MIB);
        say(`${(number + 1) * CHAT_COUNT} messages: ${looksMiB.at(-1)?.toFixed(0)} MiB`);
      }
      const answers = await readAnswers({ telegram });
      // Throws if one was not answered alone.
      for (let number = 0; number < bursts; number += 1) burstRateOf(answers, number);
      const sends = (await telegram.calls({ method: 'sendMessage', textContains: 'echo: b' })).length;
      if (sends !== bursts * CHAT_COUNT)
        problems.push(`${bursts * CHAT_COUNT} messages had ${sends} answers`);
      const [first = 0, ...later] = looksMiB;
      const most = Math.max(first, ...later);
      if (most > first * MAX_GROWTH)
        problems.push(`memory grew from ${first.toFixed(0)} to ${most.toFixed(0)} MiB`);
    } finally {
      daemon.kill('SIGTERM');
      const { code, signal } = await daemon.exited;
      if (code !== 0) problems.push(`the gateway ended with ${code ?? signal}`);
      problems.push(...loggedErrors(home, daemon).map((line) => `logged ${line}`));
      home.remove();
    }
    return {
      summary: `${bursts * CHAT_COUNT} messages, memory ${looksMiB.map((mib) => mib.toFixed(0)).join(', ')} MiB`,
      problems,
    };
  },
};
