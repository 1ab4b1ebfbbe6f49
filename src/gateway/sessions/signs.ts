/** What people see of a turn while it runs, besides its text: that somebody writes, reactions, what tools do. */
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { PlatformAdapter, Reaction } from '../../core/platform.js';
import { toRoute } from '../../core/route.js';
import type { TurnRecord } from '../../core/stores.js';
import type { StopReason, TurnEvent } from '../../core/turn.js';
import { createPreview } from '../outbound/preview.js';
import { Reactions } from '../outbound/reactions.js';
import { ToolProgress } from '../outbound/tool-progress.js';
import { startTyping } from '../outbound/typing.js';
import type { SessionDeps } from './types.js';

/** Tools that are done by then need no telling. */
const FIRST_PROGRESS_MS = 1_500;

export interface TurnSigns {
  /** Messages that the turn answers. */
  took(messages: readonly MessageId[]): void;
  show(event: TurnEvent): void;
  /** After `turn-end` nothing is left to do; without it the turn was let go of. */
  end(): void;
}

const outcomeOf = (reason: StopReason): Reaction | undefined => {
  switch (reason) {
    case 'cancelled':
      return undefined;
    case 'error':
    case 'refusal':
      return 'failed';
    case 'end_turn':
    case 'max_tokens':
    case 'max_turn_requests':
      return 'done';
  }
};

const noSigns: TurnSigns = { took: () => {}, show: () => {}, end: () => {} };

export const startSigns = (
  turn: TurnRecord,
  adapter: PlatformAdapter | undefined,
  logger: Logger,
  deps: SessionDeps,
): TurnSigns => {
  if (adapter === undefined) return noSigns;
  const { clock, redact, sendSignal } = deps;
  const route = toRoute(turn.caller.origin);
  const platform = deps.platform(route.platform);
  const endTyping = startTyping({ route, adapter, clock, logger, callSignal: sendSignal });
  const reactions =
    adapter.reacting !== undefined && platform?.reactions === true
      ? new Reactions({ route, facet: adapter.reacting, logger, callSignal: sendSignal })
      : undefined;
  const progress = new ToolProgress({
    mode: platform?.toolProgress ?? 'off',
    createPreview: (mayBegin) =>
      createPreview({
        clock,
        logger,
        redact,
        lane: () => deps.lane(route),
        route,
        adapter,
        idempotencyKey: `${turn.id}/tools/${turn.attempts}`,
        signal: sendSignal,
        firstFrameMs: FIRST_PROGRESS_MS,
        // A stopping gateway begins nothing that it would leave behind.
        mayBegin: () => mayBegin() && !deps.isStopping(),
        remember: async () => {},
      }),
  });
  return {
    took: (messages) => reactions?.begin(messages),
    show: (event) => {
      progress.show(event);
      if (event.type === 'turn-end') reactions?.end(outcomeOf(event.reason));
    },
    end: () => {
      endTyping();
      reactions?.end(undefined);
      void progress.end();
    },
  };
};
