import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/clock.js';

const COOKIE = 'hermes_login';
const COOKIE_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** Enough for a person who mistypes; far too few to guess. */
const MAX_FAILURES = 10;
const FAILURE_WINDOW_MS = 5 * 60 * 1000;
/** Addresses remembered; beyond it the one that failed longest ago is forgotten. */
const MAX_ADDRESSES = 1000;

const isSame = (one: string, other: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};

export type LoginOutcome =
  | { readonly type: 'accepted' }
  | { readonly type: 'refused' }
  | { readonly type: 'blocked'; readonly retryAfterMs: number };

export interface Login {
  /** Compares a token; failures count against the address, and too many block it for a while. */
  attempt(token: string, address: string): LoginOutcome;
  /** The Set-Cookie header for a browser that has shown the token. */
  issueCookie(options: { readonly isSecure: boolean }): string;
  /** Reads a Cookie header. */
  hasValidCookie(cookieHeader: string): boolean;
}

/**
 * The cookie is signed with the token and does not contain it, so it is of no use elsewhere, survives restarts, and
 * ends when the token changes.
 */
export const createLogin = (token: string, clock: Clock): Login => {
  const key = createHash('sha256').update(`hermes page login\n${token}`).digest();
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const failures = new Map<string, { count: number; since: number }>();

  const noteFailure = (address: string): void => {
    const known = failures.get(address);
    failures.delete(address);
    failures.set(address, { count: (known?.count ?? 0) + 1, since: known?.since ?? clock.now() });
    const [oldest] = failures.keys();
    if (failures.size > MAX_ADDRESSES && oldest !== undefined) failures.delete(oldest);
  };

  const isValid = (value: string): boolean => {
    const [expiresAt = '', nonce = '', signature = ''] = value.split('.');
    return isSame(signature, sign(`${expiresAt}.${nonce}`)) && Number(expiresAt) > clock.now();
  };

  return {
    attempt(given, address) {
      // First, so that nobody who guesses can keep the owner out: behind a proxy they share an address.
      if (isSame(given, token)) {
        failures.delete(address);
        return { type: 'accepted' };
      }
      const known = failures.get(address);
      const waitMs = known === undefined ? 0 : known.since + FAILURE_WINDOW_MS - clock.now();
      if (known !== undefined && waitMs <= 0) failures.delete(address);
      else if (known !== undefined && known.count >= MAX_FAILURES)
        return { type: 'blocked', retryAfterMs: waitMs };
      noteFailure(address);
      return { type: 'refused' };
    },
    issueCookie({ isSecure }) {
      const body = `${clock.now() + COOKIE_LIFE_MS}.${randomBytes(12).toString('hex')}`;
      const life = `Max-Age=${COOKIE_LIFE_MS / 1000}`;
      const cookie = `${COOKIE}=${body}.${sign(body)}; Path=/; HttpOnly; SameSite=Strict; ${life}`;
      return isSecure ? `${cookie}; Secure` : cookie;
    },
    hasValidCookie: (cookieHeader) =>
      cookieHeader
        .split(';')
        .map((pair) => pair.trim())
        .some((pair) => pair.startsWith(`${COOKIE}=`) && isValid(pair.slice(COOKIE.length + 1))),
  };
};
