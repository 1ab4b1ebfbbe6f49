import { describe, expect, test } from 'vitest';
import type { SessionScope } from '../../../src/core/archive.js';
import {
  toInboxId,
  toPlatformId,
  toSessionId,
  toSessionKey,
  toTurnId,
  toUserId,
} from '../../../src/core/ids.js';
import type { Stores } from '../../../src/core/stores.js';
import { type OpenHarness, useStores } from './harness.js';
import { anEntry, aSession, assistant, aTurn, toolResult, unfinishedInbox, user } from './records.js';

const s1 = toSessionId('s1');
const platform = toPlatformId('matrix');
const ada = { platform, user: toUserId('@ada:example.org') };
const ben = { platform, user: toUserId('@ben:example.org') };
const everybody: SessionScope = { type: 'all' };

const ofKey = (key: string): SessionScope => ({ type: 'key', key: toSessionKey(key) });
const own = (session: string): SessionScope => ({ type: 'own', person: ada, session: toSessionId(session) });

/** A turn of the session that is over. */
const exchange = async (
  { turns }: Stores,
  turn: string,
  { session = 's1', question = `question of ${turn}`, answer = `answer of ${turn}` } = {},
): Promise<void> => {
  const record = aTurn(turn, { session: toSessionId(session) });
  await turns.begin(record, { entries: [], messages: [user(question)] });
  await turns.end(record.id, { message: assistant(answer), deliveries: [] });
};

