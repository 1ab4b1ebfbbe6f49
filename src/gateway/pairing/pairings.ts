/**
 * Letting strangers in by a code: they ask in private, the operator approves what they were told.
 *
 * 1. A code is told once, in the chat that asked, and kept only as a hash; it is in no log, and its delivery is forgotten
 *    when it has ended.
 * 2. Expiry, lockout and single use are decided by the store in one write, so a restart or a second attempt at the same
 *    moment gains nothing.
 * 3. Who is paired is in memory, because access is decided without waiting; the store is written first.
 */
import type { Clock } from '../../core/clock.js';
import { type CorrelationId, type PlatformId, toPlatformId, toUserId } from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { Pairing, PairingRequest, PairingStore } from '../../core/pairing.js';
import { type Route, toRoute } from '../../core/route.js';
import type { ApproveOutcome, PairingService } from '../../core/services.js';
import type { Persist } from '../persist.js';
import type { PairingSettings } from '../settings.js';
import { createCode, hashCode, matchesHash, parseCode } from './code.js';
import { explainFull, explainPairing, wordDuration } from './texts.js';

/** Shorter than a code's life only where the settings make that very short. */
const MIN_REQUEST_INTERVAL_MS = 10 * 60_000;

/** Deliveries that tell a code, and no others, have keys that begin so. */
export const codeKeyBeginning = 'pairing/';

export interface Notice {
  readonly route: Route;
  readonly text: string;
  readonly key: string;
  readonly correlation: CorrelationId;
}

interface PairingsDeps {
  readonly store: PairingStore;
  readonly persist: Persist;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: PairingSettings;
  /** Platforms in the settings that are on. */
  readonly platforms: readonly string[];
  newCorrelation(): CorrelationId;
  say(notice: Notice): Promise<void>;
}

const keyOf = (platform: string, user: string): string => JSON.stringify([platform, user]);

export class Pairings implements PairingService {
  readonly #deps: PairingsDeps;
  readonly #paired = new Set<string>();

  constructor(deps: PairingsDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const { platform, user } of await this.#deps.store.paired()) this.#paired.add(keyOf(platform, user));
  }

  isPaired(platform: string, user: string): boolean {
    return this.#paired.has(keyOf(platform, user));
  }

  hasPaired(platform: string): boolean {
    return [...this.#paired].some((key) => key.startsWith(`["${platform}",`));
  }

  /** Answers a stranger's private message with a code, unless they have one. */
  async onStranger({ origin, sender, correlation }: InboundEvent): Promise<void> {
    const { store, persist, clock, settings, say } = this.#deps;
    const now = clock.now();
    const code = createCode();
    const { platform } = origin;
    const { user, displayName } = sender;
    const request: PairingRequest = {
      platform,
      user,
      displayName,
      route: toRoute(origin),
      codeHash: hashCode(code),
      requestedAt: now,
      expiresAt: now + settings.codeTtlMs,
    };
    const limits = { maxPending: settings.maxPending, minIntervalMs: MIN_REQUEST_INTERVAL_MS };
    const outcome = await persist(() => store.request(request, limits));
    this.#deps.logger.info({ correlation, platform, user, outcome }, 'pairing requested');
    const notice = { route: request.route, correlation };
    if (outcome === 'kept') {
      const text = explainPairing({ platform, user, code, ttlMs: settings.codeTtlMs });
      await say({ ...notice, text, key: `${codeKeyBeginning}${correlation}` });
    }
    if (outcome === 'full')
      await say({ ...notice, text: explainFull(user), key: `pairing-full/${platform}/${user}` });
  }

  async list(): Promise<{
    readonly pending: readonly PairingRequest[];
    readonly paired: readonly Pairing[];
  }> {
    const { store, clock } = this.#deps;
    return { pending: await store.pending(clock.now()), paired: await store.paired() };
  }

  async approve(platformName: string, text: string): Promise<ApproveOutcome> {
    const { store, clock, platforms } = this.#deps;
    if (!platforms.includes(platformName)) {
      const known = platforms.join(', ') || 'none';
      return refused('unknown-platform', `No platform is called '${platformName}'. Enabled are: ${known}.`);
    }
    const platform = toPlatformId(platformName);
    const now = clock.now();
    const lockedUntil = await store.lockedUntil(platform, now);
    if (lockedUntil !== undefined) return this.#locked(platform, lockedUntil - now);
    const code = parseCode(text);
    const pending = (await store.pending(now)).filter((request) => request.platform === platform);
    // Every hash is compared, so that the time tells nothing about which one matched.
    const matching = code === undefined ? [] : pending.filter(({ codeHash }) => matchesHash(code, codeHash));
    const [request] = matching;
    const pairing = request === undefined ? undefined : await store.claim(request, now);
    if (request === undefined || pairing === undefined) return this.#wrong(platform, now);
    return this.#approved(request, pairing);
  }

  async revoke(platform: string, user: string): Promise<boolean> {
    const isRevoked = await this.#deps.store.revoke(toPlatformId(platform), toUserId(user));
    this.#paired.delete(keyOf(platform, user));
    if (isRevoked) this.#deps.logger.info({ platform, user }, 'pairing revoked');
    return isRevoked;
  }

  async #approved(request: PairingRequest, pairing: Pairing): Promise<ApproveOutcome> {
    const { logger, newCorrelation, say } = this.#deps;
    const { platform, user, approvedAt } = pairing;
    this.#paired.add(keyOf(platform, user));
    logger.info({ platform, user }, 'pairing approved');
    const text =
      'You are in: my operator has approved your code. Just write to me; /help lists what else I know.';
    const key = `paired/${platform}/${user}/${approvedAt}`;
    // They are in whether or not the news reaches them.
    await say({ route: request.route, text, key, correlation: newCorrelation() }).catch((error: unknown) =>
      logger.error({ error, platform, user }, 'news of an approval lost'),
    );
    return { ok: true, pairing };
  }

  async #wrong(platform: PlatformId, now: number): Promise<ApproveOutcome> {
    const { store, settings, logger } = this.#deps;
    const lockedUntil = await store.countFailure(platform, now, settings);
    logger.warn({ platform, isLocked: lockedUntil !== undefined }, 'wrong pairing code');
    if (lockedUntil !== undefined) return this.#locked(platform, lockedUntil - now);
    const text = `This is no valid code of ${platform}: it is wrong, used or expired. Ask for a new one by writing to the bot.`;
    return refused('wrong-code', text);
  }

  #locked(platform: PlatformId, leftMs: number): ApproveOutcome {
    const text = `Too many wrong codes: no code of ${platform} is accepted for another ${wordDuration(leftMs)}, not even a right one.`;
    return refused('locked', text);
  }
}

const refused = (
  reason: Extract<ApproveOutcome, { ok: false }>['reason'],
  message: string,
): ApproveOutcome => ({ ok: false, reason, message });
