import { describe, expect, test } from 'vitest';
import { toMessageId, toThreadId, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import { type OpenHarness, useStores } from './harness.js';
import { aDelivery, assistant, aTurn, origin, toolResult, withRunningTurn } from './records.js';

const t1 = toTurnId('t1');
const call = (id: string) => assistant('', id).toolCalls[0];

/** What a start after a crash reads. */
export const recoverySuite = (open: OpenHarness): void => {
  describe('recovery', () => {
    const harness = useStores(open);

    test('turns that did not end are told as they were begun, oldest first', async () => {
      const full = aTurn('a-later-one', {
        replyTo: toMessageId('m9'),
        caller: {
          origin: { ...origin, thread: toThreadId('th'), chatTitle: 'Room' },
          user: aTurn('x').caller.user,
          isOwner: false,
        },
        startedAt: 900,
        attempts: 2,
        preview: { message: toMessageId('m10') },
      });
      await withRunningTurn(harness.stores);
      await harness.stores.turns.begin(full, { entries: [], messages: [] });
      const stores = await harness.restart();
      expect(await stores.turns.interrupted()).toStrictEqual([aTurn('t1'), full]);
    });

    test('a suspension takes an attempt back', async () => {
      await withRunningTurn(harness.stores);
      const { turns } = harness.stores;
      await turns.suspend(t1);
      expect(await turns.retry(t1)).toBe(1);
    });

    test('each retry counts one more attempt', async () => {
      await withRunningTurn(harness.stores);
      expect(await harness.stores.turns.retry(t1)).toBe(2);
      const stores = await harness.restart();
      expect(await stores.turns.retry(t1)).toBe(3);
      expect((await stores.turns.interrupted())[0]?.attempts).toBe(3);
    });

    test('open calls are those without a result, in the order the model made them', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(t1, assistant('', 'z', 'done'), []);
      await turns.addStep(t1, assistant('', 'b', 'a'), []);
      await turns.callBegun(t1, toToolCallId('a'), 'finance');
      await turns.callBegun(t1, toToolCallId('done'), 'read');
      await turns.addResult(t1, toolResult('done'));
      const stores = await harness.restart();
      expect(await stores.turns.openCalls(t1)).toStrictEqual([
        { call: call('z'), isBegun: false },
        { call: call('b'), isBegun: false },
        { call: call('a'), isBegun: true, category: 'finance' },
      ]);
    });

    test('a call that begins once more keeps the later category', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(t1, assistant('', 'a'), []);
      await turns.callBegun(t1, toToolCallId('a'), 'read');
      await turns.callBegun(t1, toToolCallId('a'), 'system');
      expect(await turns.openCalls(t1)).toStrictEqual([
        { call: call('a'), isBegun: true, category: 'system' },
      ]);
    });

    test('a result and what its person is told of it are one write', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(t1, assistant('', 'a'), []);
      await turns.addResult(t1, toolResult('a'), [aDelivery('d1')]);
      const stores = await harness.restart();
      expect(await stores.turns.openCalls(t1)).toEqual([]);
      expect((await stores.outbox.unfinished()).map(({ id }) => id)).toEqual(['d1']);
      const lost = stores.turns.addResult(toTurnId('none'), toolResult('a'), [aDelivery('d2')]);
      await expect(lost).rejects.toThrow();
      expect((await stores.outbox.unfinished()).map(({ id }) => id)).toEqual(['d1']);
    });

    test('a result of an unknown call is stored and closes nothing', async () => {
      const { sessions, turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(t1, assistant('', 'a'), []);
      await turns.addResult(t1, toolResult('stranger'));
      expect((await turns.openCalls(t1)).map((open) => open.call.id)).toEqual(['a']);
      expect(await sessions.messages(aTurn('t1').session, 1)).toEqual([toolResult('stranger')]);
    });

    test('the same call id in another turn is another call', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.begin(aTurn('t2'), { entries: [], messages: [] });
      await turns.addStep(t1, assistant('', 'a'), []);
      await turns.addStep(toTurnId('t2'), assistant('', 'a'), []);
      await turns.callBegun(toTurnId('t2'), toToolCallId('a'), 'write');
      await turns.addResult(toTurnId('t2'), toolResult('a'));
      expect(await turns.openCalls(t1)).toStrictEqual([{ call: call('a'), isBegun: false }]);
      expect(await turns.openCalls(toTurnId('t2'))).toEqual([]);
    });

    test('a turn that ended or never was has no open calls', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(t1, assistant('', 'a'), []);
      await turns.end(t1, { deliveries: [] });
      expect(await turns.openCalls(t1)).toEqual([]);
      expect(await turns.openCalls(toTurnId('nobody'))).toEqual([]);
    });
  });
};
