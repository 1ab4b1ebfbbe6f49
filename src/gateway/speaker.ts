import type { CorrelationId, MessageId } from '../core/ids.js';
import type { Cause, Delivery } from '../core/outbound.js';
import type { PlatformAdapter } from '../core/platform.js';
import type { Route } from '../core/route.js';
import type { OutboxStore } from '../core/stores.js';
import { compose } from './outbound/compose.js';
import type { Persist } from './persist.js';

interface SpeakerDeps {
  readonly outbox: OutboxStore;
  readonly persist: Persist;
  readonly compose: Parameters<typeof compose>[2];
  adapterFor(route: Route): PlatformAdapter | undefined;
  dispatch(deliveries: readonly Delivery[]): void;
}

export interface Saying {
  readonly route: Route;
  readonly text: string;
  readonly key: string;
  readonly cause: Cause;
  readonly correlation: CorrelationId;
  readonly replyTo?: MessageId;
}

/** Says what is no turn's answer. */
export interface Speaker {
  /** Composes and stores. Gives the rows that are new (none if it was said before), not yet on their way. */
  prepare(saying: Saying): Promise<readonly Delivery[]>;
  /** The same, and sees them off. */
  say(saying: Saying): Promise<void>;
}

export const createSpeaker = (deps: SpeakerDeps): Speaker => {
  const prepare = async ({ text, key, ...saying }: Saying): Promise<readonly Delivery[]> => {
    const adapter = deps.adapterFor(saying.route);
    if (adapter === undefined) return [];
    const message = { ...saying, parts: [{ type: 'text' as const, text }], idempotencyKey: key };
    return deps.persist(() => deps.outbox.enqueue(compose(message, adapter, deps.compose)));
  };
  return {
    prepare,
    say: async (saying) => deps.dispatch(await prepare(saying)),
  };
};
