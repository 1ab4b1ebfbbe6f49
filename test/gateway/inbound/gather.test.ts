import { describe, expect, test } from 'vitest';
import { toInboxId, toMessageId, toSessionKey } from '../../../src/core/ids.js';
import type { InboundMessage } from '../../../src/core/inbound.js';
import { type InboundPart, textOf } from '../../../src/core/parts.js';
import { Gatherer } from '../../../src/gateway/inbound/gather.js';
import type { MessageItem } from '../../../src/gateway/sessions/items.js';
import { aMessage } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const key = toSessionKey('one');

const create = () => {
  const clock = new ManualClock();
  const released: MessageItem[] = [];
  const stopper = new AbortController();
  const gatherer = new Gatherer({
    clock,
    signal: stopper.signal,
    release: (_key, item) => released.push(item),
  });
  return { clock, gatherer, released, stop: () => stopper.abort(new Error('stop')) };
};

const file = (caption?: string): InboundPart => ({
  type: 'media',
  kind: 'image',
  handle: null,
  description: 'a picture',
  ...(caption !== undefined && { caption }),
});

const item = (id: string, changes: Partial<InboundMessage>, user = 'u1'): MessageItem => ({
  type: 'message',
  inboxes: [toInboxId(id)],
  event: { ...aMessage({ id, user }), ...changes },
});

const ids = (items: readonly MessageItem[]) => items.map(({ inboxes }) => inboxes);

describe('gathering', () => {
  test('SE-04 makes one message of an album, captions beside their pictures, counted from the last arrival', async () => {
    const { clock, gatherer, released } = create();
    gatherer.offer(key, item('1', { album: 'a', parts: [file('before')] }));
    await clock.advance(500);
    gatherer.offer(key, item('2', { album: 'a', parts: [file()] }));
    await clock.advance(500);
    gatherer.offer(key, item('3', { album: 'a', parts: [file('after')] }));
    await clock.advance(599);
    expect(released).toEqual([]);
    await clock.advance(1);
    expect(ids(released)).toEqual([['1', '2', '3']]);
    expect(released[0]?.event.parts).toEqual([file('before'), file(), file('after')]);
    expect(clock.sleeping).toEqual([]);
  });

  test('SE-04 takes files without a word together, and a word after them ends the wait', async () => {
    const { clock, gatherer, released } = create();
    for (const id of ['1', '2', '3']) gatherer.offer(key, item(id, { parts: [file()] }));
    gatherer.offer(key, item('4', { parts: [{ type: 'text', text: 'compare them' }] }));
    expect(ids(released)).toEqual([['1', '2', '3', '4']]);
    gatherer.offer(key, item('5', { parts: [file('with a caption')] }));
    expect(released).toHaveLength(2);
    await clock.advance(5_000);
    expect(released).toHaveLength(2);
  });

  test('SE-05 joins the pieces of a cut text without a seam', async () => {
    const { clock, gatherer, released } = create();
    const long = (text: string) => ({ parts: [{ type: 'text' as const, text }], mayContinue: true });
    gatherer.offer(key, item('1', long('one and ')));
    await clock.advance(1_200);
    gatherer.offer(key, item('2', long('tw')));
    await clock.advance(300);
    gatherer.offer(key, item('3', { parts: [{ type: 'text', text: 'o' }] }));
    expect(released.map(({ event }) => textOf(event.parts))).toEqual(['one and two']);
    gatherer.offer(key, item('4', long('alone')));
    await clock.advance(2_000);
    expect(ids(released)).toEqual([['1', '2', '3'], ['4']]);
    expect(released[1]?.event.mayContinue).toBe(true);
  });

  test('SE-05 never holds ordinary text', () => {
    const { gatherer, released } = create();
    gatherer.offer(key, item('1', {}));
    gatherer.offer(key, item('2', {}));
    expect(ids(released)).toEqual([['1'], ['2']]);
  });

  test('keeps people apart, and a file from a text that goes on', async () => {
    const { clock, gatherer, released } = create();
    gatherer.offer(key, item('1', { parts: [file()] }));
    gatherer.offer(key, item('2', { parts: [file()] }, 'u2'));
    await clock.advance(600);
    expect(ids(released)).toEqual([['1'], ['2']]);
    gatherer.offer(key, item('3', { mayContinue: true }));
    gatherer.offer(key, item('4', { parts: [file()] }));
    expect(ids(released)).toEqual([['1'], ['2'], ['3']]);
  });

  test('takes an endless row of files up in portions', () => {
    const { gatherer, released } = create();
    for (let index = 0; index < 120; index += 1) gatherer.offer(key, item(`${index}`, { parts: [file()] }));
    expect(released.map(({ inboxes }) => inboxes.length)).toEqual([50, 50]);
  });

  test('lets an edit change what waits, and a stop drop it', async () => {
    const { clock, gatherer, released } = create();
    gatherer.offer(key, item('1', { mayContinue: true }));
    const { addressed, ...base } = aMessage({ id: '1', text: 'edited' });
    expect(gatherer.edit(key, { ...base, type: 'edit', addressed }, toInboxId('e'))).toBe(true);
    const other = { ...base, type: 'edit' as const, addressed, message: toMessageId('9') };
    expect(gatherer.edit(key, other, toInboxId('f'))).toBe(false);
    expect(gatherer.drop(key).map(({ event }) => textOf(event.parts))).toEqual(['edited']);
    await clock.advance(5_000);
    expect(released).toEqual([]);
  });

  test('leaves what waits to the next start when the gateway stops', async () => {
    const { clock, gatherer, released, stop } = create();
    gatherer.offer(key, item('1', { parts: [file()] }));
    stop();
    await clock.advance(5_000);
    expect(released).toEqual([]);
  });
});
