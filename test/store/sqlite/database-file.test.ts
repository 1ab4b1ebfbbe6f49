/** What the database is as a file, and what happens when it is not as we left it. */
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toDeliveryId, toSessionId, toSessionKey, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { Stores } from '../../../src/core/stores.js';
import { openConnection } from '../../../src/store/sqlite/driver.js';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import {
  aDelivery,
  anEntry,
  aSession,
  assistant,
  aTurn,
  toolResult,
  unfinishedInbox,
  unfinishedOutbox,
  user,
  withRunningTurn,
} from '../../contracts/store/records.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();
const { logger, lines } = createLogRecorder();
const open = (): Promise<Stores> => openSqliteStores({ file: home.file('state.db'), now: () => 0, logger });

/** Changes the closed database behind the stores' back. */
const tamper = (sql: string): void => {
  const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  connection.exec(sql);
  connection.close();
};

/** Stores with what `fill` puts in and `sql` breaks. */
const damaged = async (fill: (stores: Stores) => Promise<unknown>, sql: string): Promise<Stores> => {
  const stores = await open();
  await fill(stores);
  await stores.close();
  tamper(sql);
  return open();
};

describe('database file', () => {
  test('and the files beside it are for their owner only', async () => {
    const stores = await open();
    await stores.inbox.accept([anEntry('a')]);
    const names = readdirSync(home.path).sort();
    expect(names).toEqual(['state.db', 'state.db-shm', 'state.db-wal']);
    expect(names.map((name) => statSync(home.file(name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    await stores.close();
  });

  test('that others may read is closed to them', async () => {
    await (await open()).close();
    chmodSync(home.file('state.db'), 0o644);
    await (await open()).close();
    expect(statSync(home.file('state.db')).mode & 0o777).toBe(0o600);
  });

  test('holds everything by itself once closed, and closing twice does no harm', async () => {
    const stores = await open();
    await stores.inbox.accept([anEntry('a')]);
    await stores.close();
    await stores.close();
    copyFileSync(home.file('state.db'), home.file('copy.db'));
    const copy = await openSqliteStores({ file: home.file('copy.db'), now: () => 0, logger });
    expect(await unfinishedInbox(copy)).toEqual(['a']);
    await copy.close();
  });

  test('that is closed refuses calls', async () => {
    const stores = await open();
    await stores.close();
    await expect(stores.inbox.accept([anEntry('a')])).rejects.toMatchObject({
      name: 'StoreError',
      code: 'failed',
    });
  });

  test('of another program is refused and left untouched', async () => {
    tamper('CREATE TABLE notes (x)');
    const before = readFileSync(home.file('state.db'));
    await expect(open()).rejects.toMatchObject({
      code: 'foreign',
      retry: { kind: 'never' },
      message: expect.stringMatching(/state\.db belongs to another program.*HERMES_HOME/),
    });
    expect(readFileSync(home.file('state.db')).equals(before)).toBe(true);
    expect(readdirSync(home.path)).toEqual(['state.db']);
  });

  test('of a newer version is refused', async () => {
    await (await open()).close();
    tamper('PRAGMA user_version = 99');
    await expect(open()).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringMatching(/state\.db was written by a newer hermes-gateway/),
    });
  });

  test('in a folder that does not exist is an error that names it', async () => {
    const file = home.file('gone/state.db');
    await expect(openSqliteStores({ file, now: () => 0, logger })).rejects.toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining(file),
    });
  });

  test('is read by another connection while it is open', async () => {
    const stores = await open();
    await stores.inbox.accept([anEntry('a')]);
    const other = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
    expect(other.prepare('SELECT count(*) AS count FROM inbox').get()?.['count']).toBe(1);
    other.close();
    await stores.inbox.accept([anEntry('b')]);
    expect(await unfinishedInbox(stores)).toEqual(['a', 'b']);
    await stores.close();
  });
});

