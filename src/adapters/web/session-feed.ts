/**
 * Everything that is told about one session of the page: stored messages and the running turn's live events, in one
 * order, to any number of streams.
 *
 * 1. Whatever reads or writes the session's log does so alone (`exclusively`), so a message is announced in the order
 *    of its sequence. Otherwise a client could see 11, break off, resume after 11 and never get 10.
 * 2. Live events that happen meanwhile are held back and told afterwards, so a stream that joins misses none and gets
 *    none twice, and an answer never precedes its question.
 * 3. A live event carries the newest sequence of its moment; a stored message carries the newest live number. So every
 *    position says exactly what its client has.
 */
import type { TurnId } from '../../core/ids.js';
import type { PageEvent, PageLogStore, PageStep } from '../../core/page-log.js';
import type { ApprovalEvent } from '../../core/permission-service.js';
import type { TurnEvent } from '../../core/turn.js';
import type { EventStream } from './event-stream.js';
import { noBoot, type StreamPosition } from './ids.js';
import { type LiveEntry, LiveLog } from './live-log.js';
import { StepLog } from './step-log.js';
import {
  type LiveStreamEvent,
  type StreamEvent,
  toFrame,
  toMessageData,
  toPermissionEvent,
  toStreamEvents,
} from './stream-events.js';

export interface FeedDeps {
  readonly pageLog: PageLogStore;
  /** Names this life of the daemon. */
  readonly boot: string;
  /** Numbers live events over all sessions, so that they never repeat within a life. */
  readonly numbers: { next(): number; readonly last: number };
  readonly limits: FeedLimits;
}

export interface FeedLimits {
  /** Text kept of a running turn, in UTF-16 units. */
  readonly runningUnits: number;
  /** The same once it has ended: only for those who are just reconnecting. */
  readonly endedUnits: number;
}

export type NewPageEvent = Omit<PageEvent, 'sequence' | 'session' | 'type' | 'steps'>;

export interface FeedHistory {
  readonly messages: readonly PageEvent[];
  /** Tool calls after the last message, of a turn that is over. */
  readonly steps: readonly PageStep[];
  /** From where a stream continues them: it tells a running turn's whole, also those of its messages that are here. */
  readonly sequence: number;
}

/** What a joining stream gets before the live events. */
interface Catchup {
  readonly sequence: number;
  /** Live events after this number are still to be told. */
  readonly number: number;
  readonly first: readonly LiveStreamEvent[];
  readonly last: readonly LiveStreamEvent[];
}

export class SessionFeed {
  readonly #session: string;
  readonly #deps: FeedDeps;
  readonly #log: LiveLog;
  readonly #steps = new StepLog();
  readonly #streams = new Set<EventStream>();
  readonly #followers = new Set<(event: StreamEvent) => void>();
  #sequence: number | undefined;
  #turn: TurnId | undefined;
  /** The first event of the running turn. */
  #start: LiveEntry | undefined;
  #tail: Promise<void> = Promise.resolve();
  #queued = 0;
  #held: (TurnEvent | ApprovalEvent)[] | undefined;

  constructor(session: string, deps: FeedDeps) {
    this.#session = session;
    this.#deps = deps;
    this.#log = new LiveLog(deps.numbers.last);
  }

  /** True if forgetting the feed loses nothing. */
  get isIdle(): boolean {
    return (
      this.#queued === 0 && this.#streams.size === 0 && this.#followers.size === 0 && this.#turn === undefined
    );
  }

