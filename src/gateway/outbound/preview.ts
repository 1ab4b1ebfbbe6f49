/**
 * The live preview of one growing text: one message, sent early and edited. This object is its only owner, from the
 * first frame to the moment the final text takes the message over; nobody else sends or edits it.
 *
 * 1. Frames run in the chat's lane and only when nothing else waits there, so they neither overtake a message nor
 *    eat into a wait that the platform asked for.
 * 2. That a first frame is about to be sent is stored before, and its message id after: a crash never leaves an
 *    unknown copy of the text beside the final one without a mark.
 * 3. Only the newest text is ever shown; frames that could not be sent in time are not made up for.
 */
import type { Clock } from '../../core/clock.js';
import { isAbort, PlatformError } from '../../core/errors.js';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { EncodedMessage, PreviewHandle } from '../../core/outbound.js';
import type { EditingFacet, PlatformAdapter, PreviewFacet } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import type { Lane } from './lane.js';

/** Answers complete within this time need no preview: one message instead of a message and an edit. */
const FIRST_FRAME_MS = 700;
/** After so many refusals for flooding the rest of the text comes with the final only. */
const MAX_STRIKES = 3;

export interface PreviewDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** The chat's lane as it is now: an idle one is forgotten, so it must not be kept. */
  lane(): Lane;
  readonly route: Route;
  readonly adapter: PlatformAdapter;
  readonly replyTo?: MessageId;
  readonly idempotencyKey: string;
  /** Aborts calls at the end of a stop's grace time. */
  readonly signal: AbortSignal;
  /** What is over within this time is not shown at all. Default 700 ms. */
  readonly firstFrameMs?: number;
  /** Asked before the first frame; it waits while the answer is no. */
  mayBegin?(): boolean;
  /** Stores the preview's state; must be stored when it resolves. */
  remember(preview: PreviewHandle | undefined): Promise<void>;
}

interface PreviewFacets {
  readonly preview: PreviewFacet;
  readonly editing: EditingFacet;
}

export class PreviewWriter {
  readonly #deps: PreviewDeps;
  readonly #facets: PreviewFacets;
  readonly #stop = new AbortController();
  #text = '';
  /** The text and the frame that were shown last. */
  #seen = '';
  #shown = '';
  #handle: PreviewHandle | undefined;
  #strikes = 0;
  #isOff = false;
  #loop: Promise<void> | undefined;
  #frame: Promise<void> = Promise.resolve();

  constructor(deps: PreviewDeps, facets: PreviewFacets) {
    this.#deps = deps;
    this.#facets = facets;
  }

  /** The whole text so far. */
  update(text: string): void {
    this.#text = text;
    this.#loop ??= this.#run();
  }

  /** Ends the preview. What is left of it on the platform, for the final text to take over. */
  async finish(): Promise<PreviewHandle | undefined> {
    this.#stop.abort(new Error('the preview is over'));
    await this.#loop;
    await this.#frame;
    return this.#handle;
  }

  async #run(): Promise<void> {
    const { clock, route, firstFrameMs = FIRST_FRAME_MS } = this.#deps;
    const { signal } = this.#stop;
    const { preview } = this.#facets;
    for (let delayMs = firstFrameMs; !this.#isOff; delayMs = preview.minIntervalMs(route)) {
      try {
        await clock.sleep(delayMs, { signal });
      } catch {
        return;
      }
      this.#offerFrame();
      await this.#frame;
    }
  }

  /** Ends the preview and leaves it as it is, with the newest text. Never rejects. */
  async conclude(): Promise<void> {
    const handle = await this.finish();
    if (handle?.message !== undefined && !this.#isOff && !this.#deps.lane().isHeld) this.#pushFrame();
  }

  #offerFrame(): void {
    const lane = this.#deps.lane();
    const isFirst = this.#handle === undefined;
    if (lane.isHeld || lane.isBusy || (isFirst && this.#deps.mayBegin?.() === false)) return;
    this.#pushFrame();
  }

  #pushFrame(): void {
    const { route } = this.#deps;
    if (this.#text === this.#seen) return;
    const lane = this.#deps.lane();
    const text = this.#text;
    const encoded = this.#facets.preview.encodePreview(this.#deps.redact(text), route);
    const frame = JSON.stringify(encoded);
    // A message that is full looks the same however the text grows.
    if (encoded === undefined || frame === this.#shown) return;
    this.#frame = new Promise((resolve) => {
      lane.push(async () => {
        try {
          if (!(await this.#show(encoded))) return;
          this.#seen = text;
          this.#shown = frame;
        } finally {
          resolve();
        }
      });
    });
  }

  /** False if it is not there. */
  async #show(encoded: EncodedMessage): Promise<boolean> {
    const { route, adapter, replyTo, idempotencyKey, remember, signal } = this.#deps;
    // The end of the preview does not cut a frame off: its outcome would be unknown for no gain.
    const options = { signal };
    try {
      if (this.#handle?.message !== undefined) {
        await this.#facets.editing.edit({ route, encoded, message: this.#handle.message }, options);
        return true;
      }
      this.#handle = {};
      await remember(this.#handle);
      const request = { route, encoded, idempotencyKey: `${idempotencyKey}/preview` };
      const receipt = await adapter.send(replyTo === undefined ? request : { ...request, replyTo }, options);
      const message = receipt.messages[0];
      this.#handle = message === undefined ? {} : { message };
      await remember(this.#handle);
      return true;
    } catch (error) {
      await this.#onFailure(error);
      return false;
    }
  }

  async #onFailure(error: unknown): Promise<void> {
    const { clock, logger, route, signal } = this.#deps;
    if (isAbort(error, signal)) return;
    const isCertain = error instanceof PlatformError && error.outcome === 'none';
    if (this.#handle?.message === undefined && isCertain) {
      this.#handle = undefined;
      await this.#deps.remember(undefined);
    }
    if (error instanceof PlatformError && error.retry.kind === 'after') {
      this.#deps.lane().hold(clock.now() + error.retry.delayMs);
      this.#strikes += 1;
    }
    // A first frame with unknown outcome must not be tried again: it could stand there twice.
    const isFirstUnknown = this.#handle !== undefined && this.#handle.message === undefined;
    const mayGoOn = error instanceof PlatformError && error.retry.kind === 'after' && !isFirstUnknown;
    this.#isOff = this.#strikes >= MAX_STRIKES || !mayGoOn;
    logger.warn({ error, chat: route.chat, isOff: this.#isOff }, 'preview frame failed');
  }
}

/** Undefined where the platform cannot show a preview. */
export const createPreview = (deps: PreviewDeps): PreviewWriter | undefined => {
  const { preview, editing } = deps.adapter;
  return preview === undefined || editing === undefined
    ? undefined
    : new PreviewWriter(deps, { preview, editing });
};
