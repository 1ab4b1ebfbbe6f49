import { beforeEach, describe, expect, test } from 'vitest';
import type { KnownChat } from '../../../src/core/directory.js';
import {
  toAccountId,
  toChatId,
  toPlatformId,
  toSessionId,
  toTurnId,
  toUserId,
} from '../../../src/core/ids.js';
import type { Origin } from '../../../src/core/route.js';
import type { Stores } from '../../../src/core/stores.js';
import { createRecall } from '../../../src/gateway/archive/recall.js';
import { sessionKeyOf } from '../../../src/gateway/inbound/session-key.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { assistant, aTurn, user } from '../../contracts/store/records.js';
import { anOrigin } from '../../fakes/builders.js';

const policy = { groupPerUser: true, threadPerUser: false };
const adaDirect = anOrigin({ chat: 'ada' });
const benDirect = anOrigin({ chat: 'ben' });
const group = anOrigin({ chat: 'g1', chatKind: 'group' });
const room = anOrigin({ chat: 'g2', chatKind: 'group', thread: '7' });

const known: readonly KnownChat[] = [
  {
    platform: toPlatformId('fake'),
    account: toAccountId('bot'),
    chat: toChatId('g1'),
    kind: 'group',
    title: 'General',
    seenAt: 0,
  },
];

let stores: Stores;
let now = 0;

/** A session in which `apple` is talked of. */
const converse = async (session: string, origin: Origin, who: string): Promise<void> => {
  const isShared = origin.thread !== undefined;
  const person = { platform: origin.platform, user: toUserId(who) };
  const key = sessionKeyOf(origin, person.user, policy);
  const record = { id: toSessionId(session), key, system: '', createdAt: 0 };
  await stores.sessions.begin(isShared ? record : { ...record, person });
  await exchange(session, `apple of ${session}`);
};

const exchange = async (session: string, question: string, isOver = true): Promise<void> => {
  now += 60_000;
  const turn = toTurnId(`t${now}`);
  await stores.turns.begin(aTurn(turn, { session: toSessionId(session) }), {
    entries: [],
    messages: [user(question)],
  });
  if (isOver) await stores.turns.end(turn, { message: assistant('noted'), deliveries: [] });
};

const recall = () =>
  createRecall({
    archive: stores.archive,
    persist: (write) => write(),
    timezone: 'Asia/Kathmandu',
    chats: () => known,
  });

const asker = (session: string, origin: Origin, who: string, isOwner = false) => ({
  caller: { origin, user: toUserId(who), isOwner },
  session: toSessionId(session),
  turn: toTurnId(`t${now}`),
});

const search = async (from: ReturnType<typeof asker>, scope?: 'all' | 'own') => {
  const answer = await recall().search({ query: 'apple', limit: 9, ...(scope && { scope }) }, from);
  return answer.ok ? [answer.reach, ...answer.found.map(({ session }) => session)] : answer.problem;
};

beforeEach(async () => {
  now = 0;
  stores = createMemoryStores({ now: () => now });
  await converse('s-ada', adaDirect, 'ada');
  await converse('s-ada-group', group, 'ada');
  await converse('s-ben', benDirect, 'ben');
  await converse('s-ben-group', group, 'ben');
  await converse('s-room', room, 'ada');
  now += 1;
});

describe('what may be looked at', () => {
  test('by an owner in a private chat: everything, or on request only their own', async () => {
    const owner = asker('s-ada', adaDirect, 'ada', true);
    const all = ['all', 's-room', 's-ben-group', 's-ben', 's-ada-group', 's-ada'];
    expect(await search(owner)).toEqual(all);
    expect(await search(owner, 'all')).toEqual(all);
    expect(await search(owner, 'own')).toEqual(['own', 's-ada-group', 's-ada']);
  });

  test('by anybody else in a private chat: their own conversations', async () => {
    expect(await search(asker('s-ben', benDirect, 'ben'))).toEqual(['own', 's-ben-group', 's-ben']);
    expect(await search(asker('s-ben', benDirect, 'ben'), 'all')).toContain('only shown to an owner');
  });

  test('in a group by nobody anything from elsewhere, not even their own private words', async () => {
    expect(await search(asker('s-ada-group', group, 'ada'))).toEqual(['here', 's-ada-group']);
    expect(await search(asker('s-ada-group', group, 'ada', true))).toEqual(['here', 's-ada-group']);
    expect(await search(asker('s-room', room, 'ben'))).toEqual(['here', 's-room']);
    expect(await search(asker('s-ada-group', group, 'ada', true), 'all')).toContain('only in a private chat');
    expect(await search(asker('s-gone', group, 'ada'))).toContain('not kept');
  });

  test('is the same for passages and lists', async () => {
    const ben = asker('s-ben', benDirect, 'ben');
    const request = { message: 1, before: 1, after: 1 };
    expect(await recall().around(request, ben)).toEqual({ ok: true, reach: 'own', found: [] });
    expect(await recall().around(request, asker('s-ada', adaDirect, 'ada'))).toMatchObject({
      found: [
        { id: 1, text: 'apple of s-ada' },
        { id: 2, text: 'noted' },
      ],
    });
    expect(await recall().recent({ limit: 9 }, ben)).toMatchObject({
      found: [{ session: 's-ben-group' }, { session: 's-ben', isThisConversation: true }],
    });
  });
});

test('a finding says where and when it was, on the configured clocks', async () => {
  const answer = await recall().search(
    { query: 'apple ada group', limit: 9 },
    asker('s-ada', adaDirect, 'ada'),
  );
  expect(answer).toEqual({
    ok: true,
    reach: 'own',
    found: [
      {
        id: 3,
        session: 's-ada-group',
        place: 'fake:#General, user ada',
        time: '1970-01-01 05:32',
        role: 'user',
        text: 'apple of s-ada-group',
        isThisConversation: false,
      },
    ],
  });
});

test('the question that is being answered is not found', async () => {
  await exchange('s-ben', 'which apple did we talk of?', false);
  expect(await search(asker('s-ben', benDirect, 'ben'))).toEqual(['own', 's-ben-group', 's-ben']);
});
