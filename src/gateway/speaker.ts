import type { CorrelationId, MessageId } from '../core/ids.js';
import type { Cause, Delivery, DeliveryOutcome, OutboundMessage, PreviewHandle } from '../core/outbound.js';
import type { Choice, StoredFile } from '../core/parts.js';
import type { PlatformAdapter } from '../core/platform.js';
import type { Route } from '../core/route.js';
import type { OutboxStore } from '../core/stores.js';
import { type Attach, type Attached, toMediaPart } from './media/attach.js';
import { compose } from './outbound/compose.js';
import type { Persist } from './persist.js';

interface SpeakerDeps {
  readonly outbox: OutboxStore;
  readonly persist: Persist;
  readonly compose: Parameters<typeof compose>[2];
  readonly attach: Attach;
  /** Forgets copies of files that no delivery names. */
  release(paths: readonly string[]): Promise<void>;
  adapterFor(route: Route): PlatformAdapter | undefined;
  dispatch(deliveries: readonly Delivery[]): void;
  /** Resolves when the row has ended. Called before it is dispatched. */
  outcome(id: Delivery['id']): Promise<DeliveryOutcome>;
}

export interface Saying {
  readonly route: Route;
  readonly text: string;
  /** Spooled files that go with it. */
  readonly files?: readonly StoredFile[];
  readonly key: string;
  readonly cause: Cause;
  readonly correlation: CorrelationId;
  readonly replyTo?: MessageId;
  /** Shown beneath the text, to choose from. */
  readonly choices?: readonly Choice[];
  /** A message of ours that this takes the place of. */
  readonly replaces?: PreviewHandle;
}

export interface Prepared {
  /** Those that are new (none if it was said before), not yet on their way. */
  readonly rows: readonly Delivery[];
  /** Files that could not be attached, one sentence each. */
  readonly problems: readonly string[];
}

/** Says what is no turn's answer. */
export interface Speaker {
  /** Composes and stores. */
  prepare(saying: Saying): Promise<Prepared>;
  /** The same, and sees them off. */
  say(saying: Saying): Promise<void>;
  /** The same; `ended` tells what became of the rows, in order. Empty: there was nothing to send, or it was said before. */
  follow(saying: Saying): Promise<{ readonly ended: Promise<readonly DeliveryOutcome[]> }>;
}

export const createSpeaker = (deps: SpeakerDeps): Speaker => {
  const prepare = async ({ text, key, choices, files = [], ...saying }: Saying): Promise<Prepared> => {
    const adapter = deps.adapterFor(saying.route);
    if (adapter === undefined) return { rows: [], problems: [] };
    // What the gateway itself says may hold words of others, and names no files.
    const isWritten = ['tool', 'operator', 'job'].includes(saying.cause.kind);
    const { parts, problems }: Attached = isWritten
      ? await deps.attach(text, saying)
      : { parts: [{ type: 'text', text }], problems: [] };
    const shown = [...parts, ...files.map((file) => toMediaPart(file))];
    const message: OutboundMessage = {
      ...saying,
      parts: choices === undefined ? shown : [...shown, { type: 'choices', choices }],
      idempotencyKey: key,
    };
    const composed = compose(message, adapter, deps.compose);
    const rows = await deps.persist(() => deps.outbox.enqueue(composed));
    const kept = new Set(rows.map(({ id }) => id));
    await deps.release(composed.flatMap(({ id, encoded }) => (kept.has(id) ? [] : (encoded.files ?? []))));
    return { rows, problems };
  };
  return {
    prepare,
    say: async (saying) => deps.dispatch((await prepare(saying)).rows),
    follow: async (saying) => {
      const { rows } = await prepare(saying);
      const ended = Promise.all(rows.map(({ id }) => deps.outcome(id)));
      deps.dispatch(rows);
      return { ended };
    },
  };
};
