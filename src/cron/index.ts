import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import type { ChatId, IdSource } from '../core/ids.js';
import type { JobStore } from '../core/job.js';
import type { JobService } from '../core/job-service.js';
import type { Logger } from '../core/logger.js';
import type { PlatformAdapter } from '../core/platform.js';
import type { ProcessPort } from '../core/process.js';
import type { GatewayServices } from '../core/services.js';
import type { SkillLibrary } from '../core/skill.js';
import type { InactivityLimit } from '../core/turn.js';
import { createCronAdapter } from './adapter.js';
import { createConclusion } from './conclusion.js';
import { createJobs } from './jobs.js';
import { cronPlatform, Performer } from './performer.js';
import { Scheduler } from './scheduler.js';
import { driveBySchedule } from './ticker.js';

export interface CronSettings {
  readonly tickMs: number;
  readonly scriptTimeoutMs: number;
  readonly maxParallel: number;
  readonly isCatchingUp: boolean;
  /** 0: none. */
  readonly inactivityTimeoutMs: number;
}

export interface CronDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly processes: ProcessPort;
  readonly redact: (text: string) => string;
  readonly skills: Pick<SkillLibrary, 'find'>;
  readonly settings: CronSettings;
  /** IANA name; absent: the host's. */
  readonly timezone?: string | undefined;
  readonly home: string;
  /** Absolute; what relative folders of jobs are relative to. */
  readonly workspace: string;
  /** The wall clock of the host drives the tick; false: the clock alone. */
  readonly isReal: boolean;
}

export interface Cron {
  readonly jobs: JobService;
  /** The gateway that runs and delivers for the jobs; before anything else is called. */
  connect(services: GatewayServices): void;
  /** Before the platform runs: jobs are run only by calls of `jobs`. Resolves when these may come. */
  runOnDemand(): Promise<void>;
  /** To be made one of the gateway's platforms. */
  readonly platform: {
    readonly id: string;
    readonly title: string;
    readonly inactivity: InactivityLimit;
    create(): Promise<PlatformAdapter>;
    turnFor(chat: ChatId): {
      readonly model?: string;
      readonly maxSteps?: number;
      readonly workspace?: string;
    };
    /** Id and name of the job whose run the chat is. */
    jobNames(chat: ChatId): readonly string[];
    maxAttempts(chat: ChatId): number;
  };
}

/** For deliveries of runs that are over, where somebody waits for them. */
const DELIVERY_MS = 60_000;
/** More than a page shows. */
const MAX_OUTPUT_BYTES = 256 * 1024;

const readCut = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_OUTPUT_BYTES), 0, MAX_OUTPUT_BYTES, 0);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    return bytesRead < MAX_OUTPUT_BYTES ? text : `${text}…`;
  } finally {
    await file.close();
  }
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const hostZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const createCron = (deps: CronDeps): Cron => {
  const { store, clock, ids, logger, settings, home, redact, processes } = deps;
  const owner = ids.next('correlation');
  const stopped = new AbortController();
  let connected: GatewayServices | undefined;
  const services = (): GatewayServices => {
    if (connected === undefined) throw new Error('the jobs are not connected yet');
    return connected;
  };
  const conclude = createConclusion({
    store,
    clock,
    logger,
    folder: join(home, 'cron', 'output'),
    services,
    onConcluding: (run) => {
      performer.concluding(run);
      // Another one may have waited for the room.
      void scheduler.fill().catch(onTickError);
    },
    onEnded: (run) => performer.ended(run),
  });
  let isOnDemand = false;
  let tellReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  const drive = async (tick: () => void, signal: AbortSignal): Promise<void> => {
    tellReady();
    if (isOnDemand) return untilAborted(signal);
    tick();
    await driveBySchedule(tick, { ...deps, tickMs: settings.tickMs, signal });
  };
  const idle = async (): Promise<void> => {
    const limit = new AbortController();
    do {
      await performer.settled({ withDeliveries: false }, limit.signal);
      // Another one may wait for the room.
      await scheduler.fill();
    } while (performer.size > 0);
    const cancel = clock.after(DELIVERY_MS, () => limit.abort(new Error('it takes too long')));
    await performer.settled({ withDeliveries: true }, limit.signal);
    cancel();
  };
  const onTickError = (error: unknown): void => logger.error({ error }, 'due jobs could not be begun');
  const scriptFolder = join(home, 'scripts');
  const performer = new Performer({
    store,
    clock,
    ids,
    logger,
    owner,
    redact,
    skills: deps.skills,
    script: { folder: scriptFolder, processes, timeoutMs: settings.scriptTimeoutMs, redact },
    conclude: (run, text, reason) => conclude(run, text, reason, stopped.signal),
  });
  const scheduler = new Scheduler({
    store,
    clock,
    ids,
    logger,
    owner,
    maxParallel: settings.maxParallel,
    isCatchingUp: settings.isCatchingUp,
    performer,
  });
  return {
    jobs: createJobs({
      store,
      clock,
      ids,
      zone: deps.timezone ?? hostZone(),
      scriptFolder,
      workspace: deps.workspace,
      services,
      readOutput: (path) => readCut(join(home, path)),
      tick: () => scheduler.tick(),
      idle,
      runNow: (job) => scheduler.runNow(job),
      isRunning: () => performer.isReady,
    }),
    connect: (gateway) => {
      connected = gateway;
    },
    runOnDemand: () => {
      isOnDemand = true;
      return ready;
    },
    platform: {
      id: cronPlatform,
      title: 'Scheduled jobs',
      inactivity: {
        timeoutMs: settings.inactivityTimeoutMs,
        setting: 'cron.inactivity_timeout_seconds',
      },
      create: async () => {
        await performer.load();
        return createCronAdapter({
          scheduler,
          performer,
          clock,
          onTickError,
          conclude,
          drive,
        });
      },
      jobNames: (chat) => {
        const job = performer.active(chat)?.job;
        return job === undefined ? [] : [job.id, job.name];
      },
      turnFor: (chat) => {
        const { model, maxSteps, workdir } = performer.active(chat)?.job ?? {};
        return {
          ...(model !== undefined && { model }),
          ...(maxSteps !== undefined && { maxSteps }),
          ...(workdir !== undefined && { workspace: workdir }),
        };
      },
      maxAttempts: (chat) => (performer.active(chat)?.job.schedule.kind === 'once' ? 2 : 1),
    },
  };
};
