import { describe, expect, test } from 'vitest';
import { createLogin } from '../../../src/adapters/web/login.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const token = 'a-long-secret-token';
const dayMs = 24 * 60 * 60 * 1000;

const cookieOf = (header: string): string => header.split(';')[0] ?? '';

describe('the login', () => {
  test('takes the token and nothing else', () => {
    const login = createLogin(token, new ManualClock());
    expect(login.attempt(token, 'a')).toEqual({ type: 'accepted' });
    for (const wrong of ['', 'a', `${token} `, token.slice(0, -1), token.toUpperCase()])
      expect(login.attempt(wrong, 'a')).toEqual({ type: 'refused' });
  });

  test('blocks guesses from an address after ten failures for five minutes, and never the right token', async () => {
    const clock = new ManualClock();
    const login = createLogin(token, clock);
    for (let count = 0; count < 10; count += 1) expect(login.attempt('wrong', 'a').type).toBe('refused');
    expect(login.attempt('wrong', 'a')).toEqual({ type: 'blocked', retryAfterMs: 300_000 });
    expect(login.attempt('wrong', 'b')).toEqual({ type: 'refused' });
    expect(login.attempt(token, 'a')).toEqual({ type: 'accepted' });
    await clock.advance(300_000);
    expect(login.attempt(token, 'a')).toEqual({ type: 'accepted' });
  });

  test('forgets failures once the right token came', () => {
    const login = createLogin(token, new ManualClock());
    for (let count = 0; count < 30; count += 1) {
      const given = count % 5 === 4 ? token : 'wrong';
      expect(login.attempt(given, 'a').type).toBe(given === token ? 'accepted' : 'refused');
    }
  });

  test('gives a cookie that does not hold the token and that scripts and other pages cannot use', () => {
    const header = createLogin(token, new ManualClock()).issueCookie({ isSecure: false });
    expect(header).not.toContain(token);
    expect(header).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=2592000$/u);
    expect(createLogin(token, new ManualClock()).issueCookie({ isSecure: true })).toMatch(/; Secure$/u);
  });

  test('knows its cookie again, after a restart and among others', () => {
    const clock = new ManualClock();
    const cookie = cookieOf(createLogin(token, clock).issueCookie({ isSecure: false }));
    const restarted = createLogin(token, clock);
    expect(restarted.hasValidCookie(cookie)).toBe(true);
    expect(restarted.hasValidCookie(`theme=dark; ${cookie}; lang=zh`)).toBe(true);
  });

  test('refuses a cookie that is old, altered, or made with another token', async () => {
    const clock = new ManualClock();
    const login = createLogin(token, clock);
    const cookie = cookieOf(login.issueCookie({ isSecure: false }));
    const [name = '', value = ''] = cookie.split('=');
    const [, nonce, signature] = value.split('.');
    expect(login.hasValidCookie(`${name}=${clock.now() + 900 * dayMs}.${nonce}.${signature}`)).toBe(false);
    expect(login.hasValidCookie(`${cookie}x`)).toBe(false);
    expect(login.hasValidCookie(`${name}=`)).toBe(false);
    expect(createLogin('another-secret-token', clock).hasValidCookie(cookie)).toBe(false);
    await clock.advance(31 * dayMs);
    expect(login.hasValidCookie(cookie)).toBe(false);
  });
});
