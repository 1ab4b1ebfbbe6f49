import { describe, expect, test } from 'vitest';
import { EditPace } from '../../../src/adapters/telegram/edit-pace.js';
import { PlatformError } from '../../../src/core/errors.js';
import { toChatId, toMessageId } from '../../../src/core/ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { anySignal, createBed } from './harness.js';

const person = toChatId('1001');
const group = toChatId('-1009000777');
const minutes = (count: number): number => count * 60_000;

describe('the pace of edits', () => {
  test('is a second with a person and three in a group', () => {
    const pace = new EditPace(new ManualClock());
    expect([pace.intervalMs(person), pace.intervalMs(group)]).toEqual([1_000, 3_000]);
  });

  test('doubles with each complaint, in that chat only, up to sixteen times', () => {
    const pace = new EditPace(new ManualClock());
    const seen = Array.from({ length: 6 }, () => {
      pace.slowDown(group);
      return pace.intervalMs(group);
    });
    expect(seen).toEqual([6_000, 12_000, 24_000, 48_000, 48_000, 48_000]);
    expect(pace.intervalMs(person)).toBe(1_000);
  });

  test('recovers step by step while nobody complains', async () => {
    const clock = new ManualClock();
    const pace = new EditPace(clock);
    pace.slowDown(person);
    pace.slowDown(person);
    await clock.advance(minutes(5) - 1);
    expect(pace.intervalMs(person)).toBe(4_000);
    await clock.advance(1);
    expect(pace.intervalMs(person)).toBe(2_000);
    await clock.advance(minutes(5));
    expect(pace.intervalMs(person)).toBe(1_000);
  });

  test('TG-09 slows down when Telegram answers an edit with a flood wait', async () => {
    const bed = await createBed({ chats: [{ id: 1001 }] });
    const route = bed.routeTo(1001);
    const { preview, editing } = bed.adapter;
    const encoded = preview?.encodePreview('growing', route);
    if (encoded === undefined || preview === undefined) throw new Error('no preview');
    const { messages } = await bed.adapter.send({ route, encoded, idempotencyKey: 'k' }, anySignal());
    expect(preview.minIntervalMs(route)).toBe(1_000);
    await bed.control.flood({ method: 'editMessageText' }, 3);
    const message = messages[0] ?? toMessageId('0');
    const next = preview.encodePreview('growing on', route) ?? encoded;
    await expect(editing?.edit({ route, encoded: next, message }, anySignal())).rejects.toThrow(
      PlatformError,
    );
    expect(preview.minIntervalMs(route)).toBe(2_000);
  });
});
