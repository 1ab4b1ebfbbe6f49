import { describe, expect, test } from 'vitest';
import { toDeliveryId, toMessageId, toThreadId, toTurnId } from '../../../src/core/ids.js';
import type { Delivery, Receipt } from '../../../src/core/outbound.js';
import type { Stores } from '../../../src/core/stores.js';
import { type OpenHarness, useStores } from './harness.js';
import { aDelivery, unfinishedOutbox } from './records.js';

const d1 = toDeliveryId('d1');
const receipt: Receipt = { messages: [toMessageId('m1'), toMessageId('m2')], sentAt: 1500 };
const full = aDelivery('full', {
  route: { ...aDelivery('x').route, thread: toThreadId('th') },
  replyTo: toMessageId('m0'),
  edits: toMessageId('m9'),
  cause: { kind: 'turn', turn: toTurnId('t1') },
  encoded: { text: 'a "text"\n🙂', payload: { deep: [1, null, { yes: true }], text: 'plain' } },
  attempts: 3,
  isRepeat: true,
  notBefore: 1786348800000,
  createdAt: 1786348700000,
});
const everyCause: readonly Delivery['cause'][] = [
  { kind: 'turn', turn: toTurnId('t1') },
  { kind: 'command', name: 'help' },
  { kind: 'notice' },
  { kind: 'tool' },
  { kind: 'operator' },
];
const everyStep: readonly [string, (stores: Stores) => Promise<unknown>][] = [
  ['begin', ({ outbox }) => outbox.begin(d1)],
  ['sent', ({ outbox }) => outbox.sent(d1, receipt)],
  ['postpone', ({ outbox }) => outbox.postpone(d1, { notBefore: 1, error: 'x' })],
  ['uncertain', ({ outbox }) => outbox.uncertain(d1, { error: 'x', repeats: [aDelivery('r1')] })],
  ['fail', ({ outbox }) => outbox.fail(d1, 'x')],
  ['replace', ({ outbox }) => outbox.replace(d1, [aDelivery('r1')])],
];

