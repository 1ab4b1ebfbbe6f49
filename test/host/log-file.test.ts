import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile } from '../../src/host/log-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-log-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const refuse = (error: unknown): never => {
  throw error;
};

test('a line is in the file when the call returns, and only the owner reads it', () => {
  const path = join(folder, 'gateway.log');
  const file = createLogFile(path, { onTrouble: refuse });
  expect(existsSync(path)).toBe(false);
  file.write('one\n');
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file.write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  file.close();
});

test('a later life goes on where the last one ended', () => {
  const path = join(folder, 'gateway.log');
  for (const line of ['one\n', 'two\n']) {
    const file = createLogFile(path, { onTrouble: refuse });
    file.write(line);
    file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test('a full file becomes an old one, and the oldest goes', () => {
  const path = join(folder, 'gateway.log');
  const file = createLogFile(path, { maxBytes: 8, onTrouble: refuse });
  for (const line of ['one1\n', 'two2\n', 'three3\n', 'four4\n']) file.write(line);
  file.close();
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  expect([read('gateway.log'), read('gateway.log.1'), read('gateway.log.2')]).toEqual([
    'four4\n',
    'three3\n',
    'two2\n',
  ]);
  expect(existsSync(`${path}.3`)).toBe(false);
});

test('a line larger than the limit is written whole', () => {
  const path = join(folder, 'gateway.log');
  const file = createLogFile(path, { maxBytes: 4, onTrouble: refuse });
  file.write('far too long\n');
  file.close();
  expect(readFileSync(path, 'utf8')).toBe('far too long\n');
});

test('trouble is told once, and writing goes on when it is over', () => {
  const path = join(folder, 'later', 'gateway.log');
  const troubles: unknown[] = [];
  const file = createLogFile(path, { onTrouble: (error) => troubles.push(error) });
  file.write('lost\n');
  file.write('lost too\n');
  expect(troubles).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  mkdirSync(join(folder, 'later'));
  file.write('kept\n');
  file.close();
  expect(readFileSync(path, 'utf8')).toBe('kept\n');
});
