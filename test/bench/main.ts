/**
 * `npm run bench [-- --quick] [--strict] [--rounds N] [--only telegram|discord|cron|voice]`: the gateway beside a bare grammY and openai script on the same
 * far side, in turns. The far side, this program and the measured one share the machine, so figures mean little by
 * themselves; ratios are what counts. `--strict` ends with 1 if a bar is missed.
 */
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnEmulator } from '../emulators/kit/emulator-process.js';
import { bundleBare } from './bundle-bare.js';
import { measureDiscordRows } from './discord.js';
import { measureFormatting } from './format-time.js';
import { measureHelp } from './help-time.js';
import { toJobRows } from './job-rows.js';
import { measureJobs } from './job-time.js';
import { CHAT_COUNT } from './load.js';
import { median } from './percentile.js';
import { measurePermission } from './permission-time.js';
import { type RoundPair, type Row, toRows, toTable } from './report.js';
import { measureRound, measureStart, rehearse } from './round.js';
import { measureSearch } from './search-time.js';
import { measureSessionLengths } from './session-length.js';
import { measureStreamRows } from './streams.js';
import { bareSubject, type FarSide, gatewaySubject } from './subject.js';
import { measureVoiceRows } from './voice.js';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
});

const rounds = Number(flags.rounds ?? (flags.quick ? 2 : 5));
const size = flags.quick ? { latencyMessages: 200, bursts: 3 } : { latencyMessages: 400, bursts: 8 };
const helpPairs = flags.quick ? 7 : 21;
/** A busy machine gets fewer rounds, not a longer run. */
const ROUNDS_LIMIT_MS = 120_000;
const bundledStarts = flags.quick ? 1 : 3;

const distMain = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const bareScript = new URL('./bare.mjs', import.meta.url);
const bareStreams = new URL('./bare-streams.mjs', import.meta.url);
const floor = bareSubject('floor', fileURLToPath(bareScript));
const gateway = gatewaySubject('gateway', distMain);

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const [telegram, discord, openai] = await Promise.all(
  ['telegram', 'discord', 'openai'].map((name) =>
    spawnEmulator(new URL(`../emulators/${name}/main.ts`, import.meta.url)),
  ),
);
if (telegram === undefined || discord === undefined || openai === undefined)
  throw new Error('the far side did not start');
try {
  process.exitCode = await run({
    telegramUrl: telegram.url,
    discordUrl: discord.url,
    openaiUrl: openai.url,
  });
} finally {
  await Promise.all([telegram.stop(), discord.stop(), openai.stop()]);
}

async function run(far: FarSide): Promise<number> {
  const startedAt = performance.now();
  const rows: Row[] = [];
  const isMeant = (part: string): boolean => flags.only === undefined || flags.only === part;
  if (isMeant('telegram')) rows.push(...(await runTelegram(far)));
  if (isMeant('cron')) rows.push(...toJobRows(await measureJobs()));
  if (isMeant('discord')) {
    rows.push(...(await measureDiscordRows(distMain, far, { rounds: Math.ceil(rounds / 2), size })));
  }
  if (isMeant('voice')) rows.push(...(await measureVoiceRows(distMain, far, { rounds })));
  print(toTable(rows));
  print(`\nTook ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  return flags.strict && rows.some(({ isReached }) => isReached === false) ? 1 : 0;
}

async function runTelegram(far: FarSide): Promise<readonly Row[]> {
  const startedAt = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  for (const subject of [floor, gateway]) await rehearse(subject, far);
  const pairs: RoundPair[] = [];
  while (pairs.length < rounds && performance.now() - startedAt < ROUNDS_LIMIT_MS) {
    const pair = await measurePair(far, pairs.length % 2 === 1);
    pairs.push(pair);
    say(`round ${pairs.length} of ${rounds}: ${describe(pair)}`);
  }
  const bundled = await measureBundled(far);
  const own = toRows(pairs, {
    help: measureHelp(distMain, helpPairs),
    format: measureFormatting(flags.quick ? 100 : 300),
    lengths: await measureSessionLengths(distMain, far, flags.quick ? 50 : 200),
    search: await measureSearch(),
    permission: await measurePermission(),
  });
  const streams = await measureStreamRows(
    { floor: bareSubject('streams', fileURLToPath(bareStreams)), gateway },
    far,
  );
  print(`${pairs.length} rounds in turns over ${CHAT_COUNT} chats, streaming off; in each ${size.latencyMessages} messages
one at a time and ${size.bursts} bursts of one message from every chat. Latency is from the update handed out to
sendMessage arriving. Floor: grammY + openai, unbundled, node bare.mjs. Medians; ratios pair by pair.
Turns after so many messages of one conversation: gateway alone, context_tokens 32000. Load of the machine before: ${loadBefore.toFixed(1)}.
`);
  print(
    `The floor bundled as dist is: ready ${bundled.readyMs.toFixed(0)} ms, idle ${bundled.idleMiB.toFixed(1)} MiB.\n`,
  );
  return [...own, ...streams];
}

async function measurePair(far: FarSide, isGatewayFirst: boolean): Promise<RoundPair> {
  const order = isGatewayFirst ? [gateway, floor] : [floor, gateway];
  const figures = await measureRound(order, far, size);
  const [first, second] = figures;
  if (first === undefined || second === undefined) throw new Error('a round measures both');
  return isGatewayFirst ? { floor: second, gateway: first } : { floor: first, gateway: second };
}

async function measureBundled(far: FarSide): Promise<{ readonly readyMs: number; readonly idleMiB: number }> {
  const { folder, path } = await bundleBare(bareScript);
  try {
    const starts = [];
    for (let start = 0; start < bundledStarts; start += 1) {
      starts.push(await measureStart(bareSubject('bundled floor', path), far));
    }
    return {
      readyMs: median(starts.map(({ readyMs }) => readyMs)),
      idleMiB: median(starts.map(({ idleMiB }) => idleMiB)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe({ floor: one, gateway: other }: RoundPair): string {
  const both = (figure: keyof RoundPair['floor'], digits: number): string =>
    `${one[figure].toFixed(digits)}/${other[figure].toFixed(digits)}`;
  return [
    `p50 ${both('p50Ms', 1)} ms`,
    `p99 ${both('p99Ms', 1)} ms`,
    `burst ${both('burstRate', 0)}/s`,
    `idle ${both('idleMiB', 0)} MiB`,
    `ready ${both('readyMs', 0)} ms`,
  ].join(', ');
}
