import { describe, expect, test } from 'vitest';
import { toMessageId, toSessionId, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { Stores } from '../../../src/core/stores.js';
import { type OpenHarness, useStores } from './harness.js';
import {
  aDelivery,
  anEntry,
  aSession,
  assistant,
  aTurn,
  inboxIds,
  toolResult,
  unfinishedInbox,
  unfinishedOutbox,
  user,
  withRunningTurn,
} from './records.js';

const t1 = toTurnId('t1');
const s1 = toSessionId('s1');
const nothing = { entries: [], messages: [] };

const everyWrite: readonly [string, (stores: Stores) => Promise<unknown>][] = [
  ['join', ({ turns }) => turns.join(t1, { entries: inboxIds('a'), messages: [user('x')] })],
  ['addStep', ({ turns }) => turns.addStep(t1, assistant('x', 'c1'), [aDelivery('d1')])],
  ['callBegun', ({ turns }) => turns.callBegun(t1, toToolCallId('c1'), 'read')],
  ['addResult', ({ turns }) => turns.addResult(t1, toolResult('c1'))],
  ['setPreview', ({ turns }) => turns.setPreview(t1, {})],
  ['retry', ({ turns }) => turns.retry(t1)],
  ['suspend', ({ turns }) => turns.suspend(t1)],
  ['end', ({ turns }) => turns.end(t1, { message: assistant('x'), deliveries: [aDelivery('d1')] })],
];

export const turnSuite = (open: OpenHarness): void => {
  describe('turns', () => {
    const harness = useStores(open);

    test('a turn takes its entries, and its input becomes the newest part of the transcript', async () => {
      const { inbox, sessions, turns } = harness.stores;
      await inbox.accept([anEntry('a'), anEntry('b'), anEntry('c')]);
      await sessions.begin(aSession('s1'));
      await turns.begin(aTurn('t1'), { entries: inboxIds('a', 'c'), messages: [user('one'), user('two')] });
      const stores = await harness.restart();
      expect((await stores.inbox.unfinished()).map(({ id, turn }) => [id, turn])).toEqual([
        ['a', 't1'],
        ['b', undefined],
        ['c', 't1'],
      ]);
      expect(await stores.sessions.messages(s1, 10)).toEqual([user('one'), user('two')]);
    });

    test('further entries and messages join a running turn', async () => {
      await withRunningTurn(harness.stores, ['a']);
      await harness.stores.inbox.accept([anEntry('b')]);
      await harness.stores.turns.join(t1, { entries: inboxIds('b'), messages: [user('and this')] });
      expect((await harness.stores.inbox.unfinished()).map(({ turn }) => turn)).toEqual(['t1', 't1']);
      expect(await harness.stores.sessions.messages(s1, 10)).toEqual([user('question'), user('and this')]);
    });

    test('the end stores message and deliveries and finishes every entry of the turn', async () => {
      await withRunningTurn(harness.stores, ['a']);
      await harness.stores.inbox.accept([anEntry('b'), anEntry('other')]);
      await harness.stores.turns.join(t1, { entries: inboxIds('b'), messages: [] });
      await harness.stores.turns.end(t1, {
        message: assistant('answer'),
        deliveries: [aDelivery('d2'), aDelivery('d1')],
      });
      const stores = await harness.restart();
      expect(await unfinishedInbox(stores)).toEqual(['other']);
      expect(await stores.sessions.messages(s1, 10)).toEqual([user('question'), assistant('answer')]);
      expect(await unfinishedOutbox(stores)).toEqual(['d2', 'd1']);
      expect(await stores.turns.interrupted()).toEqual([]);
    });

    test('a turn may end without a word', async () => {
      await withRunningTurn(harness.stores, ['a']);
      await harness.stores.turns.end(t1, { deliveries: [] });
      expect(await unfinishedInbox(harness.stores)).toEqual([]);
      expect(await harness.stores.sessions.messages(s1, 10)).toEqual([user('question')]);
    });

    test('an entry that finished meanwhile is not opened again by a turn', async () => {
      const { inbox, turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await inbox.accept([anEntry('a')]);
      await inbox.finish(inboxIds('a'));
      await turns.join(t1, { entries: inboxIds('a', 'nobody'), messages: [] });
      expect(await unfinishedInbox(harness.stores)).toEqual([]);
    });

    test('a step is stored with its deliveries', async () => {
      await withRunningTurn(harness.stores);
      await harness.stores.turns.addStep(t1, assistant('looking', 'c1'), [aDelivery('d1')]);
      const stores = await harness.restart();
      expect(await stores.sessions.messages(s1, 1)).toStrictEqual([assistant('looking', 'c1')]);
      expect(await unfinishedOutbox(stores)).toEqual(['d1']);
    });

    test('a delivery whose key is known is kept as it was, by steps and ends alike', async () => {
      const { outbox, turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await outbox.enqueue([aDelivery('d1')]);
      await turns.addStep(t1, assistant('x'), [
        aDelivery('n1', { idempotencyKey: 'key-d1' }),
        aDelivery('d2'),
      ]);
      await turns.end(t1, { deliveries: [aDelivery('n2', { idempotencyKey: 'key-d2' }), aDelivery('d3')] });
      expect(await unfinishedOutbox(harness.stores)).toEqual(['d1', 'd2', 'd3']);
    });

    test('an end whose deliveries are refused leaves everything as it was', async () => {
      await withRunningTurn(harness.stores, ['a']);
      await harness.stores.outbox.enqueue([aDelivery('d1')]);
      const taken = aDelivery('d1', { idempotencyKey: 'another' });
      const end = { message: assistant('answer'), deliveries: [aDelivery('d0'), taken] };
      await expect(harness.stores.turns.end(t1, end)).rejects.toMatchObject({ code: 'failed' });
      expect(await unfinishedInbox(harness.stores)).toEqual(['a']);
      expect(await harness.stores.sessions.messages(s1, 10)).toEqual([user('question')]);
      expect(await unfinishedOutbox(harness.stores)).toEqual(['d1']);
      expect(await harness.stores.turns.interrupted()).toHaveLength(1);
    });

    test('a turn id runs only once at a time, and a session has to exist', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      const again = turns.begin(aTurn('t1'), { entries: [], messages: [user('again')] });
      await expect(again).rejects.toMatchObject({ code: 'failed' });
      const lost = turns.begin(aTurn('t2', { session: toSessionId('nowhere') }), nothing);
      await expect(lost).rejects.toMatchObject({ code: 'failed' });
      expect(await turns.interrupted()).toHaveLength(1);
      expect(await harness.stores.sessions.messages(s1, 10)).toEqual([user('question')]);
    });

    test.each(everyWrite)(
      '%s of a turn that does not run is refused and stores nothing',
      async (_name, write) => {
        await withRunningTurn(harness.stores);
        await harness.stores.turns.end(t1, { deliveries: [] });
        await harness.stores.inbox.accept([anEntry('a')]);
        await expect(write(harness.stores)).rejects.toMatchObject({
          code: 'failed',
          retry: { kind: 'never' },
        });
        expect(await harness.stores.sessions.messages(s1, 10)).toEqual([user('question')]);
        expect(await unfinishedOutbox(harness.stores)).toEqual([]);
        expect((await harness.stores.inbox.unfinished()).map(({ turn }) => turn)).toEqual([undefined]);
      },
    );

    test.each(everyWrite)('%s of a running turn is accepted', async (_name, write) => {
      await withRunningTurn(harness.stores, ['a']);
      const outcome = await write(harness.stores).then(() => 'accepted');
      expect(outcome).toBe('accepted');
    });
  });

  describe('live preview of a turn', () => {
    const harness = useStores(open);
    const preview = async (stores: Stores) => (await stores.turns.interrupted())[0]?.preview;

    test('is unknown, begun, sent and gone again as it is set', async () => {
      await withRunningTurn(harness.stores);
      const { turns } = harness.stores;
      expect(await preview(harness.stores)).toBeUndefined();
      await turns.setPreview(t1, {});
      expect(await preview(harness.stores)).toStrictEqual({});
      await turns.setPreview(t1, { message: toMessageId('m1') });
      expect(await preview(await harness.restart())).toStrictEqual({ message: 'm1' });
      await harness.stores.turns.setPreview(t1, undefined);
      expect(await preview(harness.stores)).toBeUndefined();
    });

    test('is forgotten with the step whose deliveries take it over', async () => {
      await withRunningTurn(harness.stores);
      const { turns } = harness.stores;
      await turns.setPreview(t1, { message: toMessageId('m1') });
      await turns.addStep(t1, { role: 'assistant', text: 'one moment', toolCalls: [] }, []);
      expect(await preview(harness.stores)).toBeUndefined();
    });
  });
};
