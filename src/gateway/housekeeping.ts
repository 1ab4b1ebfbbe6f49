/** Once a day, and at a start: what is no longer needed is forgotten. */
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { MediaStore } from '../core/media.js';
import type { ForgottenReport } from '../core/services.js';
import type { MaintenanceStore } from '../core/stores.js';
import { sweepMedia } from './media/housekeeping.js';
import type { Persist } from './persist.js';
import type { RetentionSettings } from './settings.js';

const DAY_MS = 24 * 3_600_000;
/** Platforms redeliver for a day at most; a week leaves room for a stopped laptop. */
const KEEP_INBOX_KEYS_MS = 7 * DAY_MS;
const KEEP_RECEIPTS_MS = 30 * DAY_MS;

interface HousekeepingDeps {
  readonly maintenance: MaintenanceStore;
  readonly media: Pick<MediaStore, 'sweep'>;
  readonly persist: Persist;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly settings: RetentionSettings;
  retain(): Promise<Pick<ForgottenReport, 'sessions' | 'messages'>>;
}

export interface Housekeeping {
  /** What the latest round that found something forgot; undefined if there was none since the start. */
  readonly forgotten: ForgottenReport | undefined;
  /** Until the signal aborts; rejects then, or with what a store throws for good. */
  run(): Promise<void>;
}

export const createHousekeeping = (deps: HousekeepingDeps): Housekeeping => {
  const { maintenance, media, persist, clock, logger, signal, settings } = deps;
  let forgotten: ForgottenReport | undefined;
  const round = async (): Promise<void> => {
    const now = clock.now();
    const outboxAt = now - Math.min(KEEP_RECEIPTS_MS, settings.maxAgeMs);
    await persist(() => maintenance.prune({ inboxAt: now - KEEP_INBOX_KEYS_MS, outboxAt }));
    const words = await deps.retain();
    const files = await sweepMedia(media, { now, ...settings });
    const report = { at: clock.now(), ...words, ...files };
    if (report.sessions + report.messages + report.files === 0) return;
    forgotten = report;
    const { at: _at, ...counts } = report;
    logger.info(counts, 'old conversations and files forgotten');
  };
  return {
    get forgotten() {
      return forgotten;
    },
    run: async () => {
      for (; !signal.aborted; await clock.sleep(DAY_MS, { signal })) {
        // A day on which it fails is made up for by the next.
        await round().catch((error: unknown) => {
          if (!signal.aborted) logger.error({ error }, 'housekeeping failed');
        });
      }
    },
  };
};
