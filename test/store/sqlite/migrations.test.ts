import { expect, test } from 'vitest';
import { type Connection, openConnection } from '../../../src/store/sqlite/driver.js';
import { migrate } from '../../../src/store/sqlite/migrations.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();
const one = 'CREATE TABLE a (x TEXT) STRICT';
const two = 'ALTER TABLE a ADD COLUMN y TEXT';

const withConnection = (use: (connection: Connection) => void): void => {
  const connection = openConnection(home.file('state.db'), { busyTimeoutMs: 0 });
  try {
    use(connection);
  } finally {
    connection.close();
  }
};

test('an empty database takes every step', () => {
  withConnection((connection) => {
    expect(migrate(connection, [one, two])).toEqual({ from: 0, to: 2 });
    connection.exec("INSERT INTO a (x, y) VALUES ('1', '2')");
  });
});

test('a database takes only the steps it has not seen, and keeps its rows', () => {
  withConnection((connection) => {
    migrate(connection, [one]);
    connection.exec("INSERT INTO a (x) VALUES ('kept')");
  });
  withConnection((connection) => {
    expect(migrate(connection, [one, two])).toEqual({ from: 1, to: 2 });
    expect(migrate(connection, [one, two])).toEqual({ from: 2, to: 2 });
    expect({ ...connection.prepare('SELECT x, y FROM a').get() }).toEqual({ x: 'kept', y: null });
  });
});

test('a step may be code, in the same transaction', () => {
  withConnection((connection) => {
    const fill = (open: Connection): void => open.exec("INSERT INTO a (x) VALUES ('filled')");
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => migrate(connection, [one, fill, fail])).toThrow('no');
    expect({ ...connection.prepare('SELECT x FROM a').get() }).toEqual({ x: 'filled' });
    expect(migrate(connection, [one, fill])).toEqual({ from: 2, to: 2 });
  });
});

test('a step that fails leaves the database at the step before', () => {
  withConnection((connection) => {
    expect(() => migrate(connection, [one, `${two}; SELECT nonsense`])).toThrow(/nonsense/);
    expect(connection.prepare('SELECT * FROM a').all()).toEqual([]);
    expect(() => connection.prepare('SELECT y FROM a')).toThrow(/y/);
    expect(migrate(connection, [one, two])).toEqual({ from: 1, to: 2 });
  });
});

test('a newer schema is refused, saying what to do', () => {
  withConnection((connection) => {
    migrate(connection, [one, two]);
    expect(() => migrate(connection, [one])).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        code: 'failed',
        retry: { kind: 'never' },
        message: expect.stringMatching(/newer hermes-gateway \(schema 2, this version knows 1\)\. Install/),
      }),
    );
  });
});
