import type { PlatformId, UserId } from '../../core/ids.js';
import type { Pairing, PairingRequest, PairingStore } from '../../core/pairing.js';
import { copyOf } from './copy.js';

interface Lock {
  readonly failures: number;
  readonly failedAt: number;
  readonly lockedUntil: number;
}

const keyOf = (platform: PlatformId, user: UserId): string => JSON.stringify([platform, user]);

export const createMemoryPairings = (): PairingStore => {
  const requests = new Map<string, PairingRequest>();
  const pairings = new Map<string, Pairing>();
  const locks = new Map<PlatformId, Lock>();
  const valid = (now: number): PairingRequest[] =>
    [...requests.values()].filter(({ expiresAt }) => expiresAt > now);
  const lockedUntil = (platform: PlatformId, now: number): number | undefined => {
    const until = locks.get(platform)?.lockedUntil ?? 0;
    return until > now ? until : undefined;
  };

  return {
    request: async (request, { maxPending, minIntervalMs }) => {
      const { platform, user, requestedAt: now } = request;
      const key = keyOf(platform, user);
      if (pairings.has(key)) return 'paired';
      const own = requests.get(key);
      if (own !== undefined && (own.expiresAt > now || own.requestedAt + minIntervalMs > now)) return 'asked';
      if (valid(now).filter((other) => other.platform === platform).length >= maxPending) return 'full';
      requests.delete(key);
      requests.set(key, copyOf(request));
      return 'kept';
    },
    pending: async (now) => valid(now),
    claim: async ({ platform, user, codeHash }, now) => {
      const key = keyOf(platform, user);
      const request = requests.get(key);
      if (request === undefined || request.codeHash !== codeHash || request.expiresAt <= now)
        return undefined;
      if (lockedUntil(platform, now) !== undefined) return undefined;
      const pairing = { platform, user, displayName: request.displayName, approvedAt: now };
      requests.delete(key);
      locks.delete(platform);
      pairings.set(key, pairing);
      return pairing;
    },
    countFailure: async (platform, now, { maxAttempts, lockoutMs }) => {
      const before = locks.get(platform);
      const counts = before !== undefined && before.lockedUntil === 0 && before.failedAt + lockoutMs > now;
      const failures = (counts ? before.failures : 0) + 1;
      const until = failures >= maxAttempts ? now + lockoutMs : 0;
      locks.set(platform, { failures, failedAt: now, lockedUntil: until });
      return lockedUntil(platform, now);
    },
    lockedUntil: async (platform, now) => lockedUntil(platform, now),
    paired: async () => [...pairings.values()],
    revoke: async (platform, user) => pairings.delete(keyOf(platform, user)),
  };
};
