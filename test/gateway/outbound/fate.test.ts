import { describe, expect, test } from 'vitest';
import {
  after,
  later,
  never,
  PlatformError,
  type PlatformErrorCode,
  type RetryFate,
} from '../../../src/core/errors.js';
import { toMessageId } from '../../../src/core/ids.js';
import { decideFate, decideInterrupted } from '../../../src/gateway/outbound/fate.js';
import { aDelivery } from '../../fakes/builders.js';

const failure = (code: PlatformErrorCode, retry: RetryFate, outcome: 'none' | 'unknown' = 'none') =>
  new PlatformError({ code, message: code, retry, outcome });

const once = aDelivery({ attempts: 1, state: 'sending' });
const now = { now: 0, isRepeatable: false };
const dayMs = 24 * 3_600_000;

describe('decideFate', () => {
  test('waits as long as the platform says, for the whole chat', () => {
    expect(decideFate(failure('rate-limited', after(3_000)), once, now)).toEqual({
      kind: 'hold-lane',
      delayMs: 3_000,
    });
  });

  test('postpones what certainly did not arrive, longer each time and never beyond a minute', () => {
    const delays = [1, 2, 3, 10].map((attempts) =>
      decideFate(failure('unavailable', later), aDelivery({ attempts }), now),
    );
    expect(delays).toEqual([1_000, 2_000, 4_000, 60_000].map((delayMs) => ({ kind: 'postpone', delayMs })));
  });

  test('gives up at once what is refused for good', () => {
    expect(decideFate(failure('unreachable-chat', never), once, now)).toEqual({
      kind: 'give-up',
      state: 'failed',
    });
  });

  test('repeats an unknown outcome once, marked, and then leaves it unknown', () => {
    const unknown = failure('unavailable', later, 'unknown');
    expect(decideFate(unknown, once, now)).toEqual({ kind: 'repeat-marked' });
    expect(decideFate(unknown, { ...once, isRepeat: true }, now)).toEqual({
      kind: 'give-up',
      state: 'unknown',
    });
  });

  test('repeats an unknown outcome as it is where a repeat is harmless', () => {
    const unknown = failure('unavailable', later, 'unknown');
    expect(decideFate(unknown, once, { now: 0, isRepeatable: true })).toEqual({
      kind: 'postpone',
      delayMs: 1_000,
    });
  });

  test('takes an error it does not know for an unknown outcome', () => {
    expect(decideFate(new TypeError('bug'), once, now)).toEqual({ kind: 'repeat-marked' });
  });

  test('sends afresh when the message to edit is gone', () => {
    const gone = failure('message-gone', never);
    const edit = { ...once, edits: toMessageId('7') };
    expect(decideFate(gone, edit, { now: 0, isRepeatable: true })).toEqual({ kind: 'send-afresh' });
    expect(decideFate(gone, once, now)).toEqual({ kind: 'give-up', state: 'failed' });
  });

  test('gives up after a day', () => {
    const old = { now: dayMs + 1, isRepeatable: false };
    expect(decideFate(failure('unavailable', later), once, old)).toEqual({
      kind: 'give-up',
      state: 'failed',
    });
    expect(decideFate(failure('unavailable', later, 'unknown'), once, old)).toEqual({
      kind: 'give-up',
      state: 'unknown',
    });
  });
});

describe('decideInterrupted', () => {
  test('marks a send that a crash cut off, and repeats a harmless one at once', () => {
    expect(decideInterrupted(once, now)).toEqual({ kind: 'repeat-marked' });
    expect(decideInterrupted(once, { now: 0, isRepeatable: true })).toEqual({ kind: 'postpone', delayMs: 0 });
  });
});