  publish(event: TurnEvent | ApprovalEvent): void {
    if (this.#held !== undefined) this.#held.push(event);
    else this.#tell(event);
  }

  /**
   * Stores a message and announces it, unless it was there already. `gate` runs first, under the same exclusion; where
   * it says no, nothing is stored.
   */
  append(event: NewPageEvent): Promise<PageEvent>;
  append(event: NewPageEvent, gate: () => Promise<boolean>): Promise<PageEvent | undefined>;
  append(event: NewPageEvent, gate?: () => Promise<boolean>): Promise<PageEvent | undefined> {
    return this.#exclusively(async (newest) => {
      if (gate !== undefined && !(await gate())) return undefined;
      const steps = this.#steps.before(event.text);
      const stored = await this.#deps.pageLog.append({
        ...event,
        session: this.#session,
        type: 'message',
        ...(steps.length > 0 && { steps }),
      });
      if (stored.sequence > newest) {
        this.#steps.stored(event.text);
        this.#announce(stored);
      }
      return stored;
    });
  }

  /** The newest messages, or those before a sequence. */
  history(page: { readonly limit: number; readonly before?: number }): Promise<FeedHistory> {
    return this.#exclusively(async (newest) => {
      const messages = await this.#deps.pageLog.history(this.#session, page);
      // A running turn's calls come with its stream.
      const isOver = page.before === undefined && this.#turn === undefined;
      const steps = isOver ? this.#steps.before('') : [];
      return { messages, steps, sequence: this.#start?.sequence ?? newest };
    });
  }

  /** Tells the stream what it missed since `position`, and from then on everything. */
  join(stream: EventStream, position: StreamPosition | undefined): Promise<void> {
    return this.#exclusively(async (newest) => {
      const catchup = this.#catchup(position, newest);
      const rows = await this.#deps.pageLog.since(this.#session, catchup.sequence);
      stream.replay(this.#toFrames(catchup, rows));
      this.#streams.add(stream);
      const leave = (): void => void this.#streams.delete(stream);
      if (stream.closed.aborted) leave();
      else stream.closed.addEventListener('abort', leave, { once: true });
    });
  }

  /** Calls `listener` with whatever is told from now on; gives what ends it. */
  follow(listener: (event: StreamEvent) => void): () => void {
    this.#followers.add(listener);
    return () => void this.#followers.delete(listener);
  }

  #exclusively<Result>(work: (newest: number) => Promise<Result>): Promise<Result> {
    this.#queued += 1;
    const result = this.#tail.then(async () => {
      this.#held = [];
      try {
        return await work(await this.#newest());
      } finally {
        this.#queued -= 1;
        const held = this.#held;
        this.#held = undefined;
        for (const event of held) this.#tell(event);
      }
    });
    this.#tail = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  async #newest(): Promise<number> {
    if (this.#sequence === undefined) {
      const [newest] = await this.#deps.pageLog.history(this.#session, { limit: 1 });
      this.#sequence = newest?.sequence ?? 0;
      this.#log.learnSequence(this.#sequence);
      if (this.#start !== undefined) this.#start.sequence ??= this.#sequence;
    }
    return this.#sequence;
  }

  #announce(stored: PageEvent): void {
    this.#sequence = stored.sequence;
    const { boot, numbers } = this.#deps;
    const position = { sequence: stored.sequence, boot, number: numbers.last };
    const event = { event: 'message', data: toMessageData(stored) } as const;
    const frame = toFrame(position, event);
    for (const stream of this.#streams) stream.send(frame);
    for (const follow of this.#followers) follow(event);
  }

  #tell(event: TurnEvent | ApprovalEvent): void {
    if (event.type === 'permission-request' || event.type === 'permission-resolved')
      return void this.#record(toPermissionEvent(event));
    this.#steps.tell(event);
    const isEnd = event.type === 'turn-end';
    if (!isEnd && this.#turn !== event.turn) this.#begin(event.turn);
    if (event.type !== 'turn-start') for (const it of toStreamEvents(event)) this.#record(it);
    if (isEnd) {
      this.#turn = undefined;
      this.#start = undefined;
    }
    const { runningUnits, endedUnits } = this.#deps.limits;
    this.#log.trim(isEnd ? endedUnits : runningUnits);
  }

  #begin(turn: TurnId): void {
    this.#log.startOver();
    this.#turn = turn;
    this.#start = this.#record({ event: 'status', data: { state: 'working', turnId: turn } });
  }

  #record(event: LiveStreamEvent): LiveEntry {
    const entry: LiveEntry = { number: this.#deps.numbers.next(), sequence: this.#sequence, event };
    this.#log.push(entry);
    for (const follow of this.#followers) follow(event);
    if (this.#streams.size > 0) {
      const frame = toFrame(
        { sequence: entry.sequence ?? 0, boot: this.#deps.boot, number: entry.number },
        event,
      );
      for (const stream of this.#streams) stream.send(frame);
    }
    return entry;
  }

  #catchup(position: StreamPosition | undefined, newest: number): Catchup {
    const { boot, numbers } = this.#deps;
    const { cutoff, droppedText } = this.#log;
    if (position?.boot === boot && position.number >= cutoff && position.number <= numbers.last)
      return { sequence: position.sequence, number: position.number, first: [], last: [] };

    // From here on the client's live events are of another life, too old, or none at all.
    const start = this.#start;
    const known = position === undefined ? undefined : Math.min(position.sequence, newest);
    if (start === undefined || this.#turn === undefined)
      return {
        sequence: known ?? newest,
        number: numbers.last,
        first: [],
        last: [{ event: 'status', data: { state: 'idle' } }],
      };
    const first: LiveStreamEvent[] = [];
    const isCut = start.number <= cutoff;
    if (isCut) first.push(start.event);
    // It may show text of a turn that was cut off and has begun again.
    if (isCut || known !== undefined)
      first.push({
        event: 'delta',
        data: { turnId: this.#turn, text: isCut ? droppedText : '', reset: true },
      });
    return {
      sequence: known ?? start.sequence ?? newest,
      number: Math.max(start.number - 1, cutoff),
      first,
      last: [],
    };
  }

  /** Merges both orders: a stored message comes before the live events that already knew of it. */
  #toFrames(catchup: Catchup, rows: readonly PageEvent[]): readonly string[] {
    const { boot } = this.#deps;
    let { sequence, number } = catchup;
    const frame = (event: Parameters<typeof toFrame>[1]): string =>
      toFrame({ sequence, boot, number }, event);
    // Whoever breaks off between these begins again: only the last of them stands for all.
    const frames = catchup.first.map((event, index) =>
      index === catchup.first.length - 1
        ? frame(event)
        : toFrame({ sequence, boot: noBoot, number: 0 }, event),
    );
    let next = 0;
    const tellRows = (upTo: number): void => {
      for (let row = rows[next]; row !== undefined && row.sequence <= upTo; row = rows[next]) {
        sequence = row.sequence;
        frames.push(frame({ event: 'message', data: toMessageData(row) }));
        next += 1;
      }
    };
    for (const entry of this.#log.after(number)) {
      tellRows(entry.sequence ?? 0);
      number = entry.number;
      frames.push(frame(entry.event));
    }
    tellRows(Number.POSITIVE_INFINITY);
    return [...frames, ...catchup.last.map(frame)];
  }
}
