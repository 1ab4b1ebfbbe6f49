/** What tests of any adapter need: a clock moved by hand, ports that are not used, a sink, a running adapter watched. */
import type { CancelTimer, Clock } from '../../src/core/clock.js';
import type { AcceptOutcome, InboundEvent, InboundSink } from '../../src/core/inbound.js';
import type { JsonValue } from '../../src/core/json.js';
import type { Logger } from '../../src/core/logger.js';
import type { NoteStore } from '../../src/core/notes.js';
import type { ConnectionStatus, PlatformAdapter } from '../../src/core/platform.js';
import type { AdapterPorts } from '../../src/core/platform-definition.js';
import { createCountingIds } from '../fakes/counting-ids.js';
import { ManualClock } from '../fakes/manual-clock.js';

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

export const createMemoryNotes = (): NoteStore => {
  const notes = new Map<string, JsonValue>();
  return {
    read: async (name) => notes.get(name),
    write: async (name, value) => void notes.set(name, value),
  };
};

export const createPorts = (
  clock: Clock,
  logger: Logger,
  notes: NoteStore = createMemoryNotes(),
  folder?: string,
): AdapterPorts => ({
  clock,
  ids: createCountingIds(),
  logger,
  redact: (text) => text,
  notes,
  get services() {
    return absent('services');
  },
  get pageLog() {
    return absent('pageLog');
  },
  get media() {
    return absent('media');
  },
  get folder() {
    return folder ?? absent('a folder');
  },
});

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

export const anySignal = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal });
