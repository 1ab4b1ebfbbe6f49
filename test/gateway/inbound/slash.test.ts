import { expect, test } from 'vitest';
import { parseSlash } from '../../../src/gateway/inbound/slash.js';

test.each([
  ['/stop', { name: 'stop', args: '' }],
  ['  /New  ', { name: 'new', args: '' }],
  ['/status all of\nit', { name: 'status', args: 'all of\nit' }],
  ['/etc/passwd is readable', undefined],
  ['/ stop', undefined],
  ['stop /stop', undefined],
  ['//stop', undefined],
  ['/1st', undefined],
  ['', undefined],
])('reads %j', (text, command) => {
  expect(parseSlash(text)).toEqual(command);
});
