import { describe, expect, test } from 'vitest';
import { StoreError } from '../../../src/core/errors.js';
import { type Connection, openConnection } from '../../../src/store/sqlite/driver.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

const nextTurnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const withTable = (use: (connection: Connection) => void): void => {
  const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  connection.exec('CREATE TABLE t (x TEXT UNIQUE) STRICT');
  try {
    use(connection);
  } finally {
    connection.close();
  }
};

describe('a transaction', () => {
  test('keeps all of its work', () => {
    withTable((connection) => {
      const insert = connection.prepare('INSERT INTO t VALUES (?)');
      const result = connection.transaction(() => [insert.run('a'), insert.run('b')]);
      expect(result).toEqual([1, 1]);
      expect(connection.prepare('SELECT x FROM t').all()).toHaveLength(2);
    });
  });

  test('that throws keeps nothing, gives the error and can be followed by another', () => {
    withTable((connection) => {
      const insert = connection.prepare('INSERT INTO t VALUES (?)');
      const mistake = new Error('mistake');
      expect(() =>
        connection.transaction(() => {
          insert.run('a');
          throw mistake;
        }),
      ).toThrow(mistake);
      connection.transaction(() => insert.run('b'));
      expect(
        connection
          .prepare('SELECT x FROM t')
          .all()
          .map((row) => row['x']),
      ).toEqual(['b']);
    });
  });
});

describe('queued works', () => {
  const opened = (): Connection => {
    const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
    connection.exec('CREATE TABLE t (x TEXT UNIQUE) STRICT');
    return connection;
  };
  const rows = (connection: Connection): readonly unknown[] =>
    connection
      .prepare('SELECT x FROM t ORDER BY x')
      .all()
      .map(({ x }) => x);

  test('of one tick are all kept, in order, and each gets its own result', async () => {
    const connection = opened();
    const insert = connection.prepare('INSERT INTO t VALUES (?)');
    const results = await Promise.all(
      ['a', 'b', 'c'].map((x) => connection.queue(() => `${x}${insert.run(x)}`)),
    );
    expect(results).toEqual(['a1', 'b1', 'c1']);
    expect(rows(connection)).toEqual(['a', 'b', 'c']);
    connection.close();
  });

  test('fail alone: the others are kept, and nothing of the one that failed is', async () => {
    const connection = opened();
    const insert = connection.prepare('INSERT INTO t VALUES (?)');
    const mistake = new Error('mistake');
    const results = await Promise.allSettled([
      connection.queue(() => insert.run('a')),
      connection.queue(() => {
        insert.run('b');
        throw mistake;
      }),
      connection.queue(() => insert.run('c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rows(connection)).toEqual(['a', 'c']);
    connection.close();
  });

  test('come in groups, so that many of them do not keep everything else waiting', async () => {
    const connection = opened();
    const insert = connection.prepare('INSERT INTO t VALUES (?)');
    const count = 1_000;
    let turnsOfLoop = 0;
    const works = Array.from({ length: count }, (_, index) =>
      connection.queue(() => {
        insert.run(`x${index}`);
        return turnsOfLoop;
      }),
    );
    const counting = (async () => {
      for (; turnsOfLoop < count; turnsOfLoop += 1) await nextTurnOfLoop();
    })();
    const seen = await Promise.all(works);
    await counting;
    expect(rows(connection)).toHaveLength(count);
    expect(new Set(seen).size).toBeGreaterThan(10);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    connection.close();
  });

  test('that wait when the connection closes are carried out first', async () => {
    const connection = opened();
    const insert = connection.prepare('INSERT INTO t VALUES (?)');
    const written = connection.queue(() => insert.run('a'));
    connection.close();
    expect(await written).toBe(1);
  });

  test('are all carried out then, however many', async () => {
    const connection = opened();
    const insert = connection.prepare('INSERT INTO t VALUES (?)');
    const written = Array.from({ length: 100 }, (_, index) => connection.queue(() => insert.run(`${index}`)));
    connection.close();
    expect(await Promise.all(written)).toHaveLength(100);
  });
});

describe('a statement', () => {
  test('is reported in our words when it fails', () => {
    withTable((connection) => {
      const insert = connection.prepare('INSERT INTO t VALUES (?)');
      insert.run('a');
      expect(() => insert.run('a')).toThrow(StoreError);
      expect(() => connection.prepare('SELECT nonsense')).toThrow(StoreError);
      expect(() => connection.exec('nonsense')).toThrow(StoreError);
    });
  });

  test('binds text without U+0000', () => {
    withTable((connection) => {
      connection.prepare('INSERT INTO t VALUES (?)').run('a\u0000b');
      expect(connection.prepare('SELECT x FROM t WHERE x = ?').get('ab\u0000')?.['x']).toBe('ab');
    });
  });
});
