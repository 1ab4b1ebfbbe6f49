import { expect, test } from 'vitest';
import { after, ProviderError } from '../../src/core/errors.js';
import { serialiseError } from '../../src/host/serialise-error.js';

test('tells what failed, its code and fate, and every cause', () => {
  const cause = Object.assign(new Error('connect failed', { cause: new TypeError('deep') }), {
    code: 'ECONNREFUSED',
    port: 9,
  });
  const error = new ProviderError({ code: 'unavailable', message: 'no answer', retry: after(5), cause });
  expect(serialiseError(error)).toMatchObject({
    type: 'ProviderError',
    origin: 'provider',
    code: 'unavailable',
    message: 'no answer',
    retry: { kind: 'after', delayMs: 5 },
    stack: expect.stringContaining('no answer'),
    cause: {
      type: 'Error',
      message: 'connect failed',
      code: 'ECONNREFUSED',
      port: 9,
      cause: { type: 'TypeError', message: 'deep' },
    },
  });
});

test('leaves out what an error carries besides, such as a whole request', () => {
  const error = Object.assign(new Error('x'), {
    request: { headers: { authorization: 'y' } },
    code: { a: 1 },
  });
  expect(Object.keys(serialiseError(error) as object)).toEqual(['type', 'message', 'stack']);
});

test('tells the parts of an aggregate', () => {
  expect(serialiseError(new AggregateError([new Error('one'), 'two']))).toMatchObject({
    errors: [{ message: 'one' }, 'two'],
  });
});

test('ends with a chain of causes that never ends', () => {
  const error = new Error('loop');
  error.cause = error;
  expect(JSON.stringify(serialiseError(error)).match(/"message":"loop"/g)).toHaveLength(7);
});

test.each([['text'], [42], [null], [undefined]])('gives back %s, which is no error', (value) => {
  expect(serialiseError(value)).toBe(value);
});
