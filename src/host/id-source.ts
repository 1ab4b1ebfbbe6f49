import { randomFillSync } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/ids.js';

/** Crockford's base 32: its order is that of the characters, and no two look alike. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

const prefixes = {
  session: 'ses',
  turn: 'trn',
  inbox: 'inb',
  delivery: 'dlv',
  correlation: 'cor',
  'tool-call': 'call',
  question: 'qst',
  grant: 'grt',
} as const;

/** Enough for the year 10 000. */
const TIME_DIGITS = 10;
const SEQUENCE_DIGITS = 3;
const MAX_SEQUENCE = 32 ** SEQUENCE_DIGITS - 1;
const RANDOM_DIGITS = 12;

const encode = (number: number, length: number): string => {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32))
    text = digits.charAt(rest % 32) + text;
  return text;
};

/** Drawn in blocks: asking the system for a dozen bytes costs as much as for thousands. */
const pool = new Uint8Array(RANDOM_DIGITS * 256);
let used = pool.length;

const random = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (const byte of pool.subarray(used, used + RANDOM_DIGITS)) text += digits.charAt(byte % 32);
  used += RANDOM_DIGITS;
  return text;
};

/**
 * Ids like `trn_01jxq3…`: kind, time, a sequence within the millisecond, 60 random bits. Within a process they sort
 * strictly by the order they were made in, also while the host's clock steps back.
 */
export const createIdSource = (clock: Clock): IdSource => {
  let last = 0;
  let sequence = 0;
  return {
    next: (kind) => {
      const now = clock.now();
      if (now > last) {
        last = now;
        sequence = 0;
      } else if (sequence < MAX_SEQUENCE) sequence += 1;
      else {
        last += 1;
        sequence = 0;
      }
      const text = `${prefixes[kind]}_${encode(last, TIME_DIGITS)}${encode(sequence, SEQUENCE_DIGITS)}${random()}`;
      // This is the one place that makes ids of our own, so the brand is the kind asked for.
      return text as never;
    },
  };
};
