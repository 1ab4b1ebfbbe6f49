/**
 * Jobs are due again and again, two processes tick, and the gateway is killed around the due times. In the end everything
 * is looked at as its owner sees it: what is told in the chats, what was asked of the model, what a script did, the history.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, JobRun } from '../../src/core/job.js';
import type { Stores } from '../../src/core/stores.js';
import { openSqliteStores } from '../../src/store/sqlite/sqlite-stores.js';
import { createOpenAiControl, type OpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl, type TelegramControl } from '../emulators/telegram/control.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { createHome, type Daemon, type Home, loggedErrors, startDaemon } from './daemon.js';
import { createRandom, type Random } from './random.js';

export interface JobCrashOptions {
  readonly seed: number;
  readonly kills: number;
  readonly distMain: string;
  readonly telegramUrl: string;
  readonly openaiUrl: string;
}

export interface JobCrashReport {
  /** Runs of recurring jobs that were begun. */
  readonly runs: number;
  readonly oneShots: number;
  /** Ticks that the other process asked for or did. */
  readonly ticks: number;
  /** What was promised and not kept. */
  readonly problems: readonly string[];
}

const EVERY_MS = 2_000;
/** A tick comes each second, so what is due is begun within one, and over within another. */
const AROUND_DUE_MS = 1_800;
const BEFORE_DUE_MS = 100;
const END_TIMEOUT_MS = 60_000;
const TICK_PAUSE_MS = 300;
const FIRST_CHAT = -6000;

const pause = (ms: number): Promise<unknown> => once(AbortSignal.timeout(Math.max(1, ms)), 'abort');

const aJob = (name: string, index: number, over: Partial<Job>): Job => ({
  id: name,
  name,
  schedule: { kind: 'once', at: 0 },
  display: name,
  zone: 'UTC',
  prompt: 'Look.',
  skills: [],
  deliver: `telegram:${FIRST_CHAT - index}`,
  isScriptOnly: false,
  createdAt: 0,
  isEnabled: true,
  begun: 0,
  lostTargets: [],
  revision: 1,
  ...over,
});

/** Recurring ones of each kind, and one-shots all along the kills. */
const drawJobs = (random: Random, startAt: number, forMs: number): readonly Job[] => {
  const kinds = [{}, { script: 'mark.sh' }, { script: 'mark.sh', isScriptOnly: true }] as const;
  const schedule = { kind: 'every', everyMs: EVERY_MS, anchorAt: startAt } as const;
  const recurring = kinds.map((kind, index) =>
    aJob(`loop-${index}`, index, { ...kind, schedule, nextAt: startAt + EVERY_MS }),
  );
  const oneShots = Array.from({ length: Math.ceil(forMs / 900) }, (_, index) => {
    const at = startAt + random.below(forMs);
    return aJob(`once-${index}.`, kinds.length + index, {
      ...random.pick(kinds),
      schedule: { kind: 'once', at },
      nextAt: at,
    });
  });
  return [...recurring, ...oneShots];
};

const isOnce = ({ schedule }: Job): boolean => schedule.kind === 'once';
const wasBegun = ({ outcome }: JobRun): boolean => outcome !== 'missed' && outcome !== 'skipped';

/** What was promised of one job and not kept. `texts`: what is to be read in its chat. */
const judgeJob = (
  job: Job,
  runs: readonly JobRun[],
  { texts, questions }: { readonly texts: readonly string[]; readonly questions: number },
): readonly string[] => {
  const problems: string[] = [];
  const begun = runs.filter(wasBegun);
  const slots = begun.map(({ dueAt }) => dueAt);
  if (new Set(slots).size < slots.length) problems.push('a slot was begun twice');
  const count = (delivery: JobRun['delivery']): number =>
    runs.filter((run) => run.delivery === delivery).length;
  if (count('failed') > 0) problems.push('a delivery failed');
  // Under way in the last life, which was stopped and not killed.
  const open = runs.filter(({ state }) => state !== 'ended').length;
  const most = count('sent') + count('unknown') + open;
  if (texts.length < count('sent') || texts.length > most)
    problems.push(
      `${texts.length} messages for ${count('sent')} sent, ${count('unknown')} unknown, ${open} open`,
    );
  const attempts = begun.reduce((sum, run) => sum + (isOnce(job) ? 2 : run.attempts), 0);
  if (questions > attempts) problems.push(`the model was asked ${questions} times in ${attempts} attempts`);
  if (isOnce(job)) {
    if (runs.length !== 1 || open > 0) problems.push('it is neither done nor reported');
    if (runs.some(({ delivery }) => delivery === 'none')) problems.push('its end was not told');
  }
  return problems.map((problem) => `${job.name}: ${problem}: ${JSON.stringify(runs.slice(0, 40))}`);
};

