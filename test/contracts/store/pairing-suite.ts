import { describe, expect, test } from 'vitest';
import { toPlatformId, toUserId } from '../../../src/core/ids.js';
import type { PairingRequest } from '../../../src/core/pairing.js';
import { type OpenHarness, useStores } from './harness.js';
import { origin } from './records.js';

const platform = toPlatformId('matrix');
const other = toPlatformId('other');
const limits = { maxPending: 2, minIntervalMs: 100 };
const attempts = { maxAttempts: 2, lockoutMs: 500 };

const aRequest = (user: string, over: Partial<PairingRequest> = {}): PairingRequest => ({
  platform,
  user: toUserId(user),
  displayName: `Name of ${user}`,
  route: { platform, account: origin.account, chat: origin.chat },
  codeHash: `hash of ${user}`,
  requestedAt: 1000,
  expiresAt: 2000,
  ...over,
});

export const pairingSuite = (open: OpenHarness): void => {
  describe('pairings', () => {
    const harness = useStores(open);

    test('a request is pending until it expires, also after a restart', async () => {
      expect(await harness.stores.pairings.request(aRequest('ada'), limits)).toBe('kept');
      const { pairings } = await harness.restart();
      expect(await pairings.pending(1999)).toStrictEqual([aRequest('ada')]);
      expect(await pairings.pending(2000)).toEqual([]);
    });

    test('who has a valid code or asked a moment ago gets no other', async () => {
      const { pairings } = harness.stores;
      const short = aRequest('ada', { expiresAt: 1050 });
      await pairings.request(short, limits);
      expect(await pairings.request(aRequest('ada', { requestedAt: 1049 }), limits)).toBe('asked');
      expect(await pairings.request(aRequest('ada', { requestedAt: 1099 }), limits)).toBe('asked');
      const later = aRequest('ada', { requestedAt: 1100, codeHash: 'another' });
      expect(await pairings.request(later, limits)).toBe('kept');
      expect(await pairings.pending(1100)).toStrictEqual([later]);
    });

    test('a platform has so many valid requests and no more; others have theirs', async () => {
      const { pairings } = harness.stores;
      await pairings.request(aRequest('ada'), limits);
      await pairings.request(aRequest('ben'), limits);
      expect(await pairings.request(aRequest('cem'), limits)).toBe('full');
      expect(await pairings.request(aRequest('cem', { platform: other }), limits)).toBe('kept');
      const late = aRequest('cem', { requestedAt: 2000, expiresAt: 3000 });
      expect(await pairings.request(late, limits)).toBe('kept');
    });

    test('a code lets in once, for good, and then needs no code', async () => {
      const { pairings } = harness.stores;
      await pairings.request(aRequest('ada'), limits);
      const claims = await Promise.all([
        pairings.claim(aRequest('ada'), 1500),
        pairings.claim(aRequest('ada'), 1500),
      ]);
      const pairing = { platform, user: 'ada', displayName: 'Name of ada', approvedAt: 1500 };
      expect(claims).toStrictEqual([pairing, undefined]);
      const stores = await harness.restart();
      expect(await stores.pairings.paired()).toStrictEqual([pairing]);
      expect(await stores.pairings.pending(1500)).toEqual([]);
      expect(await stores.pairings.request(aRequest('ada'), limits)).toBe('paired');
    });

    test.each([
      ['another hash', { codeHash: 'hash of ben' }, 1500],
      ['another user', { user: toUserId('ben') }, 1500],
      ['another platform', { platform: other }, 1500],
      ['an expired code', {}, 2000],
    ])('%s lets nobody in', async (_, over, now) => {
      const { pairings } = harness.stores;
      await pairings.request(aRequest('ada'), limits);
      expect(await pairings.claim(aRequest('ada', over), now)).toBeUndefined();
      expect(await pairings.paired()).toEqual([]);
    });

    test('too many failures lock the platform, and it alone, also after a restart', async () => {
      const { pairings } = harness.stores;
      await pairings.request(aRequest('ada'), limits);
      expect(await pairings.countFailure(platform, 1000, attempts)).toBeUndefined();
      expect(await pairings.countFailure(platform, 1001, attempts)).toBe(1501);
      const stores = await harness.restart();
      expect(await stores.pairings.lockedUntil(platform, 1500)).toBe(1501);
      expect(await stores.pairings.lockedUntil(other, 1500)).toBeUndefined();
      expect(await stores.pairings.claim(aRequest('ada'), 1500)).toBeUndefined();
      expect(await stores.pairings.lockedUntil(platform, 1501)).toBeUndefined();
      expect(await stores.pairings.claim(aRequest('ada'), 1501)).toMatchObject({ user: 'ada' });
    });

    test('failures are forgotten after a lockout, after its length, and by a right code', async () => {
      const { pairings } = harness.stores;
      await pairings.countFailure(platform, 1000, attempts);
      await pairings.countFailure(platform, 1000, attempts);
      expect(await pairings.countFailure(platform, 1500, attempts)).toBeUndefined();
      expect(await pairings.countFailure(platform, 2000, attempts)).toBeUndefined();
      await pairings.request(aRequest('ada', { requestedAt: 2000, expiresAt: 3000 }), limits);
      await pairings.claim(aRequest('ada'), 2001);
      expect(await pairings.countFailure(platform, 2002, attempts)).toBeUndefined();
    });

    test('a revoked person may ask again; revoking nobody says so', async () => {
      const { pairings } = harness.stores;
      await pairings.request(aRequest('ada'), limits);
      await pairings.claim(aRequest('ada'), 1500);
      expect(await pairings.revoke(other, toUserId('ada'))).toBe(false);
      expect(await pairings.revoke(platform, toUserId('ada'))).toBe(true);
      expect(await pairings.paired()).toEqual([]);
      expect(await pairings.request(aRequest('ada', { requestedAt: 1501 }), limits)).toBe('kept');
    });
  });
};
