/** Jobs over a clock in the test's hand: everything of the room, a store that outlives its starts, and no gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { InboundMessage } from '../../src/core/inbound.js';
import type { Job, JobRun } from '../../src/core/job.js';
import type { JobRequest } from '../../src/core/job-service.js';
import type { PlatformAdapter } from '../../src/core/platform.js';
import type { GatewayServices } from '../../src/core/services.js';
import { type Cron, createCron } from '../../src/cron/index.js';
import { createProcessPort } from '../../src/host/index.js';
import { createMemoryStores } from '../../src/store/index.js';
import { createCountingIds } from '../fakes/counting-ids.js';
import { someGatewayServices } from '../fakes/gateway-services.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { noSkills } from '../fakes/tool-services.js';

type Delivery = Parameters<GatewayServices['deliver']>[0];

export interface CronWorldOptions {
  readonly startAt: string;
  readonly maxParallel?: number;
  readonly isCatchingUp?: boolean;
  readonly timezone?: string;
  readonly tickMs?: number;
  /** What becomes of a delivery; default: it is sent. */
  readonly deliver?: GatewayServices['deliver'];
  /** Throws, for what the sink is to break at. */
  onAccept?(event: InboundMessage): void;
}

export const createCronWorld = ({ startAt, ...options }: CronWorldOptions) => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-cron-'));
  const clock = new ManualClock(Date.parse(startAt));
  const logger = new MemoryLogger();
  const ids = createCountingIds();
  const store = createMemoryStores({ now: () => clock.now() }).jobs;
  const asked: InboundMessage[] = [];
  const keys = new Set<string>();
  const delivered: Delivery[] = [];
  let life:
    | {
        readonly cron: Cron;
        readonly adapter: PlatformAdapter;
        readonly stop: AbortController;
        readonly run: Promise<void>;
      }
    | undefined;

  const services = someGatewayServices({
    deliver: async (request, how) => {
      delivered.push(request);
      if (options.deliver !== undefined) return options.deliver(request, how);
      return [{ target: request.targets, state: 'sent', detail: 'message 1' }];
    },
  });
  const running = () => {
    if (life === undefined) throw new Error('it is not started');
    return life;
  };

  /** `between`: what happens after the gateway knows the jobs and before they may begin. */
  const start = async (between?: (adapter: PlatformAdapter) => void): Promise<void> => {
    const cron = createCron({
      store,
      clock,
      ids,
      logger,
      processes: createProcessPort({ clock }),
      redact: (text) => text,
      skills: noSkills,
      settings: {
        tickMs: options.tickMs ?? 60_000,
        scriptTimeoutMs: 2_000,
        maxParallel: options.maxParallel ?? 4,
        isCatchingUp: options.isCatchingUp ?? true,
        inactivityTimeoutMs: 0,
      },
      timezone: options.timezone ?? 'UTC',
      home,
      workspace: home,
      isReal: false,
    });
    cron.connect(services);
    const adapter = await cron.platform.create();
    between?.(adapter);
    const stop = new AbortController();
    const sink = {
      accept: async (events: readonly unknown[]) =>
        (events as readonly InboundMessage[]).map((event) => {
          options.onAccept?.(event);
          if (keys.has(event.dedupeKey)) return 'duplicate' as const;
          keys.add(event.dedupeKey);
          asked.push(event);
          return 'stored' as const;
        }),
    };
    const run = adapter.run(sink, { signal: stop.signal, report: () => {} });
    life = { cron, adapter, stop, run };
    await clock.advance(0);
  };

  /** As a kill leaves it: nothing is ended, nothing is told. */
  const stop = async (): Promise<void> => {
    const { stop: controller, run } = running();
    controller.abort(new Error('stopped'));
    await run.catch(() => {});
    life = undefined;
  };
  onTestFinished(async () => {
    if (life !== undefined) await stop();
    rmSync(home, { recursive: true, force: true });
  });

  return {
    home,
    clock,
    logger,
    store,
    /** What the agent was asked, in order. */
    asked,
    delivered,
    start,
    stop,
    get cron() {
      return running().cron;
    },
    /** Time passes while nothing runs. */
    sleepUntil: (at: string) => clock.setNow(Date.parse(at)),
    advanceTo: (at: string) => clock.advance(Date.parse(at) - clock.now()),
    create: async (request: JobRequest): Promise<Job> => {
      const answer = await running().cron.jobs.create(request);
      if (!answer.ok) throw new Error(answer.problem);
      return answer.job;
    },
    /** The agent's answer to what it was asked. */
    answer: (event: InboundMessage, text: string, reason = 'end_turn') =>
      running().adapter.send(
        {
          route: event.origin,
          encoded: { text, payload: { reason } },
          idempotencyKey: event.dedupeKey,
          cause: { kind: 'notice' },
        },
        { signal: new AbortController().signal },
      ),
    /** The runs of a job, the earliest first. */
    runs: async (name: string): Promise<readonly JobRun[]> =>
      (await store.runs(undefined, 1_000)).filter(({ jobName }) => jobName === name).toReversed(),
    job: async (name: string): Promise<Job | undefined> =>
      (await store.all()).find((job) => job.name === name),
  };
};