const orderSuite = (open: OpenHarness): void => {
  describe('order of the outbox', () => {
    const harness = useStores(open);
    const uncertain = (id: string, ...repeats: string[]) =>
      harness.stores.outbox.uncertain(toDeliveryId(id), {
        error: 'no answer',
        repeats: repeats.map((name) => aDelivery(name, { isRepeat: true })),
      });

    test('is the order of arrival, whatever the ids and times say', async () => {
      await harness.stores.outbox.enqueue([
        aDelivery('b', { createdAt: 9 }),
        aDelivery('a', { createdAt: 1 }),
      ]);
      await harness.stores.outbox.enqueue([aDelivery('0', { notBefore: 0 })]);
      expect(await unfinishedOutbox(await harness.restart())).toEqual(['b', 'a', '0']);
    });

    test('puts others in the place of one that was never begun, with what it was to say aloud', async () => {
      const speech = { ear: 'hello', voice: 'Ann', instead: [{ text: 'hello', payload: { text: 'hello' } }] };
      await harness.stores.outbox.enqueue([
        aDelivery('a', { encoded: { text: 'hello', payload: null, speech } }),
        aDelivery('b'),
      ]);
      const { outbox } = await harness.restart();
      expect((await outbox.find(toDeliveryId('a')))?.encoded.speech).toEqual(speech);
      await outbox.replace(toDeliveryId('a'), [aDelivery('a1'), aDelivery('a2')]);
      expect(await unfinishedOutbox(await harness.restart())).toEqual(['a1', 'a2', 'b']);
      expect(await harness.stores.outbox.counts()).toEqual({ pending: 3, failed: 0, unknown: 0 });
    });

    test('forgets what has ended by the beginning of its key, and nothing that is on its way', async () => {
      const { outbox } = harness.stores;
      const keys = ['t1/final/0', 't1/step', 't10/final', 't1', 'x/t1/'];
      await outbox.enqueue(keys.map((key, index) => aDelivery(`d${index}`, { idempotencyKey: key })));
      await outbox.sent(toDeliveryId('d0'), receipt);
      for (const id of ['d2', 'd3', 'd4']) await outbox.fail(toDeliveryId(id), 'refused');
      await outbox.forget(['t1/', 'never']);
      const stores = await harness.restart();
      const left = [];
      for (const index of keys.keys()) left.push((await stores.outbox.find(toDeliveryId(`d${index}`)))?.id);
      expect(left).toEqual([undefined, 'd1', 'd2', 'd3', 'd4']);
      expect(await unfinishedOutbox(stores)).toEqual(['d1']);
    });

    test('gives what began with a key in its order, whatever became of it', async () => {
      const { outbox } = harness.stores;
      const keys = [
        'job/r1/chat:1/0',
        'job/r1/chat:12/0',
        'job/r1/chat:1/🙂',
        'job/r1/chat:1',
        'x/job/r1/chat:1/',
      ];
      await outbox.enqueue(keys.map((key, index) => aDelivery(`d${index}`, { idempotencyKey: key })));
      await outbox.sent(toDeliveryId('d0'), receipt);
      await outbox.fail(toDeliveryId('d1'), 'refused');
      const { outbox: kept } = await harness.restart();
      const found = await kept.keyed('job/r1/chat:1/');
      expect(found.map(({ id, state }) => [id, state])).toEqual([
        ['d0', 'sent'],
        ['d2', 'pending'],
      ]);
      expect(found[0]?.receipt).toEqual(receipt);
      expect(await kept.keyed('job/r2/')).toEqual([]);
    });

    test('gives repeats the place of what they replace', async () => {
      await harness.stores.outbox.enqueue([aDelivery('a'), aDelivery('b'), aDelivery('c')]);
      await uncertain('b', 'b1', 'b2');
      await harness.stores.outbox.enqueue([aDelivery('d')]);
      expect(await unfinishedOutbox(await harness.restart())).toEqual(['a', 'b1', 'b2', 'c', 'd']);
    });

    test('holds when a repeat is itself repeated', async () => {
      await harness.stores.outbox.enqueue([aDelivery('a'), aDelivery('b'), aDelivery('c')]);
      await uncertain('a', 'a1', 'a2', 'a3');
      await uncertain('a2', 'a2x', 'a2y');
      await uncertain('a1', 'a1x');
      expect(await unfinishedOutbox(await harness.restart())).toEqual(['a1x', 'a2x', 'a2y', 'a3', 'b', 'c']);
    });

    test('holds for what is enqueued after everything earlier was sent and forgotten', async () => {
      const { outbox, maintenance } = harness.stores;
      await outbox.enqueue([aDelivery('a'), aDelivery('b')]);
      await outbox.sent(toDeliveryId('b'), receipt);
      await maintenance.prune({ inboxAt: 0, outboxAt: 1 });
      await outbox.enqueue([aDelivery('c')]);
      expect(await unfinishedOutbox(harness.stores)).toEqual(['a', 'c']);
    });
  });
};

