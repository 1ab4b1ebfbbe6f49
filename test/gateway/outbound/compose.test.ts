import { describe, expect, test } from 'vitest';
import { toCorrelationId, toMessageId, toTurnId } from '../../../src/core/ids.js';
import type { OutboundMessage } from '../../../src/core/outbound.js';
import { compose, composeAfresh, composeRepeat } from '../../../src/gateway/outbound/compose.js';
import { aDelivery, anOrigin } from '../../fakes/builders.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';

const deps = () => ({
  ids: createCountingIds(),
  clock: new ManualClock(),
  redact: (text: string) => text.replaceAll('s3cret', '***'),
});

const saying = (text: string, changes: Partial<OutboundMessage> = {}): OutboundMessage => ({
  route: anOrigin(),
  parts: [{ type: 'text', text }],
  cause: { kind: 'turn', turn: toTurnId('t1') },
  idempotencyKey: 'key',
  correlation: toCorrelationId('corr'),
  ...changes,
});

describe('compose', () => {
  test('makes a row of each message, with keys that number them', () => {
    const rows = compose(saying('one two three'), new ScriptedPlatform({ maxLength: 5 }), deps());
    expect(rows.map(({ encoded }) => encoded.text)).toEqual(['one', 'two', 'three']);
    expect(rows.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key/0', 'key/1', 'key/2']);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    expect(
      rows.every(({ state, attempts, isRepeat }) => state === 'pending' && attempts === 0 && !isRepeat),
    ).toBe(true);
  });

  test('gives the same keys however often it is asked', () => {
    const platform = new ScriptedPlatform({ maxLength: 5 });
    const keys = () => compose(saying('one two'), platform, deps()).map((row) => row.idempotencyKey);
    expect(keys()).toEqual(keys());
  });

  test('makes nothing of nothing', () => {
    expect(compose(saying(' \n'), new ScriptedPlatform(), deps())).toEqual([]);
  });

  test('quotes and takes over a preview with its first message only', () => {
    const replyTo = toMessageId('m1');
    const message = toMessageId('p1');
    const rows = compose(
      saying('one two', { replyTo, replaces: { message } }),
      new ScriptedPlatform({ maxLength: 5 }),
      deps(),
    );
    expect(rows.map((row) => [row.replyTo, row.edits])).toEqual([
      [replyTo, message],
      [undefined, undefined],
    ]);
  });

  test('marks what follows a preview that may stand there unseen', () => {
    const rows = compose(
      saying('one two', { replaces: {} }),
      new ScriptedPlatform({ maxLength: 30 }),
      deps(),
    );
    expect(rows.map(({ encoded, isRepeat, edits }) => [encoded.text, isRepeat, edits])).toEqual([
      ['(possible duplicate)\none two', true, undefined],
    ]);
  });

  test('does so too where the platform recognises repeats, as the preview was another message', () => {
    const platform = new ScriptedPlatform({ isIdempotent: true });
    const rows = compose(saying('one', { replaces: {} }), platform, deps());
    expect(rows).toMatchObject([{ encoded: { text: '(possible duplicate)\none' }, isRepeat: true }]);
  });

  test('cuts a runaway text at sixty messages and says how much is missing', () => {
    const words = Array.from({ length: 100 }, (_, index) => `w${String(index).padStart(3, '0')}`);
    const rows = compose(saying(words.join(' ')), new ScriptedPlatform({ maxLength: 4 }), deps());
    const texts = rows.map(({ encoded }) => encoded.text);
    expect(texts.slice(0, 60)).toEqual(words.slice(0, 60));
    const note = texts.slice(60).join(' ').replace(/\s+/gu, '');
    expect(note).toMatch(/^\(Cuthere:160morecharacters/u);
  });

  test('cuts nothing of a text that has sixty messages', () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${String(index).padStart(3, '0')}`);
    const rows = compose(saying(words.join(' ')), new ScriptedPlatform({ maxLength: 4 }), deps());
    expect(rows.map(({ encoded }) => encoded.text)).toEqual(words);
  });

  test('lets no secret out by a button or beside one', () => {
    const choices = [{ label: 'use s3cret', token: 't1' }];
    const parts = [
      { type: 'text', text: 'which of s3cret?' },
      { type: 'choices', choices },
    ] as const;
    const [row] = compose(saying('', { parts }), new ScriptedPlatform({ canChoose: true }), deps());
    expect(row?.encoded).toMatchObject({
      text: 'which of ***?',
      payload: { choices: [{ label: 'use ***', token: 't1' }] },
    });
  });

  test('shows choices beneath the last of several messages, also where a secret was put together', () => {
    // As markup inside a word would: the source has no secret, what people read has.
    const platform = new ScriptedPlatform({ maxLength: 12, canChoose: true });
    const encode = platform.encode.bind(platform);
    platform.encode = (parts) =>
      encode(parts).map((one) => ({ ...one, text: one.text.replaceAll('s3_cret', 's3cret') }));
    const parts = [
      { type: 'text', text: 'one s3_cret two s3_cret' },
      { type: 'choices', choices: [{ label: 'yes', token: 't1' }] },
    ] as const;
    const rows = compose(saying('', { parts }), platform, deps());
    expect(rows.map(({ encoded }) => encoded.text).join(' ')).toBe('one *** two ***');
    expect(rows.map(({ encoded }) => JSON.stringify(encoded.payload).includes('t1'))).toEqual([false, true]);
  });

  test('lets no secret out', () => {
    const rows = compose(saying('the key is s3cret.'), new ScriptedPlatform(), deps());
    expect(JSON.stringify(rows)).not.toContain('s3cret');
    expect(rows[0]?.encoded.text).toBe('the key is ***.');
  });
});

describe('what takes the place of a row', () => {
  const delivery = aDelivery({
    encoded: { text: 'hello', payload: 'hello' },
    replyTo: toMessageId('m1'),
    edits: toMessageId('p1'),
    state: 'sending',
    attempts: 2,
    notBefore: 7,
    error: 'cut off',
  });

  test('is, as a repeat, marked and keeps its quote', () => {
    const [repeat] = composeRepeat(delivery, new ScriptedPlatform(), deps());
    expect(repeat).toMatchObject({
      encoded: { text: '(possible duplicate)\nhello' },
      replyTo: 'm1',
      idempotencyKey: 'k1/again/0',
      state: 'pending',
      attempts: 0,
      isRepeat: true,
      notBefore: 0,
    });
    expect(repeat).not.toHaveProperty('error');
    expect(repeat?.id).not.toBe(delivery.id);
  });

  test('is, where the message to edit is gone, the same text as a new message', () => {
    const fresh = composeAfresh(delivery, deps());
    expect(fresh).toMatchObject({ encoded: { text: 'hello' }, idempotencyKey: 'k1/new', attempts: 0 });
    expect(fresh).not.toHaveProperty('edits');
  });
});