class JobCrashRun {
  readonly problems: string[] = [];
  ticks = 0;
  readonly #options: JobCrashOptions;
  readonly #home: Home;
  readonly #far: { readonly telegram: TelegramControl; readonly model: OpenAiControl };
  readonly #random: Random;
  #daemon: Daemon | undefined;
  #isOver = false;

  constructor(
    options: JobCrashOptions,
    home: Home,
    far: { telegram: TelegramControl; model: OpenAiControl },
  ) {
    this.#options = options;
    this.#home = home;
    this.#far = far;
    this.#random = createRandom(options.seed);
  }

  async play(): Promise<{ readonly runs: number; readonly oneShots: number }> {
    const { kills } = this.#options;
    const stores = await this.#openStores();
    const startAt = Date.now() + 1_000;
    const jobs = drawJobs(this.#random, startAt, kills * (EVERY_MS + AROUND_DUE_MS));
    for (const job of jobs) await stores.jobs.add(job);
    for (const { deliver } of jobs)
      await this.#far.telegram.setChat({ id: Number(deliver.slice('telegram:'.length)), title: deliver });
    const ticking = this.#tickBeside();
    try {
      for (let kill = 0; kill < kills; kill += 1) await this.#liveAndDie(startAt, kill);
      await this.#start();
      await this.#untilDone(stores);
      await this.#stop();
    } finally {
      this.#isOver = true;
      await ticking;
    }
    const runs = await this.#judge(stores);
    await stores.close();
    return { runs, oneShots: jobs.filter(isOnce).length };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#daemon?.kill('SIGKILL');
    await this.#daemon?.exited;
  }

  #openStores(): Promise<Stores> {
    const file = join(this.#home.path, 'state.db');
    return openSqliteStores({ file, now: Date.now, logger: new MemoryLogger() });
  }

  async #liveAndDie(startAt: number, kill: number): Promise<void> {
    const daemon = await this.#start();
    const now = Date.now();
    const nextDue = startAt + Math.ceil((now - startAt) / EVERY_MS) * EVERY_MS;
    await pause(nextDue - now - BEFORE_DUE_MS + this.#random.below(AROUND_DUE_MS + BEFORE_DUE_MS));
    daemon.kill('SIGKILL');
    await daemon.exited;
    for (const line of loggedErrors(this.#home, daemon)) this.problems.push(`kill ${kill}: logged ${line}`);
    // For longer than a slot, now and then.
    if (this.#random.chance(0.3)) await pause(this.#random.below(EVERY_MS));
  }

  /** The other process may have the home for a moment. */
  async #start(): Promise<Daemon> {
    for (;;) {
      const poll = this.#far.telegram.waitForPoll({ timeoutMs: 20_000 }).then(() => true);
      const daemon = startDaemon(this.#options.distMain, this.#home);
      this.#daemon = daemon;
      const isUp = await Promise.race([poll, daemon.exited.then(() => false)]);
      poll.catch(() => undefined);
      if (isUp) return daemon;
      if (!daemon.lines.some((line) => line.includes('is in use by'))) {
        throw new Error(`the gateway ended by itself: ${daemon.lines.slice(-5).join(' / ')}`);
      }
      await pause(TICK_PAUSE_MS);
    }
  }

  /** `hermes cron tick`, again and again, also while no gateway runs; some are killed too. */
  async #tickBeside(): Promise<void> {
    const { distMain } = this.#options;
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.#home.path, HERMES_HOME: this.#home.path };
    const random = createRandom(this.#options.seed + 1);
    while (!this.#isOver) {
      const child = spawn(process.execPath, [distMain, 'cron', 'tick'], { env, stdio: 'ignore' });
      const closed = once(child, 'close');
      if (random.chance(0.2)) {
        await Promise.race([closed, pause(random.below(600))]);
        child.kill('SIGKILL');
      }
      const [code] = await closed;
      if (code === 0) this.ticks += 1;
      await pause(TICK_PAUSE_MS);
    }
  }

  async #untilDone(stores: Stores): Promise<void> {
    const giveUpAt = Date.now() + END_TIMEOUT_MS;
    const isDone = async (job: Job): Promise<boolean> =>
      (await stores.jobs.runs(job.id, 9)).some(({ state }) => state === 'ended');
    for (;;) {
      const oneShots = (await stores.jobs.all()).filter(isOnce);
      const done = await Promise.all(oneShots.map(isDone));
      if (done.every(Boolean)) return;
      if (Date.now() > giveUpAt) return void this.problems.push('the one-shots did not come to an end');
      await pause(200);
    }
  }

  async #stop(): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    daemon.kill('SIGTERM');
    const { code, signal } = await daemon.exited;
    if (code !== 0) this.problems.push(`the gateway ended with ${code ?? signal} when it was told to stop`);
    for (const line of loggedErrors(this.#home, daemon)) this.problems.push(`the last life logged ${line}`);
  }

  /** Gives how many runs of recurring jobs were begun. */
  async #judge(stores: Stores): Promise<number> {
    const requests = await this.#far.model.requests();
    let recurring = 0;
    let marked = 0;
    for (const job of await stores.jobs.all()) {
      const runs = await stores.jobs.runs(job.id, 10_000);
      const begun = runs.filter(wasBegun);
      if (!isOnce(job)) recurring += begun.length;
      if (job.script !== undefined)
        marked += begun.reduce((sum, { attempts }) => sum + (isOnce(job) ? Math.max(2, attempts) : 1), 0);
      const texts = await this.#far.telegram.botTexts(Number(job.deliver.slice('telegram:'.length)));
      const questions = requests.filter(({ lastUserText }) => lastUserText.includes(`“${job.name}”`)).length;
      this.problems.push(...judgeJob(job, runs, { texts, questions }));
    }
    const file = join(this.#home.path, 'marks');
    const marks = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    if (marks > marked) this.problems.push(`scripts ran ${marks} times in ${marked} attempts`);
    return recurring;
  }
}

let runCount = 0;

export const runJobCrashes = async (options: JobCrashOptions): Promise<JobCrashReport> => {
  runCount += 1;
  const token = `${process.pid * 100 + runCount}:jobs-${'x'.repeat(30)}`;
  const far = {
    telegram: createTelegramControl(options.telegramUrl, token),
    model: createOpenAiControl(options.openaiUrl, `sk-jobs-${process.pid}-${runCount}`),
  };
  await Promise.all([far.telegram.reset(), far.model.reset()]);
  const home = createHome({
    platforms: { telegram: { token, api_root: far.telegram.apiRoot, streaming: false } },
    openaiBaseUrl: far.model.baseUrl,
    openaiKey: far.model.key,
    more: { cron: { tick_seconds: 1, max_parallel: 8 } },
  });
  mkdirSync(join(home.path, 'scripts'), { mode: 0o700 });
  writeFileSync(join(home.path, 'scripts', 'mark.sh'), 'echo mark >> ../marks; echo marked\n');
  const run = new JobCrashRun(options, home, far);
  try {
    const counts = await run.play();
    return { ...counts, ticks: run.ticks, problems: run.problems };
  } finally {
    await run.end();
    await Promise.all([far.telegram.remove(), far.model.forget()]);
    if (run.problems.length === 0) home.remove();
  }
};
