import type { PlatformId, UserId } from './ids.js';
import type { Route } from './route.js';

/** Somebody who is no user yet asked to become one and was told a code. */
export interface PairingRequest {
  readonly platform: PlatformId;
  readonly user: UserId;
  readonly displayName: string;
  /** Where they asked, to be told there that they are in. */
  readonly route: Route;
  /** What the code is compared with; the code itself is not kept. */
  readonly codeHash: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

/** Somebody whom an operator let in by a code: may write anywhere on that platform. */
export interface Pairing {
  readonly platform: PlatformId;
  readonly user: UserId;
  readonly displayName: string;
  readonly approvedAt: number;
}

/** Times are epoch ms; who calls brings the time, so that expiry and lockout are the same after a restart. */
export interface PairingStore {
  /**
   * Keeps the request, unless the user is paired, asked within `minIntervalMs`, still has a valid code (`asked`), or the
   * platform has `maxPending` valid requests (`full`). Takes the place of the user's expired one.
   */
  request(
    request: PairingRequest,
    limits: { readonly maxPending: number; readonly minIntervalMs: number },
  ): Promise<'kept' | 'asked' | 'full' | 'paired'>;
  /** Requests whose code is still valid, oldest first. */
  pending(now: number): Promise<readonly PairingRequest[]>;
  /**
   * Turns the request with this very hash into a pairing and forgets the platform's wrong attempts. Undefined, and
   * nothing changes, if it is gone, expired, or the platform is locked: of two claims of one code, one succeeds.
   */
  claim(
    code: Pick<PairingRequest, 'platform' | 'user' | 'codeHash'>,
    now: number,
  ): Promise<Pairing | undefined>;
  /**
   * Counts a wrong code. Wrong ones longer than `lockoutMs` ago no longer count; at `maxAttempts` the platform is locked
   * for `lockoutMs`. Gives what {@link lockedUntil} would.
   */
  countFailure(
    platform: PlatformId,
    now: number,
    limits: { readonly maxAttempts: number; readonly lockoutMs: number },
  ): Promise<number | undefined>;
  /** Undefined if codes of the platform may be tried now. */
  lockedUntil(platform: PlatformId, now: number): Promise<number | undefined>;
  paired(): Promise<readonly Pairing[]>;
  /** False if there is no such pairing. */
  revoke(platform: PlatformId, user: UserId): Promise<boolean>;
}