describe('a damaged row', () => {
  test.each([
    [
      'inbox',
      'UPDATE inbox SET event = \'{"type":"message"}\' WHERE id = \'bad\'',
      (stores: Stores) => stores.inbox.accept([anEntry('bad'), anEntry('good')]),
      unfinishedInbox,
    ],
    [
      'outbox',
      "UPDATE outbox SET content = 'private words, not JSON' WHERE id = 'bad'",
      (stores: Stores) => stores.outbox.enqueue([aDelivery('bad'), aDelivery('good')]),
      unfinishedOutbox,
    ],
    [
      'turns',
      "UPDATE turns SET caller = '{}' WHERE id = 'bad'",
      async (stores: Stores) => {
        await stores.sessions.begin(aSession('s1'));
        await stores.turns.begin(aTurn('bad'), { entries: [], messages: [] });
        await stores.turns.begin(aTurn('good'), { entries: [], messages: [] });
      },
      async (stores: Stores) => (await stores.turns.interrupted()).map(({ id }) => id),
    ],
  ] as const)('of %s is left out and logged with its table and id', async (table, sql, fill, read) => {
    const stores = await damaged(fill, sql);
    const logged = lines.length;
    expect(await read(stores)).toEqual(['good']);
    expect(lines.slice(logged)).toMatchObject([
      {
        level: 'error',
        message: 'stored row is damaged and was left out',
        fields: { table, id: 'bad', error: { name: 'StoreError', code: 'corrupt' } },
      },
    ]);
    expect(String(lines.at(-1)?.fields['error'])).not.toContain('private words');
    await stores.close();
  });

  test('of messages is left out of the history', async () => {
    const stores = await damaged(
      (fresh) =>
        withRunningTurn(fresh).then(() => fresh.turns.addStep(toTurnId('t1'), assistant('x', 'c1'), [])),
      "UPDATE messages SET detail = '[' WHERE role = 'assistant'",
    );
    expect(await stores.sessions.messages(toSessionId('s1'), 10)).toEqual([user('question')]);
    await stores.close();
  });

  test("of messages stops the question for a turn's open calls, since one of them may have begun", async () => {
    const stores = await damaged(
      (fresh) =>
        withRunningTurn(fresh).then(() => fresh.turns.addStep(toTurnId('t1'), assistant('x', 'c1'), [])),
      "UPDATE messages SET detail = '[' WHERE role = 'assistant'",
    );
    await expect(stores.turns.openCalls(toTurnId('t1'))).rejects.toMatchObject({ code: 'corrupt' });
    await stores.close();
  });

  test.each([
    [
      'begun_calls',
      "UPDATE begun_calls SET category = 'nonsense'",
      async (stores: Stores) => {
        await withRunningTurn(stores);
        await stores.turns.callBegun(toTurnId('t1'), toToolCallId('c1'), 'write');
        await stores.turns.addResult(toTurnId('t1'), toolResult('c2'));
      },
      (stores: Stores): Promise<unknown> => stores.turns.openCalls(toTurnId('t1')),
    ],
    [
      'outbox',
      "UPDATE outbox SET state = 'lost'",
      (stores: Stores) => stores.outbox.enqueue([aDelivery('d1')]),
      (stores: Stores): Promise<unknown> => stores.outbox.find(toDeliveryId('d1')),
    ],
    [
      'todos',
      "UPDATE todos SET items = '{}'",
      (stores: Stores) => stores.todos.save(toSessionId('s1'), []),
      (stores: Stores): Promise<unknown> => stores.todos.load(toSessionId('s1')),
    ],
  ] as const)(
    'of %s that was asked for by name is an error that names it',
    async (table, sql, fill, read) => {
      const stores = await damaged(fill, sql);
      await expect(read(stores)).rejects.toMatchObject({
        name: 'StoreError',
        code: 'corrupt',
        retry: { kind: 'never' },
        message: expect.stringMatching(new RegExp(`^Row .* of table ${table} is damaged`)),
      });
      await stores.close();
    },
  );

  test('leaves its neighbours alone', async () => {
    const stores = await damaged(
      (fresh) => fresh.todos.save(toSessionId('s1'), []),
      "UPDATE todos SET items = '{}'",
    );
    await stores.todos.save(toSessionId('s2'), [{ id: '1', content: 'x', status: 'pending' }]);
    expect(await stores.todos.load(toSessionId('s2'))).toHaveLength(1);
    expect(await stores.sessions.current(toSessionKey('key'))).toBeUndefined();
    await stores.close();
  });
});
