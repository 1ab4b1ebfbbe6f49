import { describe, expect, test } from 'vitest';
import { toMessageId, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import { type OpenHarness, useStores } from './harness.js';
import { aPageEvent } from './records.js';

export const pageLogSuite = (open: OpenHarness): void => {
  describe('page log', () => {
    const harness = useStores(open);
    const append = async (...names: string[]) => {
      const events = [];
      for (const name of names) events.push(await harness.stores.pageLog.append(aPageEvent(name)));
      return events;
    };

    test('the sequence grows by one over all sessions, also after a restart', async () => {
      await append('m1');
      const other = await harness.stores.pageLog.append(aPageEvent('m1', { session: 'p2' }));
      const stores = await harness.restart();
      const third = await stores.pageLog.append(aPageEvent('m2'));
      expect([other.sequence, third.sequence]).toEqual([2, 3]);
    });

    test('an event is read as it was appended', async () => {
      const media = [{ id: 'a_1.png', name: 'ä "b".png', type: 'image/png' }];
      const text = 'a "text"\n🙂';
      const step = { turn: toTurnId('t1'), call: toToolCallId('c1'), name: 'todo', summary: 'a "b"' };
      const steps = [
        { ...step, state: 'finished' as const },
        { ...step, call: toToolCallId('c2'), state: 'ended' as const },
      ];
      const replyTo = toMessageId('m0');
      const full = aPageEvent('m1', { role: 'assistant', text, replyTo, media, steps, isFailure: true });
      const appended = await harness.stores.pageLog.append(full);
      expect(appended).toStrictEqual({ ...full, sequence: 1 });
      const stores = await harness.restart();
      expect(await stores.pageLog.since('p1', 0)).toStrictEqual([appended]);
      expect(await stores.pageLog.history('p1', { limit: 5 })).toStrictEqual([appended]);
    });

    test('a message that is already there is given back as it was, and costs no number', async () => {
      const [first] = await append('m1');
      const again = await harness.stores.pageLog.append(aPageEvent('m1', { text: 'changed', at: 9000 }));
      expect(again).toStrictEqual(first);
      expect((await append('m2'))[0]?.sequence).toBe(2);
      expect(await harness.stores.pageLog.since('p1', 0)).toHaveLength(2);
    });

    test('what came since a number is told in order, of that session only', async () => {
      await append('m1', 'm2');
      await harness.stores.pageLog.append(aPageEvent('x', { session: 'p2' }));
      await append('m3');
      const { pageLog } = harness.stores;
      expect((await pageLog.since('p1', 1)).map(({ message }) => message)).toEqual(['m2', 'm3']);
      expect(await pageLog.since('p1', 4)).toEqual([]);
      expect(await pageLog.since('nobody', 0)).toEqual([]);
    });

    test('history gives the newest, oldest first, and pages backwards', async () => {
      await append('m1', 'm2', 'm3', 'm4', 'm5');
      const { pageLog } = harness.stores;
      const page = async (limit: number, before?: number) =>
        (await pageLog.history('p1', before === undefined ? { limit } : { limit, before })).map(
          ({ sequence }) => sequence,
        );
      expect(await page(2)).toEqual([4, 5]);
      expect(await page(2, 4)).toEqual([2, 3]);
      expect(await page(2, 2)).toEqual([1]);
      expect(await page(2, 1)).toEqual([]);
    });

    test('sessions are told by their latest event, titled by the beginning of their first', async () => {
      const { pageLog } = harness.stores;
      await pageLog.append(aPageEvent('m1', { text: '  How do I\n\nbake bread?  ', at: 100 }));
      await pageLog.append(aPageEvent('m1', { session: 'p2', text: 'other', at: 200 }));
      await pageLog.append(aPageEvent('m2', { text: 'more', at: 300 }));
      const stores = await harness.restart();
      expect(await stores.pageLog.sessions(10)).toEqual([
        { session: 'p1', title: 'How do I bake bread?', updatedAt: 300 },
        { session: 'p2', title: 'other', updatedAt: 200 },
      ]);
      expect((await stores.pageLog.sessions(1)).map(({ session }) => session)).toEqual(['p1']);
    });

    test('a long title is cut between characters', async () => {
      await harness.stores.pageLog.append(aPageEvent('m1', { text: '🙂'.repeat(100) }));
      const [session] = await harness.stores.pageLog.sessions(1);
      expect(session?.title).toBe(`${'🙂'.repeat(79)}…`);
    });

    test('forgets single events, names the files that are shown nowhere else, and reuses no number', async () => {
      const { pageLog } = harness.stores;
      const file = (id: string) => ({ id, name: `${id}.png`, type: 'image/png' });
      await pageLog.append(aPageEvent('m1', { media: [file('a'), file('b')] }));
      await pageLog.append(aPageEvent('m2'));
      await pageLog.append(aPageEvent('m3', { session: 'p2', media: [file('b')] }));
      expect(await pageLog.forget('p2', [1, 2])).toEqual([]);
      expect([await pageLog.hasFile('a'), await pageLog.hasFile('c')]).toEqual([true, false]);
      expect(await pageLog.forget('p1', [1, 2, 3])).toStrictEqual([file('a')]);
      const stores = await harness.restart();
      expect(await stores.pageLog.since('p1', 0)).toEqual([]);
      expect((await stores.pageLog.sessions(9)).map(({ session }) => session)).toEqual(['p2']);
      expect(await stores.pageLog.forget('p2', [3])).toStrictEqual([file('b')]);
      expect((await stores.pageLog.append(aPageEvent('m1'))).sequence).toBe(4);
    });

    test('forgets what is old, except the newest of a session that is still in use', async () => {
      const { pageLog } = harness.stores;
      for (const [index, at] of [10, 20, 30, 40].entries())
        await pageLog.append(aPageEvent(`m${index}`, { at }));
      await pageLog.append(aPageEvent('x', { session: 'p2', at: 5 }));
      expect(await pageLog.trim({ before: 35, keep: 2 })).toBe(3);
      expect(await pageLog.trim({ before: 35, keep: 2 })).toBe(0);
      expect((await pageLog.since('p1', 0)).map(({ at }) => at)).toEqual([30, 40]);
      expect(await pageLog.since('p2', 0)).toEqual([]);
    });
  });
};
