/** The real adapter, made through its definition, against the Bot API emulator, with a clock moved by hand. */

import { randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { telegram } from '../../../src/adapters/telegram/index.js';
import type { CancelTimer, Clock } from '../../../src/core/clock.js';
import { toAccountId, toChatId, toThreadId } from '../../../src/core/ids.js';
import type { AcceptOutcome, InboundEvent, InboundSink } from '../../../src/core/inbound.js';
import type { Logger } from '../../../src/core/logger.js';
import type { ConnectionStatus, PlatformAdapter } from '../../../src/core/platform.js';
import type { AdapterPorts } from '../../../src/core/platform-definition.js';
import type { Route } from '../../../src/core/route.js';
import {
  createTelegramControl,
  type TelegramControl,
  type WorldSpec,
} from '../../emulators/telegram/control.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { type LogLine, MemoryLogger } from '../../fakes/memory-logger.js';

/** Says when somebody takes a pause whose exact length is left to chance. */
export class WatchedClock extends ManualClock {
  readonly #watchers = new Set<() => void>();

  override after(ms: number, run: () => void): CancelTimer {
    const cancel = super.after(ms, run);
    for (const watcher of [...this.#watchers]) watcher();
    return cancel;
  }

  /** Resolves with the length of a pause in this range as soon as somebody takes one. */
  waitForSleep(fromMs: number, toMs: number): Promise<number> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.sleeping.find((ms) => ms >= fromMs && ms <= toMs);
        if (found === undefined) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }
}

const absent = (name: string): never => {
  throw new Error(`the adapter has no business with ${name}`);
};

export const createPorts = (clock: Clock, logger: Logger): AdapterPorts => ({
  clock,
  ids: createCountingIds(),
  logger,
  redact: (text) => text,
  get services() {
    return absent('services');
  },
  get pageLog() {
    return absent('pageLog');
  },
  get media() {
    return absent('media');
  },
});

/** Tokens no test run shares with another. */
export const freshToken = (): string =>
  `${randomInt(100_000_000, 999_999_999)}:TEST-${'A'.repeat(24)}${randomInt(100_000_000, 999_999_999)}`;

/** Waits for a state that events bring about; every event must call `touch`. */
class Condition {
  readonly #watchers = new Set<() => void>();

  touch(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  until(check: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!check()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}

/** Keeps what it is given; `answer` may reject instead. */
export class KeepingSink implements InboundSink {
  readonly events: InboundEvent[] = [];
  readonly #changed = new Condition();
  answer: (events: readonly InboundEvent[]) => Promise<void> = async () => undefined;

  async accept(events: readonly InboundEvent[]): Promise<readonly AcceptOutcome[]> {
    await this.answer(events);
    this.events.push(...events);
    this.#changed.touch();
    return events.map(() => 'stored');
  }

  waitFor(count: number): Promise<void> {
    return this.#changed.until(() => this.events.length >= count);
  }
}

export interface Running {
  readonly statuses: readonly ConnectionStatus[];
  waitForStatus(check: (status: ConnectionStatus) => boolean): Promise<ConnectionStatus>;
  /** Aborts and waits for the end. */
  stop(): Promise<void>;
  /** Settles as `run` does. */
  readonly ended: Promise<void>;
}

export const runAdapter = (adapter: PlatformAdapter, sink: InboundSink): Running => {
  const statuses: ConnectionStatus[] = [];
  const changed = new Condition();
  const stop = new AbortController();
  const report = (status: ConnectionStatus): void => {
    statuses.push(status);
    changed.touch();
  };
  const ended = adapter.run(sink, { signal: stop.signal, report });
  // Whoever wants the rejection reads `ended`.
  ended.catch(() => undefined);
  return {
    statuses,
    ended,
    async waitForStatus(check) {
      await changed.until(() => statuses.some(check));
      // The condition just held.
      return statuses.find(check) as ConnectionStatus;
    },
    async stop() {
      stop.abort(new Error('the test is over'));
      await ended;
    },
  };
};

export interface TelegramBed {
  readonly control: TelegramControl;
  readonly adapter: PlatformAdapter;
  readonly clock: WatchedClock;
  readonly log: readonly LogLine[];
  readonly sink: KeepingSink;
  readonly token: string;
  routeTo(chat: number, thread?: number): Route;
  run(): Running;
}

export const emulatorUrl = (): string => `http://127.0.0.1:${inject('telegramPort')}`;

export const createTelegramAdapter = (
  section: Readonly<Record<string, unknown>>,
  ports: AdapterPorts,
): Promise<PlatformAdapter> => telegram.create(telegram.section.parse(section), ports);

export const createBed = async (
  world: WorldSpec = {},
  section: Readonly<Record<string, unknown>> = {},
): Promise<TelegramBed> => {
  const token = freshToken();
  const control = createTelegramControl(emulatorUrl(), token);
  await control.reset(world);
  const clock = new WatchedClock();
  const logger = new MemoryLogger();
  const adapter = await createTelegramAdapter(
    { token, api_root: control.apiRoot, ...section },
    createPorts(clock, logger),
  );
  const sink = new KeepingSink();
  return {
    control,
    adapter,
    clock,
    log: logger.lines,
    sink,
    token,
    routeTo: (chat, thread) => ({
      platform: telegram.id,
      account: toAccountId(token.split(':')[0] ?? ''),
      chat: toChatId(String(chat)),
      ...(thread === undefined ? {} : { thread: toThreadId(String(thread)) }),
    }),
    run: () => runAdapter(adapter, sink),
  };
};

export const anySignal = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal });
