/** What came from Telegram, by whichever way, on its way to the sink. */
import type { Clock } from '../../core/clock.js';
import type { AccountId, IdSource } from '../../core/ids.js';
import type { InboundEvent, InboundSink } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { RunOptions } from '../../core/platform.js';
import { fieldsOf } from '../kit/fields.js';
import { decodeUpdate } from './decode.js';
import type { Forums } from './forums.js';
import { complaintAbout } from './malformed.js';
import type { BotIdentity } from './mentions.js';
import { findMoves, type Move } from './moves.js';

export interface IntakePorts {
  readonly account: AccountId;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly forums: Forums;
  readonly logger: Logger;
}

export interface Batch {
  readonly moves: readonly Move[];
  readonly events: readonly InboundEvent[];
}

/** Never throws: an update that cannot be read is logged, once, and passed over, since it would come again for ever. */
export const readBatch = (ports: IntakePorts, bot: BotIdentity, updates: readonly unknown[]): Batch => {
  const receivedAt = ports.clock.now();
  const batches = updates.map((update) => readUpdate(ports, bot, update, receivedAt));
  return { moves: batches.flatMap(({ moves }) => moves), events: batches.flatMap(({ events }) => events) };
};

const readUpdate = (
  { account, ids, forums, logger }: IntakePorts,
  bot: BotIdentity,
  update: unknown,
  receivedAt: number,
): Batch => {
  const id = fieldsOf(update)?.['update_id'];
  try {
    const complaint = complaintAbout(update);
    if (complaint !== undefined) logger.warn({ update: id, complaint }, 'malformed update passed over');
    forums.learn(update);
    const event = decodeUpdate(update, { account, bot, receivedAt, correlation: ids.next('correlation') });
    return { moves: findMoves([update]), events: event === undefined ? [] : [event] };
  } catch (error) {
    logger.error({ update: id, error }, 'update could not be read and is passed over');
    return { moves: [], events: [] };
  }
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
