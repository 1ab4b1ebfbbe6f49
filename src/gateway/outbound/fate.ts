import { PlatformError } from '../../core/errors.js';
import { growingDelay } from '../../core/growing-delay.js';
import type { Delivery } from '../../core/outbound.js';

/** What happens to a delivery whose send failed. */
export type Fate =
  /** Nothing may leave for this chat before `delayMs` have passed. */
  | { readonly kind: 'hold-lane'; readonly delayMs: number }
  | { readonly kind: 'postpone'; readonly delayMs: number }
  /** Once more, marked as a possible duplicate. */
  | { readonly kind: 'repeat-marked' }
  /** As a new message, since the one to edit is gone. */
  | { readonly kind: 'send-afresh' }
  | { readonly kind: 'give-up'; readonly state: 'failed' | 'unknown' };

const delays = { firstMs: 1_000, maxMs: 60_000 };
/** After a day nobody waits for the answer any more, and it would be taken for a new one. */
const MAX_AGE_MS = 24 * 3_600_000;

export interface FateContext {
  readonly now: number;
  /** Repeating the very same call is harmless: an edit, or a platform that recognises the key. */
  readonly isRepeatable: boolean;
  /** The chat was just found to go on elsewhere, where the next try will go. */
  readonly hasMoved?: boolean;
}

/** Pure. `attempts` of the delivery counts the one that just failed. */
export const decideFate = (
  error: unknown,
  delivery: Delivery,
  { now, isRepeatable, hasMoved = false }: FateContext,
): Fate => {
  if (hasMoved) return { kind: 'postpone', delayMs: 0 };
  const isOld = now - delivery.createdAt > MAX_AGE_MS;
  // Anything but a PlatformError is a bug of the adapter; what it did before it broke is unknown.
  const outcome = error instanceof PlatformError ? error.outcome : 'unknown';
  if (error instanceof PlatformError && error.code === 'message-gone') {
    return delivery.edits === undefined ? { kind: 'give-up', state: 'failed' } : { kind: 'send-afresh' };
  }
  if (outcome === 'unknown') {
    if (isRepeatable && !isOld) return { kind: 'postpone', delayMs: growingDelay(delivery.attempts, delays) };
    const isFinal = delivery.isRepeat || isOld || delivery.cause.kind === 'job';
    return isFinal ? { kind: 'give-up', state: 'unknown' } : { kind: 'repeat-marked' };
  }
  const retry = error instanceof PlatformError ? error.retry : { kind: 'never' as const };
  if (retry.kind === 'never' || isOld) return { kind: 'give-up', state: 'failed' };
  if (retry.kind === 'after') return { kind: 'hold-lane', delayMs: retry.delayMs };
  return { kind: 'postpone', delayMs: growingDelay(delivery.attempts, delays) };
};

/** A send that a crash interrupted: its outcome is unknown, whoever's fault it was. */
export const decideInterrupted = (delivery: Delivery, context: FateContext): Fate => {
  const fate = decideFate(undefined, delivery, context);
  return fate.kind === 'postpone' ? { kind: 'postpone', delayMs: 0 } : fate;
};