const keepingSuite = (open: OpenHarness): void => {
  describe('outbox', () => {
    const harness = useStores(open);

    test('a delivery is read as it was enqueued, also after a restart', async () => {
      await harness.stores.outbox.enqueue([full, aDelivery('plain')]);
      const stores = await harness.restart();
      expect(await stores.outbox.unfinished()).toStrictEqual([full, aDelivery('plain')]);
      expect(await stores.outbox.find(full.id)).toStrictEqual(full);
      expect(await stores.outbox.find(toDeliveryId('nobody'))).toBeUndefined();
    });

    test('every cause is read as it was enqueued', async () => {
      await harness.stores.outbox.enqueue(
        everyCause.map((cause, number) => aDelivery(`${number}`, { cause })),
      );
      const stores = await harness.restart();
      expect((await stores.outbox.unfinished()).map(({ cause }) => cause)).toStrictEqual(everyCause);
    });

    test('a known idempotency key keeps the old row, whatever became of it, and is not given back', async () => {
      const { outbox } = harness.stores;
      const again = aDelivery('new', { idempotencyKey: 'key-d1' });
      expect(await outbox.enqueue([aDelivery('d1'), again, aDelivery('d2')])).toEqual([
        aDelivery('d1'),
        aDelivery('d2'),
      ]);
      await outbox.sent(d1, receipt);
      expect(await outbox.enqueue([again, aDelivery('d3')])).toEqual([aDelivery('d3')]);
      expect(await outbox.find(again.id)).toBeUndefined();
      expect(await unfinishedOutbox(harness.stores)).toEqual(['d2', 'd3']);
    });

    test('deliveries with an id that is taken are refused whole', async () => {
      const { outbox } = harness.stores;
      await outbox.enqueue([aDelivery('d1')]);
      const taken = outbox.enqueue([aDelivery('d2'), aDelivery('d1', { idempotencyKey: 'another' })]);
      await expect(taken).rejects.toMatchObject({ name: 'StoreError', code: 'failed' });
      expect(await unfinishedOutbox(harness.stores)).toEqual(['d1']);
    });

    test('counts tell what waits, failed and stayed unknown', async () => {
      const { outbox } = harness.stores;
      const names = ['waits', 'sending', 'sent', 'failed', 'unknown', 'replaced'];
      expect(await outbox.counts()).toEqual({ pending: 0, failed: 0, unknown: 0 });
      await outbox.enqueue(names.map((name) => aDelivery(name)));
      await outbox.begin(toDeliveryId('sending'));
      await outbox.sent(toDeliveryId('sent'), receipt);
      await outbox.fail(toDeliveryId('failed'), 'refused');
      await outbox.uncertain(toDeliveryId('unknown'), { error: 'cut', repeats: [] });
      await outbox.uncertain(toDeliveryId('replaced'), { error: 'cut', repeats: [aDelivery('repeat')] });
      const stores = await harness.restart();
      expect(await stores.outbox.counts()).toEqual({ pending: 3, failed: 1, unknown: 1 });
    });

    test('an ended delivery older than the bar is forgotten with its key, a waiting one never is', async () => {
      const { outbox, maintenance } = harness.stores;
      const names = ['sent', 'failed', 'unknown', 'young', 'waits', 'sending'];
      await outbox.enqueue(names.map((name) => aDelivery(name)));
      await outbox.begin(toDeliveryId('sending'));
      harness.setNow(2000);
      await outbox.sent(toDeliveryId('sent'), receipt);
      await outbox.fail(toDeliveryId('failed'), 'refused');
      await outbox.uncertain(toDeliveryId('unknown'), { error: 'cut', repeats: [] });
      harness.setNow(3000);
      await outbox.sent(toDeliveryId('young'), receipt);
      await maintenance.prune({ inboxAt: 0, outboxAt: 3000 });
      const left = await Promise.all(names.map((name) => outbox.find(toDeliveryId(name))));
      expect(left.map((delivery) => delivery?.id)).toEqual([
        undefined,
        undefined,
        undefined,
        'young',
        'waits',
        'sending',
      ]);
      expect(await outbox.enqueue([aDelivery('sent')])).toHaveLength(1);
      expect(await outbox.enqueue([aDelivery('young')])).toHaveLength(0);
    });
  });
};

