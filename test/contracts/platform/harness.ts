/** What a platform brings to the contract suite. */
import { later, StoreError } from '../../../src/core/errors.js';
import type { InboundEvent, InboundSink } from '../../../src/core/inbound.js';
import type { EncodedMessage } from '../../../src/core/outbound.js';
import type { ConnectionStatus, PlatformAdapter } from '../../../src/core/platform.js';
import type { PlatformDefinition } from '../../../src/core/platform-definition.js';
import type { Route } from '../../../src/core/route.js';

export interface PlatformHarness {
  /** Only what it says without settings is asked. */
  readonly definition: Pick<PlatformDefinition, 'id' | 'parseAddress' | 'title' | 'connectHint'>;
  readonly adapter: PlatformAdapter;
  /** A chat in which sends arrive and a person writes. */
  readonly route: Route;
  /** What stands in the chat and came from us, oldest first, as plain text. */
  shown(): Promise<readonly string[]>;
  /** The person writes in the chat. */
  say(text: string): Promise<void>;
  /** Labels of the buttons that can be pressed in the chat; for a platform that shows choices. */
  buttons?(): Promise<readonly string[]>;
  /** The person presses one. */
  press?(label: string): Promise<void>;
  /** What those who pressed were told, in order; undefined for nothing. */
  told?(): Promise<readonly (string | undefined)[]>;
  /** Our reactions in the chat, oldest message first, in the platform's own signs; for a platform that reacts. */
  reactions?(): Promise<readonly string[]>;
  /** Lets so much time pass on the adapter's clock. */
  pass(ms: number): Promise<void>;
  /** A message over the limits, as no `encode` would make it. */
  readonly oversized: EncodedMessage;
  dispose(): Promise<void>;
}

/** Ends a case that is about something the platform does not have. */
export type SkipCase = (reason: string) => never;

/** One case; `harness` is fresh for every case. */
export type PlatformCases = Readonly<
  Record<string, (harness: PlatformHarness, skip: SkipCase) => void | Promise<void>>
>;

/** Watches a running adapter. Every wait ends with the test's own time limit. */
export class Reception implements InboundSink {
  readonly events: InboundEvent[] = [];
  readonly statuses: ConnectionStatus[] = [];
  /** How many batches to refuse from now on. */
  refusals = 0;
  readonly #stop = new AbortController();
  readonly #watchers = new Set<() => void>();
  #ended: Promise<void> = Promise.resolve();

  async accept(events: readonly InboundEvent[]): Promise<readonly 'stored'[]> {
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new StoreError({ code: 'full', message: 'the store refuses this batch', retry: later });
    }
    this.events.push(...events);
    this.#touch();
    return events.map(() => 'stored');
  }

  begin(adapter: PlatformAdapter): void {
    this.#ended = adapter.run(this, {
      signal: this.#stop.signal,
      report: (status) => {
        this.statuses.push(status);
        this.#touch();
      },
    });
    // Whoever stops it sees the rejection.
    this.#ended.catch(() => undefined);
  }

  stop(): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    return this.#ended;
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

  connected(): Promise<void> {
    return this.until(() => this.statuses.at(-1)?.state === 'connected');
  }

  #touch(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
