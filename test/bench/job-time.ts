/** Jobs: what a tick costs with few and with very many of them, how long many that are due at once take, what one weighs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../../src/core/clock.js';
import type { InboundEvent } from '../../src/core/inbound.js';
import type { Job } from '../../src/core/job.js';
import type { PlatformAdapter } from '../../src/core/platform.js';
import type { Stores } from '../../src/core/stores.js';
import { type Cron, createCron } from '../../src/cron/index.js';
import { createIdSource, createProcessPort, createSystemClock } from '../../src/host/index.js';
import { openSqliteStores } from '../../src/store/index.js';
import { someGatewayServices } from '../fakes/gateway-services.js';
import { median } from './percentile.js';
import { quietLogger } from './quiet-logger.js';

export interface JobTime {
  /** The fewest first. */
  readonly ticks: readonly { readonly jobs: number; readonly cpuMs: number }[];
  readonly dueAtOnce: number;
  /** From the tick until the last of them was ended, four at a time; the model answers at once. */
  readonly dueMs: number;
  /** Of the heap, for a job that waits. */
  readonly bytesPerJob: number;
}

const SIZES = [10, 1_000, 100_000] as const;
const ROUNDS = 7;
const TICKS_A_ROUND = 40;
const DUE_AT_ONCE = 500;
const MAX_PARALLEL = 4;
const NOW = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const aJob = (index: number, nextAt: number): Job => ({
  id: `job-${index}`,
  name: `report ${index}`,
  schedule: { kind: 'cron', expression: `${index % 60} ${index % 24} * * *` },
  display: 'daily',
  zone: 'Europe/Berlin',
  prompt: 'What changed since yesterday in the repository? Two sentences, and the names of who did it.',
  skills: [],
  deliver: 'local',
  isScriptOnly: false,
  createdAt: NOW,
  isEnabled: true,
  nextAt,
  begun: 0,
  lostTargets: [],
  revision: 1,
});

interface Bench {
  readonly stores: Stores;
  readonly cron: Cron;
  readonly adapter: PlatformAdapter;
  close(): Promise<void>;
}

/** What is asked is answered at once, and `onEnded` is called. */
const open = async (onEnded: () => void): Promise<Bench> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-jobs-'));
  const real = createSystemClock();
  const clock: Clock = { ...real, now: () => NOW };
  const stores = await openSqliteStores({
    file: join(home, 'state.db'),
    now: () => NOW,
    logger: quietLogger,
  });
  const cron = createCron({
    store: stores.jobs,
    clock,
    ids: createIdSource(real),
    logger: quietLogger,
    processes: createProcessPort({ clock: real }),
    redact: (text) => text,
    skills: { find: async () => undefined },
    settings: {
      tickMs: DAY_MS,
      scriptTimeoutMs: 1_000,
      maxParallel: MAX_PARALLEL,
      isCatchingUp: true,
      inactivityTimeoutMs: 0,
    },
    timezone: 'UTC',
    home,
    workspace: home,
    isReal: false,
  });
  cron.connect(someGatewayServices());
  const adapter = await cron.platform.create();
  const stop = new AbortController();
  const answer = async ({ origin, dedupeKey }: InboundEvent): Promise<void> => {
    const encoded = { text: '[SILENT]', payload: { reason: 'end_turn' } };
    await adapter.send({ route: origin, encoded, idempotencyKey: dedupeKey }, { signal: stop.signal });
    onEnded();
  };
  const sink = {
    accept: async (events: readonly InboundEvent[]) => {
      for (const event of events) setImmediate(() => void answer(event));
      return events.map(() => 'stored' as const);
    },
  };
  const run = adapter.run(sink, { signal: stop.signal, report: () => {} }).catch(() => {});
  return {
    stores,
    cron,
    adapter,
    close: async () => {
      stop.abort(new Error('measured'));
      await run;
      await stores.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

const fill = async ({ stores }: Bench, count: number, nextAt: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, index) => stores.jobs.add(aJob(index, nextAt))));
};

const heapBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

const cpuOfTicks = async ({ cron }: Bench): Promise<number> => {
  const before = process.cpuUsage();
  for (let tick = 0; tick < TICKS_A_ROUND; tick += 1) await cron.jobs.tick();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / TICKS_A_ROUND;
};

const measureTicks = async (): Promise<Pick<JobTime, 'ticks' | 'bytesPerJob'>> => {
  const benches: { readonly jobs: number; readonly bench: Bench; readonly cpuMs: number[] }[] = [];
  let bytesPerJob = 0;
  for (const jobs of SIZES) {
    const bench = await open(() => {});
    const before = heapBytes();
    await fill(bench, jobs, NOW + DAY_MS);
    await bench.cron.jobs.tick();
    bytesPerJob = (heapBytes() - before) / jobs;
    benches.push({ jobs, bench, cpuMs: [] });
  }
  // In turns, so that a busy moment hits all of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { bench, cpuMs } of benches) cpuMs.push(await cpuOfTicks(bench));
  for (const { bench } of benches) await bench.close();
  return { ticks: benches.map(({ jobs, cpuMs }) => ({ jobs, cpuMs: median(cpuMs) })), bytesPerJob };
};

const measureDue = async (): Promise<number> => {
  let left = DUE_AT_ONCE;
  let tellDone = (): void => {};
  const done = new Promise<void>((resolve) => {
    tellDone = resolve;
  });
  const bench = await open(() => {
    left -= 1;
    if (left === 0) tellDone();
  });
  await fill(bench, DUE_AT_ONCE, NOW);
  const startedAt = performance.now();
  await bench.cron.jobs.tick();
  await done;
  const tookMs = performance.now() - startedAt;
  await bench.close();
  return tookMs;
};

export const measureJobs = async (): Promise<JobTime> => ({
  ...(await measureTicks()),
  dueAtOnce: DUE_AT_ONCE,
  dueMs: await measureDue(),
});