const stepSuite = (open: OpenHarness): void => {
  describe('steps of a delivery', () => {
    const harness = useStores(open);

    test('a begun send counts an attempt and stays unfinished', async () => {
      await harness.stores.outbox.enqueue([aDelivery('d1')]);
      await harness.stores.outbox.begin(d1);
      await harness.stores.outbox.begin(d1);
      const stores = await harness.restart();
      expect(await stores.outbox.unfinished()).toStrictEqual([
        aDelivery('d1', { state: 'sending', attempts: 2 }),
      ]);
    });

    test('a sent delivery has its receipt, with every message id and no error', async () => {
      const { outbox } = harness.stores;
      await outbox.enqueue([aDelivery('d1')]);
      await outbox.begin(d1);
      await outbox.postpone(d1, { notBefore: 5000, error: 'busy' });
      await outbox.begin(d1);
      await outbox.sent(d1, receipt);
      const stores = await harness.restart();
      expect(await stores.outbox.find(d1)).toStrictEqual(
        aDelivery('d1', { state: 'sent', attempts: 2, notBefore: 5000, receipt }),
      );
      expect(await unfinishedOutbox(stores)).toEqual([]);
    });

    test('a postponed delivery waits again, with its reason', async () => {
      await harness.stores.outbox.enqueue([aDelivery('d1')]);
      await harness.stores.outbox.begin(d1);
      await harness.stores.outbox.postpone(d1, { notBefore: 5000, error: 'slow down' });
      const stores = await harness.restart();
      expect(await stores.outbox.unfinished()).toStrictEqual([
        aDelivery('d1', { state: 'pending', attempts: 1, notBefore: 5000, error: 'slow down' }),
      ]);
    });

    test('a failed delivery keeps its reason and blocks nothing', async () => {
      await harness.stores.outbox.enqueue([aDelivery('d1'), aDelivery('d2')]);
      await harness.stores.outbox.begin(d1);
      await harness.stores.outbox.fail(d1, 'bot was blocked');
      const stores = await harness.restart();
      expect(await stores.outbox.find(d1)).toStrictEqual(
        aDelivery('d1', { state: 'failed', attempts: 1, error: 'bot was blocked' }),
      );
      expect(await unfinishedOutbox(stores)).toEqual(['d2']);
    });

    test('an uncertain delivery without repeats ends as unknown', async () => {
      await harness.stores.outbox.enqueue([aDelivery('d1'), aDelivery('d2')]);
      await harness.stores.outbox.begin(d1);
      await harness.stores.outbox.uncertain(d1, { error: 'no answer', repeats: [] });
      const stores = await harness.restart();
      expect(await stores.outbox.find(d1)).toStrictEqual(
        aDelivery('d1', { state: 'unknown', attempts: 1, error: 'no answer' }),
      );
      expect(await unfinishedOutbox(stores)).toEqual(['d2']);
    });

    test('an uncertain delivery with repeats stays as unknown, and the repeats are ordinary deliveries', async () => {
      const repeat = aDelivery('r1', { isRepeat: true });
      await harness.stores.outbox.enqueue([aDelivery('d1')]);
      await harness.stores.outbox.begin(d1);
      await harness.stores.outbox.uncertain(d1, { error: 'no answer', repeats: [repeat] });
      const stores = await harness.restart();
      expect((await stores.outbox.find(d1))?.state).toBe('unknown');
      expect(await stores.outbox.unfinished()).toStrictEqual([repeat]);
      await stores.outbox.begin(repeat.id);
      await stores.outbox.sent(repeat.id, receipt);
      expect(await unfinishedOutbox(stores)).toEqual([]);
    });

    test('a repeat whose key is known is not added', async () => {
      const { outbox } = harness.stores;
      await outbox.enqueue([aDelivery('d1'), aDelivery('d2')]);
      const known = aDelivery('new', { idempotencyKey: 'key-d2' });
      await outbox.uncertain(d1, { error: 'no answer', repeats: [known, aDelivery('r1')] });
      expect(await unfinishedOutbox(harness.stores)).toEqual(['r1', 'd2']);
    });

    test('an uncertain delivery whose repeats are refused stays as it was', async () => {
      const { outbox } = harness.stores;
      await outbox.enqueue([aDelivery('d1'), aDelivery('d2')]);
      await outbox.begin(d1);
      const taken = aDelivery('d2', { idempotencyKey: 'another' });
      const refused = outbox.uncertain(d1, { error: 'no answer', repeats: [aDelivery('r1'), taken] });
      await expect(refused).rejects.toMatchObject({ code: 'failed' });
      expect((await outbox.find(d1))?.state).toBe('sending');
      expect(await unfinishedOutbox(harness.stores)).toEqual(['d1', 'd2']);
    });

    test.each(everyStep)(
      '%s of an ended or unknown delivery is refused and changes nothing',
      async (_name, step) => {
        const { outbox } = harness.stores;
        await expect(step(harness.stores)).rejects.toMatchObject({
          code: 'failed',
          retry: { kind: 'never' },
        });
        await outbox.enqueue([aDelivery('d1')]);
        await outbox.fail(d1, 'refused');
        await expect(step(harness.stores)).rejects.toMatchObject({
          code: 'failed',
          retry: { kind: 'never' },
        });
        expect(await outbox.find(d1)).toStrictEqual(aDelivery('d1', { state: 'failed', error: 'refused' }));
        expect(await unfinishedOutbox(harness.stores)).toEqual([]);
      },
    );
  });
};

export const outboxSuite = (open: OpenHarness): void => {
  keepingSuite(open);
  stepSuite(open);
  orderSuite(open);
};
