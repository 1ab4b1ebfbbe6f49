/** Pairing codes: made, recognised, and compared so that neither their time nor what is stored gives them away. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 32 symbols, none of which is taken for another when read aloud or typed: no 0, O, 1, I. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;
const SALT_BYTES = 16;

const digest = (salt: string, code: string): string =>
  createHash('sha256').update(`${salt}:${code}`).digest('hex');

export const createCode = (): string =>
  Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('');

/** As people type it: any case, with spaces or hyphens. Undefined if it cannot be a code. */
export const parseCode = (text: string): string | undefined => {
  const code = text.replace(/[\s-]/gu, '').toUpperCase();
  return code.length === LENGTH && [...code].every((symbol) => alphabet.includes(symbol)) ? code : undefined;
};

/** `salt:hash`; another one each time. */
export const hashCode = (code: string): string => {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  return `${salt}:${digest(salt, code)}`;
};

/** Takes the same time for every wrong code. */
export const matchesHash = (code: string, codeHash: string): boolean => {
  const [salt = '', hash = ''] = codeHash.split(':');
  const expected = Buffer.from(hash);
  const got = Buffer.from(digest(salt, code));
  return expected.length === got.length && timingSafeEqual(expected, got);
};
