/**
 * What is old or too much goes, a piece at a time, so that everything else goes on meanwhile.
 *
 * 1. A conversation goes whole once nobody used it for the time, and before it when room is short: the longest unused
 *    first. Never one that works, and never one of a chat for which something is on its way in or out.
 * 2. A conversation in use loses what is older than the time, but keeps what its next turns read.
 */
import type { ArchiveStore, SessionOverview } from '../../core/archive.js';
import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import { type Route, toRoute } from '../../core/route.js';
import type { ForgottenReport } from '../../core/services.js';
import type { Stores } from '../../core/stores.js';
import { parseSessionKey } from '../inbound/session-key.js';
import type { Persist } from '../persist.js';
import type { RetentionSettings } from '../settings.js';
import type { Forget } from './forget.js';

const DAY_MS = 24 * 3_600_000;
/** Somebody who wrote within this time goes on soon; room is made elsewhere first. */
const IN_USE_MS = DAY_MS;
/** As many as a turn reads. */
const KEPT_MESSAGES = 500;
/** As many as a page shows without being asked for more, and some. */
const KEPT_EVENTS = 200;
const BATCH = 50;
/** Between two pieces of work, for everything else. */
const PAUSE_MS = 20;
const ALL = 1_000_000;

interface RetentionDeps {
  readonly stores: Pick<Stores, 'archive' | 'inbox' | 'outbox' | 'pageLog' | 'maintenance'>;
  readonly persist: Persist;
  readonly forget: Forget;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly settings: RetentionSettings;
  /** The same place under the first id that its chat had. */
  firstPlace(route: Route): Route;
}

type Counts = Pick<ForgottenReport, 'sessions' | 'messages'>;

const placeOf = ({ platform, chat }: Pick<Route, 'platform' | 'chat'>): string =>
  JSON.stringify([platform, chat]);

/** Chats for which something is on its way. */
const neededPlaces = async ({ stores, persist, firstPlace }: RetentionDeps): Promise<ReadonlySet<string>> => {
  const events = await persist(() => stores.inbox.unfinished());
  const deliveries = await persist(() => stores.outbox.unfinished());
  const routes = [
    ...events.map(({ event }) => toRoute(event.origin)),
    ...deliveries.map(({ route }) => route),
  ];
  return new Set(routes.map((route) => placeOf(firstPlace(route))));
};

const isNeeded = ({ key }: SessionOverview, needed: ReadonlySet<string>): boolean => {
  const place = parseSessionKey(key);
  return place !== undefined && needed.has(placeOf(place));
};

export const createRetention = (deps: RetentionDeps): (() => Promise<Counts>) => {
  const { stores, persist, forget, clock, logger, signal, settings } = deps;
  const { archive, maintenance, pageLog } = stores;
  const pause = (): Promise<void> => clock.sleep(PAUSE_MS, { signal });
  const isTooLarge = async (): Promise<boolean> =>
    (await persist(() => maintenance.sizeBytes())) > settings.maxBytes;

  /** Forgets idle conversations, the longest unused first, until `isEnough`. Gives how many went. */
  const forgetIdle = async (usedBefore: number, isEnough: () => Promise<boolean>): Promise<number> => {
    const needed = await neededPlaces(deps);
    const kept = new Set<string>();
    let count = 0;
    for (let isLast = false; !isLast; ) {
      const batch = await nextIdle(archive, { usedBefore, skipped: kept }, persist);
      isLast = batch.length === 0;
      for (const session of batch) {
        if (await isEnough()) return count;
        const isGone = !isNeeded(session, needed) && (await forget.session(session)) === 'deleted';
        if (isGone) count += 1;
        else kept.add(session.id);
        await pause();
      }
    }
    return count;
  };
  /** Forgets what was said before a time in conversations begun before it. Gives how many messages went. */
  const trimAll = async (before: number, isEnough: () => Promise<boolean>): Promise<number> => {
    const all = await persist(() => archive.list({ scope: { type: 'all' }, limit: ALL }));
    let count = await persist(() => pageLog.trim({ before, keep: KEPT_EVENTS }));
    for (const { id, createdAt, messages } of all.toReversed()) {
      if (createdAt >= before || messages <= KEPT_MESSAGES) continue;
      if (await isEnough()) break;
      count += await persist(() => archive.trim(id, { before, keep: KEPT_MESSAGES }));
      await pause();
    }
    return count;
  };
  const never = async (): Promise<boolean> => false;
  const isSmall = async (): Promise<boolean> => !(await isTooLarge());

  return async () => {
    const now = clock.now();
    const oldest = now - settings.maxAgeMs;
    let sessions = await forgetIdle(oldest, never);
    let messages = await trimAll(oldest, never);
    if (await isTooLarge()) sessions += await forgetIdle(now - IN_USE_MS, isSmall);
    if (await isTooLarge()) messages += await trimAll(now - IN_USE_MS, isSmall);
    while (await persist(() => maintenance.shrink())) await pause();
    if (await isTooLarge()) {
      const sizeBytes = await persist(() => maintenance.sizeBytes());
      logger.warn(
        { sizeBytes, maxBytes: settings.maxBytes },
        'database is larger than it may be; nothing idle is left',
      );
    }
    return { sessions, messages };
  };
};

const nextIdle = async (
  archive: ArchiveStore,
  { usedBefore, skipped }: { readonly usedBefore: number; readonly skipped: ReadonlySet<string> },
  persist: Persist,
): Promise<readonly SessionOverview[]> => {
  const idle = await persist(() => archive.idle({ usedBefore, limit: BATCH + skipped.size }));
  return idle.filter(({ id }) => !skipped.has(id));
};
