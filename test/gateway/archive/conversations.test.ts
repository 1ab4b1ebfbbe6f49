import { beforeEach, describe, expect, test } from 'vitest';
import { createShownLog } from '../../../src/adapters/web/index.js';
import {
  toChatId,
  toDeliveryId,
  toPlatformId,
  toSessionId,
  toSessionKey,
  toTurnId,
} from '../../../src/core/ids.js';
import type { PageMedia } from '../../../src/core/page-log.js';
import type { Stores } from '../../../src/core/stores.js';
import { createConversations } from '../../../src/gateway/archive/conversations.js';
import { createForget } from '../../../src/gateway/archive/forget.js';
import { Preferences } from '../../../src/gateway/preferences.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import {
  aDelivery,
  anEntry,
  aPageEvent,
  aSession,
  assistant,
  aTurn,
  toolResult,
  user,
} from '../../contracts/store/records.js';
import { anOrigin } from '../../fakes/builders.js';

const digits = (digit: string): string => digit.repeat(32);
const picture = `cat_${digits('a')}.png`;
const shared = `dog_${digits('b')}.png`;
const spilled = 'trn_1-c1-look.txt';

let stores: Stores;
let now = 0;
let busy: string[] = [];
let forgotten: string[] = [];
let preferences: Preferences;

const persist = <T>(write: () => Promise<T>): Promise<T> => write();

const conversations = () => {
  const isBusy = (key: string): boolean => busy.includes(key);
  const media = { forget: async (ids: readonly string[]) => void forgotten.push(...ids) };
  const shown = createShownLog(stores.pageLog);
  const forget = createForget({ stores, persist, media, shown, preferences, isBusy });
  return createConversations({
    archive: stores.archive,
    persist,
    forget,
    timezone: 'UTC',
    chats: () => [],
    isBusy,
  });
};

const begin = (id: string, key: string) => stores.sessions.begin(aSession(id, key, { createdAt: now }));

const exchange = async (session: string, turn: string, question: string, answer = 'noted'): Promise<void> => {
  now += 10;
  await stores.turns.begin(aTurn(turn, { session: toSessionId(session) }), {
    entries: [],
    messages: [user(question)],
  });
  now += 10;
  await stores.turns.end(toTurnId(turn), { message: assistant(answer), deliveries: [] });
};

const show = (message: string, role: 'user' | 'assistant', media: readonly PageMedia[] = []) =>
  stores.pageLog.append(aPageEvent(message, { session: 'main', role, at: now, media }));

beforeEach(() => {
  now = 0;
  busy = [];
  forgotten = [];
  stores = createMemoryStores({ now: () => now });
  preferences = new Preferences({ store: stores.preferences, persist });
});

describe('finding a conversation', () => {
  const find = async (name: string) => {
    const finding = await conversations().find(name);
    if (finding.type === 'many') return finding.candidates.map(({ id }) => id);
    return finding.type === 'one' ? finding.session.id : 'none';
  };

  test('goes by id, then place, then the beginning of either or of the title', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_12', 'agent:main:matrix:direct:43');
    await begin('ses_13', 'agent:main:matrix:direct:43');
    await exchange('ses_12', 'trn_1', 'Bread and butter');
    expect(await find('ses_1')).toBe('ses_1');
    expect(await find(' MATRIX:42 ')).toBe('ses_1');
    expect(await find('matrix:43')).toEqual(['ses_12', 'ses_13']);
    expect(await find('bread')).toBe('ses_12');
    expect(await find('ses_')).toEqual(['ses_12', 'ses_13', 'ses_1']);
    expect(await find('wine')).toBe('none');
    expect(await find(' ')).toBe('none');
  });

  test('says which of them is being worked on', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_2', 'agent:main:matrix:direct:42');
    busy = ['agent:main:matrix:direct:42'];
    const listed = await conversations().list({ limit: 9 });
    expect(listed.map(({ id, isRunning }) => [id, isRunning])).toEqual([
      ['ses_2', true],
      ['ses_1', false],
    ]);
  });
});

