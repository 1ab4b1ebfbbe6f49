import type { MediaStore } from '../../core/media.js';
import type { OutboxStore } from '../../core/stores.js';
import type { RetentionSettings } from '../settings.js';

const DAY_MS = 24 * 3_600_000;
/** What people sent is looked at within days; after a month the platform itself often has it no more. */
const KEEP_FILES_MS = 30 * DAY_MS;

/** Forgets the copies that a crash left behind: those that no delivery on its way names. */
export const clearSpool = async (media: MediaStore, outbox: OutboxStore): Promise<void> => {
  const spooled = await media.spooled();
  if (spooled.length === 0) return;
  const named = new Set((await outbox.unfinished()).flatMap(({ encoded }) => encoded.files ?? []));
  await media.release(spooled.filter((path) => !named.has(path)));
};

/** Forgets files that are old or too many. */
export const sweepMedia = (
  media: Pick<MediaStore, 'sweep'>,
  { now, maxAgeMs, maxBytes }: RetentionSettings & { readonly now: number },
) => media.sweep({ olderThan: now - Math.min(KEEP_FILES_MS, maxAgeMs), maxBytes });
