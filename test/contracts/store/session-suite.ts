import { describe, expect, test } from 'vitest';
import { toSessionId, toSessionKey, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { Stores } from '../../../src/core/stores.js';
import type { TodoItem } from '../../../src/core/tool.js';
import { type OpenHarness, useStores } from './harness.js';
import { anEntry, aSession, assistant, aTurn, toolResult, user, withRunningTurn } from './records.js';

const key = toSessionKey('key');
const s1 = toSessionId('s1');

export const sessionSuite = (open: OpenHarness): void => {
  describe('sessions', () => {
    const harness = useStores(open);

    test('a key has no session until one begins; it is then current, also after a restart', async () => {
      const { sessions } = harness.stores;
      expect(await sessions.current(key)).toBeUndefined();
      await sessions.begin(aSession('s1', 'key', { system: 'a "prompt"\n🙂' }));
      const stores = await harness.restart();
      expect(await stores.sessions.current(key)).toStrictEqual(
        aSession('s1', 'key', { system: 'a "prompt"\n🙂' }),
      );
    });

    test('a session keeps the tools that it began with, also none, and one from before has no list', async () => {
      const { sessions } = harness.stores;
      const lists = [['read_it', 'write_it'], [], undefined];
      for (const [index, tools] of lists.entries())
        await sessions.begin(aSession(`s${index}`, `key ${index}`, tools === undefined ? {} : { tools }));
      const stores = await harness.restart();
      const kept = await Promise.all(
        lists.map((_list, index) => stores.sessions.current(toSessionKey(`key ${index}`))),
      );
      expect(kept.map((record) => record?.tools)).toEqual(lists);
    });

    test('a new session takes the place of the earlier one, whose messages are kept', async () => {
      const { sessions } = harness.stores;
      await withRunningTurn(harness.stores);
      await sessions.begin(aSession('s2'));
      expect((await sessions.current(key))?.id).toBe('s2');
      expect(await sessions.messages(s1, 10)).toEqual([user('question')]);
      expect(await sessions.messages(toSessionId('s2'), 10)).toEqual([]);
    });

    test('keys do not touch each other', async () => {
      const { sessions } = harness.stores;
      await sessions.begin(aSession('s1', 'key'));
      await sessions.begin(aSession('s2', 'other'));
      await sessions.end(toSessionKey('other'));
      expect((await sessions.current(key))?.id).toBe('s1');
    });

    test('an ended session is no longer current, and ending nothing does nothing', async () => {
      const { sessions } = harness.stores;
      await sessions.begin(aSession('s1'));
      await sessions.end(key);
      await sessions.end(key);
      expect(await sessions.current(key)).toBeUndefined();
      await sessions.begin(aSession('s2'));
      expect((await sessions.current(key))?.id).toBe('s2');
    });

    test('a session id is not used twice, and the refused one ends nothing', async () => {
      const { sessions } = harness.stores;
      await sessions.begin(aSession('s1', 'first'));
      await sessions.begin(aSession('s2', 'second'));
      await expect(sessions.begin(aSession('s1', 'second'))).rejects.toMatchObject({ code: 'failed' });
      expect((await sessions.current(toSessionKey('second')))?.id).toBe('s2');
    });

    test('the pictures of a result are kept with it', async () => {
      await withRunningTurn(harness.stores);
      const images = [{ path: '/cache/a.png', fileName: 'a.png', mimeType: 'image/png', sizeBytes: 3 }];
      const call = { id: toToolCallId('c1'), name: 'look', argumentsText: '{}' };
      await harness.stores.turns.addStep(
        toTurnId('t1'),
        { role: 'assistant', text: '', toolCalls: [call] },
        [],
      );
      const result = { role: 'tool', call: call.id, text: 'a picture', isError: false, images } as const;
      await harness.stores.turns.addResult(toTurnId('t1'), result);
      const stores = await harness.restart();
      expect((await stores.sessions.messages(s1, 10)).at(-1)).toStrictEqual(result);
    });

    test('the newest messages come oldest first, at most as many as asked for', async () => {
      const { turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await turns.addStep(toTurnId('t1'), assistant('looking', 'c1', 'c2'), []);
      await turns.addResult(toTurnId('t1'), toolResult('c1'));
      await turns.addResult(toTurnId('t1'), toolResult('c2', { isError: true }));
      await turns.end(toTurnId('t1'), {
        message: { ...assistant('cut o'), isPartial: true },
        deliveries: [],
      });
      const all = [
        user('question'),
        assistant('looking', 'c1', 'c2'),
        toolResult('c1'),
        toolResult('c2', { isError: true }),
        { ...assistant('cut o'), isPartial: true },
      ];
      const stores = await harness.restart();
      expect(await stores.sessions.messages(s1, 10)).toStrictEqual(all);
      expect(await stores.sessions.messages(s1, 5)).toStrictEqual(all);
      expect(await stores.sessions.messages(s1, 2)).toStrictEqual(all.slice(3));
      expect(await stores.sessions.messages(s1, 0)).toEqual([]);
    });

    test('whatever is written after a reading is in the next one, as a restart would read it', async () => {
      const entry = anEntry('undo');
      await withRunningTurn(harness.stores);
      const picture = { path: '/c/a.png', mimeType: 'image/png', fileName: 'a.png', sizeBytes: 1 };
      const writes: readonly ((stores: Stores) => Promise<unknown>)[] = [
        ({ turns }) => turns.join(toTurnId('t1'), { entries: [], messages: [user('plain'), user('a\0b')] }),
        ({ turns }) =>
          turns.join(toTurnId('t1'), { entries: [], messages: [{ ...user('seen'), images: [picture] }] }),
        ({ turns }) => turns.addStep(toTurnId('t1'), assistant('looking', 'c1'), []),
        ({ turns }) => turns.addResult(toTurnId('t1'), toolResult('c1')),
        ({ turns }) => turns.join(toTurnId('t9'), { entries: [], messages: [user('never')] }),
        ({ turns }) =>
          Promise.all([
            turns.begin(aTurn('t2'), { entries: [], messages: [user('second')] }),
            turns.begin(aTurn('t2'), { entries: [], messages: [user('refused')] }),
          ]),
        ({ turns }) => turns.end(toTurnId('t2'), { message: assistant('answer'), deliveries: [] }),
        ({ inbox }) => inbox.accept([entry]),
        ({ archive }) => archive.takeBack(s1, toTurnId('t2'), entry.id),
        ({ sessions }) => sessions.compact(s1, { keep: 3, summary: 'short' }),
        ({ archive }) => archive.trim(s1, { before: 9_999_999, keep: 1 }),
        ({ turns }) => turns.end(toTurnId('t1'), { message: assistant('over'), deliveries: [] }),
        ({ archive }) => archive.delete(s1),
      ];
      let { stores } = harness;
      const lengths: number[] = [];
      for (const write of writes) {
        await stores.sessions.messages(s1, 10);
        await write(stores).catch(() => {});
        const messages = await stores.sessions.messages(s1, 10);
        stores = await harness.restart();
        expect(await stores.sessions.messages(s1, 10)).toStrictEqual(messages);
        lengths.push(messages.length);
      }
      expect(lengths).toEqual([3, 4, 5, 6, 6, 7, 8, 8, 6, 4, 2, 3, 0]);
    });

    describe('that is compacted', () => {
      const messagesOf = (stores: Stores, limit = 10) => stores.sessions.messages(s1, limit);
      const summaryOf = (text: string) => ({ role: 'user', text, isSummary: true });
      const withMessages = async ({ turns }: Stores): Promise<void> => {
        await withRunningTurn(harness.stores);
        for (const text of ['a', 'b', 'c', 'd'])
          await turns.join(toTurnId('t1'), { entries: [], messages: [user(text)] });
      };

      test('gives its summary and what came after, also after a restart', async () => {
        await withMessages(harness.stores);
        await harness.stores.sessions.compact(s1, { keep: 2, summary: 'in "short"\n🙂' });
        await harness.stores.turns.join(toTurnId('t1'), { entries: [], messages: [user('e')] });
        const stores = await harness.restart();
        const summary = summaryOf('in "short"\n🙂');
        expect(await messagesOf(stores)).toStrictEqual([summary, user('c'), user('d'), user('e')]);
        expect(await messagesOf(stores, 1)).toStrictEqual([summary, user('e')]);
      });

      test('again stands for the earlier summary too', async () => {
        await withMessages(harness.stores);
        const { sessions } = harness.stores;
        await sessions.compact(s1, { keep: 3, summary: 'one' });
        await sessions.compact(s1, { keep: 1, summary: 'two' });
        expect(await messagesOf(harness.stores)).toEqual([summaryOf('two'), user('d')]);
        await sessions.compact(s1, { keep: 0, summary: 'three' });
        expect(await messagesOf(harness.stores)).toEqual([summaryOf('three')]);
      });

      test('stays as it is where nothing is left to stand for', async () => {
        await withMessages(harness.stores);
        const { sessions } = harness.stores;
        await sessions.compact(s1, { keep: 5, summary: 'never' });
        expect(await messagesOf(harness.stores)).toHaveLength(5);
        await sessions.compact(s1, { keep: 2, summary: 'one' });
        await sessions.compact(s1, { keep: 2, summary: 'never' });
        await sessions.compact(toSessionId('unknown'), { keep: 0, summary: 'never' });
        expect(await messagesOf(harness.stores)).toEqual([summaryOf('one'), user('c'), user('d')]);
      });

      test('does not touch another session, nor the calls that a crash left open', async () => {
        const { sessions, turns } = harness.stores;
        await withMessages(harness.stores);
        await sessions.begin(aSession('s2', 'other'));
        await turns.begin(aTurn('t2', { session: toSessionId('s2') }), {
          entries: [],
          messages: [user('one'), user('two')],
        });
        await turns.addStep(toTurnId('t1'), assistant('', 'c1'), []);
        await sessions.compact(s1, { keep: 0, summary: 'one' });
        expect(await sessions.messages(toSessionId('s2'), 10)).toEqual([user('one'), user('two')]);
        const stores = await harness.restart();
        expect((await stores.turns.openCalls(toTurnId('t1'))).map(({ call }) => call.id)).toEqual(['c1']);
      });
    });

    test('the usage of its ended turns adds up', async () => {
      const { sessions, turns } = harness.stores;
      expect(await sessions.usage(s1)).toEqual({ turns: 0, inputTokens: 0, outputTokens: 0 });
      await withRunningTurn(harness.stores);
      await turns.end(toTurnId('t1'), { deliveries: [], usage: { inputTokens: 100, outputTokens: 7 } });
      await turns.begin(aTurn('t2'), { entries: [], messages: [] });
      await turns.end(toTurnId('t2'), { deliveries: [], usage: { inputTokens: 10.4, outputTokens: 1 } });
      await turns.begin(aTurn('t3'), { entries: [], messages: [] });
      await turns.end(toTurnId('t3'), { deliveries: [] });
      const stores = await harness.restart();
      expect(await stores.sessions.usage(s1)).toEqual({ turns: 3, inputTokens: 110, outputTokens: 8 });
    });

    test('messages of sessions that run at the same time stay apart', async () => {
      const { sessions, turns } = harness.stores;
      await withRunningTurn(harness.stores);
      await sessions.begin(aSession('s2', 'other'));
      await turns.begin(aTurn('t2', { session: toSessionId('s2') }), {
        entries: [],
        messages: [user('two')],
      });
      await turns.join(toTurnId('t1'), { entries: [], messages: [user('one')] });
      expect(await sessions.messages(s1, 10)).toEqual([user('question'), user('one')]);
      expect(await sessions.messages(toSessionId('s2'), 10)).toEqual([user('two')]);
    });
  });

  describe('todos', () => {
    const harness = useStores(open);
    const items: readonly TodoItem[] = [
      { id: '2', content: 'write it\nwell', status: 'in_progress' },
      { id: '1', content: 'read', status: 'completed' },
    ];

    test('a session has no items until some are saved', async () => {
      expect(await harness.stores.todos.load(s1)).toEqual([]);
    });

    test('the items last saved are loaded, in their order, also after a restart', async () => {
      await harness.stores.todos.save(s1, [{ id: '9', content: 'gone', status: 'pending' }]);
      await harness.stores.todos.save(s1, items);
      const stores = await harness.restart();
      expect(await stores.todos.load(s1)).toStrictEqual(items);
      expect(await stores.todos.load(toSessionId('s2'))).toEqual([]);
    });
  });
};
