import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLine } from '../../src/cli/read-line.js';

test.each([
  ['yes\nno\n', 'yes'],
  ['yes', 'yes'],
  ['', ''],
])('of %j reads %j', async (given, line) => {
  expect(await readLine(Readable.from([given]))).toBe(line);
});

test('does not wait for the end of the input', async () => {
  const input = new PassThrough();
  const line = readLine(input);
  input.write('y');
  input.write('es\r\n');
  expect(await line).toBe('yes');
});
