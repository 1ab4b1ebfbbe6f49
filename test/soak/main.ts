/**
 * `npm run soak [-- --seed N] [--only NAME] [--share 0.1]`: what takes too long for `npm test`. Ends with 1 if a promise
 * was broken. A part is repeated by its seed, which is printed.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnEmulator } from '../emulators/kit/emulator-process.js';
import { crashes } from './crashes.js';
import { flood } from './flood.js';
import { jobCrashes } from './job-crashes.js';
import { longLife } from './long-life.js';
import { messages } from './messages.js';
import type { SoakContext, SoakPart } from './part.js';
import { properties } from './properties.js';
import { schedules } from './schedules.js';

const parts: readonly SoakPart[] = [crashes, jobCrashes, flood, messages, longLife, properties, schedules];

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
  },
});

const seed = Number(flags.seed ?? Date.now() % 1_000_000);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const chosen = parts.filter(({ name }) => flags.only === undefined || flags.only === name);
if (chosen.length === 0) {
  say(`no part is called ${flags.only}; there are ${parts.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const [telegram, discord, openai] = await Promise.all(
  ['telegram', 'discord', 'openai'].map((name) =>
    spawnEmulator(new URL(`../emulators/${name}/main.ts`, import.meta.url)),
  ),
);
if (telegram === undefined || discord === undefined || openai === undefined)
  throw new Error('the far side did not start');
try {
  process.exitCode = await run({
    seed,
    share: Number(flags.share),
    distMain: fileURLToPath(new URL('../../dist/main.js', import.meta.url)),
    telegramUrl: telegram.url,
    discordUrl: discord.url,
    openaiUrl: openai.url,
    say,
  });
} finally {
  await Promise.all([telegram.stop(), discord.stop(), openai.stop()]);
}

async function run(context: SoakContext): Promise<number> {
  print(`seed ${context.seed}`);
  let problemCount = 0;
  for (const part of chosen) {
    const startedAt = performance.now();
    const { summary, problems } = await part.run(context);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    print(`${part.name}: ${summary}; ${problems.length} problems; ${seconds} s`);
    for (const problem of problems) print(`  ${problem}`);
    problemCount += problems.length;
  }
  return problemCount === 0 ? 0 : 1;
}
