/** What came from Telegram, by whichever way, on its way to the sink. */
import type { Clock } from '../../core/clock.js';
import type { AccountId, IdSource } from '../../core/ids.js';
import type { InboundEvent, InboundSink } from '../../core/inbound.js';
import type { RunOptions } from '../../core/platform.js';
import { decodeUpdate } from './decode.js';
import type { Forums } from './forums.js';
import type { BotIdentity } from './mentions.js';
import { findMoves, type Move } from './moves.js';

export interface IntakePorts {
  readonly account: AccountId;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly forums: Forums;
}

export interface Batch {
  readonly moves: readonly Move[];
  readonly events: readonly InboundEvent[];
}

export const readBatch = (
  { account, clock, ids, forums }: IntakePorts,
  bot: BotIdentity,
  updates: readonly unknown[],
): Batch => {
  for (const update of updates) forums.learn(update);
  const receivedAt = clock.now();
  const events = updates
    .map((update) => decodeUpdate(update, { account, bot, receivedAt, correlation: ids.next('correlation') }))
    .filter((event) => event !== undefined);
  return { moves: findMoves(updates), events };
};

/** Resolves when everything is stored. */
export const storeBatch = async (
  { moves, events }: Batch,
  sink: InboundSink,
  onMoved: RunOptions['onMoved'],
): Promise<void> => {
  // First, since what was written after a move comes from the new chat.
  for (const move of moves) await onMoved?.(move);
  if (events.length > 0) await sink.accept(events);
};
