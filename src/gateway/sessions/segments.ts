/** The text of each step of a turn, as it is shown while it grows. */
import type { PreviewHandle } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import { toRoute } from '../../core/route.js';
import type { TurnRecord } from '../../core/stores.js';
import { createPreview, type PreviewWriter } from '../outbound/preview.js';
import type { TurnRelay } from './relay.js';
import type { SessionDeps } from './types.js';

export interface Segments {
  /** Ends the segment that grows; what is left of it on the screen, for its final text to take over. */
  end(): Promise<PreviewHandle | undefined>;
}

/** The first segment of a resumed turn takes over the preview that its earlier life left. */
export const createSegments = (relay: TurnRelay, left: PreviewHandle | undefined): Segments => {
  let inherited = left;
  return {
    end: async () => {
      const fresh = await relay.endSegment();
      const handle = fresh ?? inherited;
      inherited = undefined;
      return handle;
    },
  };
};

/** Undefined where none is to be shown. `begun`: when the turn is stored, before which nothing of it may be. */
export const previewOf = (
  turn: TurnRecord,
  adapter: PlatformAdapter | undefined,
  begun: Promise<void> | undefined,
  deps: SessionDeps,
): PreviewWriter | undefined => {
  const route = toRoute(turn.caller.origin);
  const isStreaming = deps.platform(route.platform)?.streaming ?? false;
  if (adapter === undefined || !isStreaming) return undefined;
  const { clock, logger, redact, persist, stores } = deps;
  return createPreview({
    clock,
    logger,
    redact,
    lane: () => deps.lane(route),
    route,
    adapter,
    ...(turn.replyTo !== undefined && { replyTo: turn.replyTo }),
    idempotencyKey: turn.id,
    signal: deps.sendSignal,
    remember: async (preview) => {
      await begun;
      await persist(() => stores.turns.setPreview(turn.id, preview));
    },
  });
};
