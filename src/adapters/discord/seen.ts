/** How far each channel was read, kept across restarts, so that what was written meanwhile can be fetched. */
import type { Clock } from '../../core/clock.js';
import type { AccountId } from '../../core/ids.js';
import type { JsonValue } from '../../core/json.js';
import type { Logger } from '../../core/logger.js';
import type { NoteStore } from '../../core/notes.js';
import { fieldsOf } from '../kit/fields.js';
import { remember } from '../kit/remember.js';
import { isLater, isSnowflake } from './ids.js';

/** Those heard of last; each costs a call after a downtime in which something was written there. */
const MAX_CHANNELS = 200;
/** A write for each message would be most of what receiving costs; what is fetched twice is known. */
const SAVE_EVERY_MS = 500;
/** Beside the channels, which are numbers. */
const SINCE = 'since';

export class Seen {
  readonly #notes: NoteStore;
  /** Another bot reads other channels. */
  readonly #note: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** The one heard of longest ago first. */
  #lastIds = new Map<string, string>();
  #since: string | undefined;
  #isLoaded = false;
  #isDirty = false;
  #writing: Promise<void> | undefined;
  #soon: Promise<void> | undefined;

  constructor(ports: {
    readonly account: AccountId;
    readonly clock: Clock;
    readonly notes: NoteStore;
    readonly logger: Logger;
  }) {
    this.#clock = ports.clock;
    this.#notes = ports.notes;
    this.#note = `seen:${ports.account}`;
    this.#logger = ports.logger;
  }

  /** Reads what an earlier life kept, once. Rejects with a StoreError. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    const note = fieldsOf(await this.#notes.read(this.#note)) ?? {};
    const since = note[SINCE];
    if (isSnowflake(since)) this.#since = since;
    const stored = Object.entries(note);
    const kept = stored.filter(
      (entry): entry is [string, string] => isSnowflake(entry[0]) && isSnowflake(entry[1]),
    );
    this.#lastIds = new Map([...kept, ...this.#lastIds]);
    this.#isLoaded = true;
  }

  entries(): readonly (readonly [channel: string, lastId: string])[] {
    return [...this.#lastIds];
  }

  /** From where a channel has to be read on; undefined before the first connection of all. */
  floorOf(channel: string): string | undefined {
    return this.#lastIds.get(channel) ?? this.#since;
  }

  /** What was written before this id, wherever it was, is stored or is nothing for us. */
  reach(id: string): void {
    this.#since = id;
    this.#isDirty = true;
  }

  /** Everything up to `id` in this channel is stored, or is nothing for us. */
  mark(channel: string, id: string): void {
    const known = this.#lastIds.get(channel);
    if (known !== undefined && !isLater(id, known)) return;
    remember(this.#lastIds, channel, id, MAX_CHANNELS);
    this.#isDirty = true;
  }

  /** Writes what changes within the next moment. Never rejects. */
  saveSoon(signal: AbortSignal): void {
    this.#soon ??= this.#clock
      .sleep(SAVE_EVERY_MS, { signal })
      .then(() => this.save())
      // We are stopping, which saves too.
      .catch(() => undefined)
      .finally(() => {
        this.#soon = undefined;
      });
  }

  /** Writes what changed. One that fails is written with the next: until then more is fetched than needed, and known again. */
  save(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      const value: Record<string, JsonValue> = {
        ...Object.fromEntries(this.#lastIds),
        ...(this.#since !== undefined && { [SINCE]: this.#since }),
      };
      try {
        await this.#notes.write(this.#note, value);
      } catch (error) {
        this.#logger.warn({ error }, 'how far Discord was read could not be kept');
        return;
      }
    }
  }
}