export const archiveSuite = (open: OpenHarness): void => {
  describe('the list of sessions', () => {
    const harness = useStores(open);

    test('has the latest used first, with title, times and size, also after a restart', async () => {
      const { sessions, turns } = harness.stores;
      await sessions.begin(aSession('s1', 'key', { createdAt: 10 }));
      await sessions.begin(aSession('s2', 'other', { createdAt: 20 }));
      harness.setNow(30);
      await turns.begin(aTurn('t1'), { entries: [], messages: [user('first words')] });
      await turns.end(toTurnId('t1'), {
        message: assistant('answer'),
        deliveries: [],
        usage: { inputTokens: 7, outputTokens: 8 },
      });
      const { archive } = await harness.restart();
      const one = {
        id: 's1',
        key: 'key',
        title: 'first words',
        createdAt: 10,
        usedAt: 30,
        messages: 2,
        isCurrent: true,
        usage: { inputTokens: 7, outputTokens: 8 },
      };
      const two = {
        ...one,
        id: 's2',
        key: 'other',
        title: '',
        createdAt: 20,
        usedAt: 20,
        messages: 0,
        usage: { inputTokens: 0, outputTokens: 0 },
      };
      expect(await archive.list({ scope: everybody, limit: 10 })).toStrictEqual([one, two]);
      expect(await archive.list({ scope: everybody, limit: 1 })).toStrictEqual([one]);
      expect(await archive.list({ scope: ofKey('other'), limit: 10 })).toStrictEqual([two]);
      expect(await archive.totalUsage()).toEqual({ inputTokens: 7, outputTokens: 8 });
      expect(await archive.totalUsage(toSessionKey('other'))).toEqual({ inputTokens: 0, outputTokens: 0 });
      expect(await archive.find(s1)).toStrictEqual(one);
      expect(await archive.find(toSessionId('s9'))).toBeUndefined();
    });

    test('a transcript is whole, also where a summary stands for a part of it', async () => {
      const { sessions, archive } = harness.stores;
      await sessions.begin(aSession('s1'));
      harness.setNow(5);
      await exchange(harness.stores, 't1');
      await exchange(harness.stores, 't2');
      await sessions.compact(s1, { keep: 1, summary: 'short' });
      expect(await archive.transcript(s1)).toStrictEqual([
        { message: user('question of t1'), at: 5, turn: 't1' },
        { message: assistant('answer of t1'), at: 5, turn: 't1' },
        { message: user('question of t2'), at: 5, turn: 't2' },
        { message: assistant('answer of t2'), at: 5, turn: 't2' },
      ]);
    });

    test('is narrowed to a person’s own sessions and the one that asks', async () => {
      const { sessions, archive } = harness.stores;
      await sessions.begin(aSession('s1', 'key', { person: ada }));
      await sessions.begin(aSession('s2', 'other', { person: ben }));
      await sessions.begin(aSession('s3', 'shared'));
      const ids = async (scope: SessionScope) =>
        (await archive.list({ scope, limit: 9 })).map(({ id }) => id);
      expect(await ids(own('s9'))).toEqual(['s1']);
      expect(await ids(own('s3'))).toEqual(['s3', 's1']);
      expect(await ids(ofKey('shared'))).toEqual(['s3']);
    });

    test('idle ones are those unused since a time without a turn, the longest unused first', async () => {
      const { sessions, archive, turns } = harness.stores;
      await sessions.begin(aSession('s1', 'one', { createdAt: 10 }));
      await sessions.begin(aSession('s2', 'two', { createdAt: 20 }));
      await sessions.begin(aSession('s3', 'three', { createdAt: 30 }));
      await sessions.begin(aSession('s4', 'four', { createdAt: 5 }));
      harness.setNow(40);
      await exchange(harness.stores, 't1', { session: 's1' });
      harness.setNow(25);
      await turns.begin(aTurn('t2', { session: toSessionId('s4') }), { entries: [], messages: [] });
      const idle = async (usedBefore: number, limit = 9) =>
        (await archive.idle({ usedBefore, limit })).map(({ id }) => id);
      expect(await idle(41)).toEqual(['s2', 's3', 's1']);
      expect(await idle(40)).toEqual(['s2', 's3']);
      expect(await idle(40, 1)).toEqual(['s2']);
      expect(await idle(20)).toEqual([]);
    });

    test('what is old in a session goes, except what its conversation may still need', async () => {
      const { sessions, archive } = harness.stores;
      await sessions.begin(aSession('s1'));
      for (const [turn, at] of [
        ['t1', 10],
        ['t2', 20],
        ['t3', 30],
      ] as const) {
        harness.setNow(at);
        await exchange(harness.stores, turn);
      }
      await sessions.compact(s1, { keep: 3, summary: 'short' });
      const history = await sessions.messages(s1, 9);
      expect(await archive.trim(s1, { before: 10, keep: 0 })).toBe(0);
      expect(await archive.trim(s1, { before: 99, keep: 9 })).toBe(0);
      expect(await archive.trim(s1, { before: 11, keep: 3 })).toBe(2);
      expect(await sessions.messages(s1, 9)).toEqual(history);
      expect(await archive.trim(s1, { before: 99, keep: 3 })).toBe(1);
      const stores = await harness.restart();
      expect(await stores.sessions.messages(s1, 9)).toEqual(history);
      expect((await stores.archive.transcript(s1)).map(({ message }) => message.text)).toEqual([
        'answer of t2',
        'question of t3',
        'answer of t3',
      ]);
      expect(await stores.archive.search('t1', { scope: everybody, limit: 9 })).toEqual([]);
      expect(await stores.archive.trim(toSessionId('s9'), { before: 99, keep: 0 })).toBe(0);
    });

    test('an earlier session of the key becomes current again, another key’s does not', async () => {
      const { sessions, archive } = harness.stores;
      await sessions.begin(aSession('s1'));
      await sessions.begin(aSession('s2'));
      await sessions.begin(aSession('s3', 'other'));
      expect(await archive.resume(toSessionKey('key'), toSessionId('s3'))).toBe(false);
      expect((await sessions.current(toSessionKey('key')))?.id).toBe('s2');
      expect(await archive.resume(toSessionKey('key'), s1)).toBe(true);
      const stores = await harness.restart();
      expect((await stores.sessions.current(toSessionKey('key')))?.id).toBe('s1');
      expect((await stores.sessions.current(toSessionKey('other')))?.id).toBe('s3');
    });

    test('a deleted session takes everything of it along, and one that works is not deleted', async () => {
      const { sessions, archive, todos, turns } = harness.stores;
      await sessions.begin(aSession('s1'));
      await exchange(harness.stores, 't1', { question: 'secret plans' });
      await sessions.compact(s1, { keep: 1, summary: 'short' });
      await todos.save(s1, [{ id: '1', content: 'x', status: 'pending' }]);
      await turns.begin(aTurn('t2'), { entries: [], messages: [] });
      expect(await archive.delete(s1)).toBe(false);
      await turns.end(toTurnId('t2'), { deliveries: [] });
      expect(await archive.delete(s1)).toBe(true);
      expect(await archive.delete(s1)).toBe(false);
      const stores = await harness.restart();
      expect(await stores.archive.list({ scope: everybody, limit: 9 })).toEqual([]);
      expect(await stores.sessions.messages(s1, 9)).toEqual([]);
      expect(await stores.todos.load(s1)).toEqual([]);
      expect(await stores.archive.search('secret', { scope: everybody, limit: 9 })).toEqual([]);
    });
  });

  describe('the last exchange', () => {
    const harness = useStores(open);

    test('is all that its turn left, and taken back all of it goes', async () => {
      const { sessions, archive, turns, inbox } = harness.stores;
      await sessions.begin(aSession('s1'));
      await exchange(harness.stores, 't1');
      await turns.begin(aTurn('t2'), { entries: [], messages: [user('two')] });
      await turns.addStep(toTurnId('t2'), assistant('looking', 'c1'), []);
      await turns.addResult(toTurnId('t2'), toolResult('c1'));
      await turns.end(toTurnId('t2'), { message: assistant('found'), deliveries: [] });
      await inbox.accept([anEntry('e1')]);
      const all = [user('two'), assistant('looking', 'c1'), toolResult('c1'), assistant('found')];
      expect(await archive.lastExchange(s1)).toStrictEqual({ turn: 't2', messages: all });
      expect(await archive.takeBack(s1, toTurnId('t1'), toInboxId('e0'))).toBe(false);
      expect(await archive.takeBack(s1, toTurnId('t2'), toInboxId('e1'))).toBe(true);
      const stores = await harness.restart();
      expect(await unfinishedInbox(stores)).toEqual([]);
      expect(await stores.sessions.messages(s1, 9)).toEqual([
        user('question of t1'),
        assistant('answer of t1'),
      ]);
      expect(await stores.archive.search('found', { scope: everybody, limit: 9 })).toEqual([]);
    });

    test('is not there in an empty session, while its turn runs, or where a summary stands for it', async () => {
      const { sessions, archive, turns } = harness.stores;
      await sessions.begin(aSession('s1'));
      expect(await archive.lastExchange(s1)).toBeUndefined();
      await turns.begin(aTurn('t1'), { entries: [], messages: [user('one')] });
      expect(await archive.takeBack(s1, toTurnId('t1'), toInboxId('e1'))).toBe(false);
      await turns.end(toTurnId('t1'), { message: assistant('two'), deliveries: [] });
      await sessions.compact(s1, { keep: 1, summary: 'short' });
      expect(await archive.lastExchange(s1)).toBeUndefined();
      expect(await archive.takeBack(s1, toTurnId('t1'), toInboxId('e1'))).toBe(false);
    });

    test('is taken out by the turn that replaces it', async () => {
      const { sessions, turns } = harness.stores;
      await sessions.begin(aSession('s1'));
      await exchange(harness.stores, 't1');
      await turns.begin(aTurn('t2'), { entries: [], messages: [user('again')], replaces: toTurnId('t1') });
      expect(await sessions.messages(s1, 9)).toEqual([user('again')]);
    });
  });

  describe('search', () => {
    const harness = useStores(open);
    const find = async (query: string, scope: SessionScope = everybody): Promise<string[]> =>
      (await harness.stores.archive.search(query, { scope, limit: 10 })).map(({ text }) => text);

    test.each([
      ['a word in another case', 'The Quick fox', 'quick'],
      ['words in any order', 'The quick brown fox', 'fox quick'],
      ['the beginning of a word', 'several meetings', 'meeting'],
      ['without accents', 'Crème brûlée für Ärzte', 'creme brulee arzte'],
      ['with accents that were not written', 'creme', 'crème'],
      ['two Chinese characters', '我们明天在北京开会', '北京'],
      ['one Chinese character', '我们明天在北京开会', '京'],
      ['the last Chinese character', '我们明天在北京开会', '会'],
      ['a longer Chinese word', '我们明天在北京开会', '在北京开'],
      ['Chinese beside Latin', '用iPhone手机拍照', 'iphone 手机'],
      ['Japanese', '明日は東京タワーに行きます', 'タワー'],
      ['Korean without its particle', '서울에서 만나요', '서울'],
      ['Thai', 'ฉันอยากไปกรุงเทพ', 'กรุงเทพ'],
      ['Hindi', 'मुझे किताबें पसंद हैं', 'किताबें'],
      ['Arabic without vowel signs', 'مَرْحَبًا بالعالم', 'مرحبا'],
      ['Russian', 'Привет, мир', 'привет'],
      ['full-width letters', 'ＡＢＣ１２３', 'abc123'],
      ['numbers', 'order 20301', '20301'],
      ['quotes and operators as text', 'this OR "that" NOT (here)', '"that" NOT'],
    ])('finds %s', async (_, text, query) => {
      await harness.stores.sessions.begin(aSession('s1'));
      await exchange(harness.stores, 't1', { question: text, answer: 'ok' });
      expect(await find(query)).toEqual([text]);
    });

    test.each([
      ['one of two words', 'quick', 'quick slow'],
      ['the end of a word', 'breakfast', 'fast'],
      ['a short word by its beginning', 'international', 'in'],
      ['two Chinese characters that are apart', '北方南京', '北京'],
      ['nothing for a query without letters', '->', '-> *"'],
      ['the words of the scope', 'hello', 's7331'],
    ])('does not find %s', async (_, text, query) => {
      await harness.stores.sessions.begin(aSession('s1'));
      await exchange(harness.stores, 't1', { question: text, answer: 'ok' });
      expect(await find(query)).toEqual([]);
    });

    test('gives the newest first, as many as asked for, without results of tools', async () => {
      const { sessions, turns, archive } = harness.stores;
      await sessions.begin(aSession('s1'));
      await turns.begin(aTurn('t1'), { entries: [], messages: [user('apple one')] });
      await turns.addStep(toTurnId('t1'), assistant('apple two', 'c1'), []);
      await turns.addResult(toTurnId('t1'), toolResult('c1', { text: 'apple in a file' }));
      await turns.end(toTurnId('t1'), { message: assistant('apple three'), deliveries: [] });
      expect(await find('apple')).toEqual(['apple three', 'apple two', 'apple one']);
      const [first, ...rest] = await archive.search('apple', { scope: everybody, limit: 1 });
      expect(first).toStrictEqual({
        position: 4,
        excerpt: 'apple three',
        session: 's1',
        key: 'key',
        turn: 't1',
        role: 'assistant',
        text: 'apple three',
        at: 0,
      });
      expect(rest).toEqual([]);
    });

    test('within a person’s own sessions and the one that asks', async () => {
      const { sessions } = harness.stores;
      await sessions.begin(aSession('s1', 'key', { person: ada }));
      await sessions.begin(aSession('s2', 'other', { person: ben }));
      await sessions.begin(aSession('s3', 'shared'));
      for (const session of ['s1', 's2', 's3'])
        await exchange(harness.stores, `t-${session}`, { session, question: `apple ${session}` });
      expect(await find('apple', own('s9'))).toEqual(['apple s1']);
      expect(await find('apple', own('s3'))).toEqual(['apple s3', 'apple s1']);
      expect(await find('apple', ofKey('shared'))).toEqual(['apple s3']);
      expect(await find('apple', ofKey('none'))).toEqual([]);
      expect(await find('apple')).toEqual(['apple s3', 'apple s2', 'apple s1']);
    });

    test('shows what stands around the first hit, in any script', async () => {
      await harness.stores.sessions.begin(aSession('s1'));
      const long = (words: string) => `${'lorem ipsum '.repeat(60)}${words} ${'dolor sit '.repeat(60)}`;
      await exchange(harness.stores, 't1', { question: long('在北京开会'), answer: long('Crème brûlée 🙂') });
      const excerpt = async (query: string) =>
        (await harness.stores.archive.search(query, { scope: everybody, limit: 1 }))[0]?.excerpt ?? '';
      expect(await excerpt('北京')).toMatch(/^….*在北京开会.*…$/u);
      expect(await excerpt('creme')).toMatch(/^….*Crème brûlée.*…$/u);
      expect((await excerpt('creme')).length).toBeLessThan(250);
    });

    test('goes on from a hit to what was said before and after it, within the same scope', async () => {
      const { sessions, turns, archive } = harness.stores;
      await sessions.begin(aSession('s1', 'key', { person: ada }));
      await sessions.begin(aSession('s2', 'other', { person: ben }));
      harness.setNow(5);
      await turns.begin(aTurn('t1'), { entries: [], messages: [user('one')] });
      await exchange(harness.stores, 't2', { session: 's2', question: 'other' });
      await turns.addStep(toTurnId('t1'), assistant('two', 'c1'), []);
      await turns.addResult(toTurnId('t1'), toolResult('c1'));
      await turns.end(toTurnId('t1'), { message: assistant('three'), deliveries: [] });
      const [hit] = await archive.search('two', { scope: everybody, limit: 1 });
      const position = hit?.position ?? 0;
      const around = (scope: SessionScope, before: number, after: number) =>
        archive.around(position, { scope, before, after });
      expect(await around(everybody, 1, 1)).toStrictEqual({
        session: 's1',
        key: 'key',
        messages: [
          { message: user('one'), at: 5, turn: 't1', position: position - 3 },
          { message: assistant('two', 'c1'), at: 5, turn: 't1', position },
          { message: toolResult('c1'), at: 5, turn: 't1', position: position + 1 },
        ],
      });
      expect((await around(own('s9'), 9, 9))?.messages).toHaveLength(4);
      expect((await around(ofKey('key'), 0, 0))?.messages).toHaveLength(1);
      expect(await around(ofKey('other'), 9, 9)).toBeUndefined();
      expect(await around({ type: 'own', person: ben, session: toSessionId('s2') }, 9, 9)).toBeUndefined();
      expect(await archive.around(99, { scope: everybody, before: 1, after: 1 })).toBeUndefined();
    });
  });
};