describe('deleting a conversation', () => {
  const remove = (id: string) => conversations().delete(toSessionId(id));

  test('is refused while it is being worked on, and for one that is not there', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    busy = ['agent:main:matrix:direct:42'];
    expect(await remove('ses_1')).toBe('running');
    busy = [];
    await stores.turns.begin(aTurn('trn_1', { session: toSessionId('ses_1') }), {
      entries: [],
      messages: [],
    });
    expect(await remove('ses_1')).toBe('running');
    await stores.turns.end(toTurnId('trn_1'), { deliveries: [] });
    expect(await remove('ses_1')).toBe('deleted');
    expect(await remove('ses_1')).toBe('unknown');
  });

  test('an earlier one goes while the present one works', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_2', 'agent:main:matrix:direct:42');
    busy = ['agent:main:matrix:direct:42'];
    expect(await remove('ses_1')).toBe('deleted');
    expect(await remove('ses_2')).toBe('running');
  });

  test('takes the files along that nothing else names', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_2', 'agent:main:matrix:direct:43');
    await stores.turns.begin(aTurn('trn_1', { session: toSessionId('ses_1') }), {
      entries: [],
      messages: [user(`[image saved at /home/cache/images/${picture}] and ${shared}`)],
    });
    await stores.turns.addStep(toTurnId('trn_1'), assistant('', 'c1'), []);
    const result = `All of it is in /home/cache/documents/${spilled}. Not trn_2-c1-look.txt.`;
    await stores.turns.addResult(toTurnId('trn_1'), toolResult('c1', { text: result }));
    await stores.turns.end(toTurnId('trn_1'), { deliveries: [] });
    await exchange('ses_2', 'trn_2', `look at ${shared}`);
    await remove('ses_1');
    expect(forgotten.sort()).toEqual([picture, spilled].sort());
    await remove('ses_2');
    expect(forgotten).toContain(shared);
  });

  test('takes the sent answers of its turns along', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_2', 'agent:main:matrix:direct:43');
    await exchange('ses_1', 'trn_1', 'one');
    await exchange('ses_2', 'trn_2', 'two');
    for (const turn of ['trn_1', 'trn_2']) {
      await stores.outbox.enqueue([aDelivery(turn, { idempotencyKey: `${turn}/final/0` })]);
      await stores.outbox.fail(toDeliveryId(turn), 'refused');
    }
    await remove('ses_1');
    expect(await stores.outbox.find(toDeliveryId('trn_1'))).toBeUndefined();
    expect(await stores.outbox.find(toDeliveryId('trn_2'))).toBeDefined();
  });

  test('leaves a file that a message on its way in names', async () => {
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await exchange('ses_1', 'trn_1', picture);
    const entry = anEntry('e1');
    const parts = [{ type: 'text', text: `see ${picture}` }] as const;
    await stores.inbox.accept([
      { ...entry, ...(entry.event?.type === 'message' && { event: { ...entry.event, parts } }) },
    ]);
    await remove('ses_1');
    expect(forgotten).toEqual([]);
  });

  test('takes what was chosen for it along, but not what other conversations share', async () => {
    const direct = anOrigin({ platform: 'matrix', chat: '42' });
    const group = anOrigin({ platform: 'matrix', chat: 'g', chatKind: 'group' });
    await begin('ses_1', 'agent:main:matrix:direct:42');
    await begin('ses_2', 'agent:main:matrix:direct:42');
    await begin('ses_3', 'agent:main:matrix:group:g:user:1');
    const key = toSessionKey('agent:main:matrix:direct:42');
    await preferences.setModel(key, 'big');
    await preferences.setBusy(direct, 'queue');
    await preferences.setBusy(group, 'queue');
    await preferences.setHome(direct);
    await remove('ses_1');
    expect(preferences.busy(direct)).toBe('queue');
    await remove('ses_2');
    await remove('ses_3');
    expect([preferences.busy(direct), preferences.busy(group)]).toEqual([undefined, 'queue']);
    expect(preferences.home('matrix')).toEqual({ chat: '42' });
    expect([...(await stores.preferences.all()).keys()].some((name) => name.includes('direct:42'))).toBe(
      false,
    );
  });
});

describe('what a page shows of a conversation', () => {
  const key = 'agent:main:web:direct:main';
  const left = async () => (await stores.pageLog.since('main', 0)).map(({ message }) => message);
  const file = { id: picture, name: 'cat.png', type: 'image/png' };

  test('goes with it, its files too, while that of its neighbours stays', async () => {
    for (const [index, session] of ['ses_1', 'ses_2'].entries()) {
      await begin(session, key);
      now += 1;
      await show(`q${index}`, 'user', index === 0 ? [file] : []);
      await exchange(session, `trn_${index}`, 'question');
      now += 1;
      await show(`a${index}`, 'assistant');
    }
    // Gone back to the first one.
    await show('q2', 'user');
    await exchange('ses_1', 'trn_2', 'question');
    await show('a2', 'assistant');
    await conversations().delete(toSessionId('ses_1'));
    expect(await left()).toEqual(['q1', 'a1']);
    expect(forgotten).toEqual([picture]);
    await conversations().delete(toSessionId('ses_2'));
    expect(await left()).toEqual([]);
  });

  test('goes with all conversations of the chat, also where none was begun', async () => {
    await begin('ses_1', key);
    await begin('ses_2', key);
    await show('q0', 'user', [file]);
    const place = { platform: toPlatformId('web'), chat: toChatId('main') };
    busy = [key];
    expect(await conversations().deleteChat(place)).toEqual({ deleted: 1, running: 1 });
    expect(await left()).toEqual(['q0']);
    busy = [];
    expect(await conversations().deleteChat(place)).toEqual({ deleted: 1, running: 0 });
    expect(await left()).toEqual([]);
    expect(forgotten).toEqual([picture]);
    await show('q1', 'user');
    expect(await conversations().deleteChat(place)).toEqual({ deleted: 0, running: 0 });
    expect(await left()).toEqual([]);
  });
});
