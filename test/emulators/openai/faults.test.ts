import { APIConnectionError, APIError, AuthenticationError, RateLimitError } from 'openai';
import { describe, expect, it } from 'vitest';
import {
  badKey,
  contextTooLong,
  cutAfter,
  cutBeforeHead,
  deltas,
  emptyError,
  errorAfter,
  gate,
  hang,
  htmlError,
  httpError,
  modelNotFound,
  quota,
  rateLimited,
  rawBody,
  slowly,
  stopAfter,
  text,
} from './control.js';
import { ask, complete, failureOf, readStream, useEmulator } from './harness.js';

const newWorld = useEmulator();
const abc = deltas(['a', 'b', 'c']);

describe('HTTP errors', () => {
  it('carry status, code and every form of retry-after', async () => {
    const { client, control } = await newWorld();
    const date = new Date(Date.UTC(2031, 0, 2, 3, 4, 5));
    await control.respond(
      rateLimited({ retryAfter: 2 }),
      rateLimited({ retryAfterMs: 1500 }),
      rateLimited({ retryAfter: date }),
      quota(),
    );
    const failures = [];
    for (const _ of [1, 2, 3, 4]) failures.push(await failureOf(complete(client, ask('x'))));
    const errors = failures.filter((failure) => failure instanceof RateLimitError);
    expect(errors.map((error) => error.code)).toEqual([
      'rate_limit_exceeded',
      'rate_limit_exceeded',
      'rate_limit_exceeded',
      'insufficient_quota',
    ]);
    expect(errors[0]?.headers.get('retry-after')).toBe('2');
    expect(errors[1]?.headers.get('retry-after-ms')).toBe('1500');
    expect(errors[2]?.headers.get('retry-after')).toBe('Thu, 02 Jan 2031 03:04:05 GMT');
  });

  it('come for streamed requests too, with any body', async () => {
    const { client, control } = await newWorld();
    await control.respond(
      httpError(503),
      htmlError(502),
      emptyError(500),
      badKey(),
      contextTooLong(),
      modelNotFound('m'),
    );
    const errors = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) errors.push(await failureOf(readStream(client, ask('x'))));
    expect(
      errors.map((error) => (error instanceof APIError ? [error.status, error.code ?? null] : error)),
    ).toEqual([
      [503, null],
      [502, null],
      [500, null],
      [401, 'invalid_api_key'],
      [400, 'context_length_exceeded'],
      [404, 'model_not_found'],
    ]);
    expect(errors[3]).toBeInstanceOf(AuthenticationError);
  });

  it('can hide behind status 200', async () => {
    const { client } = await newWorld({ fallback: rawBody('{"choices":[]}') });
    expect((await complete(client, ask('x'))).choices).toEqual([]);
  });
});

describe('an ended stream', () => {
  it('carries an error event', async () => {
    const { client } = await newWorld({
      fallback: errorAfter(abc, 2, { message: 'overloaded', code: 'busy' }),
    });
    let seen = '';
    const failure = await failureOf(
      readStream(client, ask('x'), (chunk) => {
        seen += chunk.choices[0]?.delta.content ?? '';
      }),
    );
    expect(failure).toMatchObject({ error: { message: 'overloaded', code: 'busy', type: 'server_error' } });
    expect(seen).toBe('a');
  });

  it('stops in good order without a finish reason', async () => {
    const { client } = await newWorld({ fallback: stopAfter(abc, 3) });
    expect(await readStream(client, ask('x'))).toMatchObject({ text: 'ab', finishReason: null });
  });
});

describe('a cut connection', () => {
  it.each(['rst', 'fin'] as const)('ends by %s after the chunks before it', async (how) => {
    const { client, control } = await newWorld({ fallback: cutAfter(abc, 3, how) });
    let seen = '';
    const failure = await failureOf(
      readStream(client, ask('x'), (chunk) => {
        seen += chunk.choices[0]?.delta.content ?? '';
      }),
    );
    expect(failure).toBeInstanceOf(Error);
    expect(seen).toBe('ab');
    const { request } = await control.waitFor({ outcome: 'cut' });
    expect(request?.answer).toMatchObject({ outcome: 'cut', sentCount: 3 });
  });

  it.each(['rst', 'fin'] as const)('ends by %s before the status line', async (how) => {
    const { client } = await newWorld({ fallback: cutBeforeHead(how) });
    expect(await failureOf(readStream(client, ask('x')))).toBeInstanceOf(APIConnectionError);
  });

  it('leaves half a body behind when nothing is streamed', async () => {
    const { client, control } = await newWorld({ fallback: cutAfter(text('a'.repeat(2000)), 1, 'fin') });
    expect(await failureOf(complete(client, ask('x')))).toBeInstanceOf(Error);
    expect((await control.waitFor({ outcome: 'cut' })).request?.answer.sentCount).toBe(1);
  });
});

describe('a gate', () => {
  it('holds the whole answer back', async () => {
    const { client, control } = await newWorld({ fallback: hang('g', text('late')) });
    const answer = readStream(client, ask('x'));
    await control.waitFor({ gate: 'g' });
    expect((await control.requests())[0]?.answer).toMatchObject({
      waitingAt: 'g',
      sentCount: 0,
      outcome: 'open',
    });
    await control.release('g');
    expect((await answer).text).toBe('late');
  });

  it('lets a stream through chunk by chunk', async () => {
    const { client, control } = await newWorld({ fallback: slowly(abc) });
    const stream = await client.chat.completions.create({ ...ask('x'), stream: true });
    const iterator = stream[Symbol.asyncIterator]();
    await control.release('slow', 2);
    await iterator.next();
    expect((await iterator.next()).value.choices[0].delta.content).toBe('a');
    await control.waitFor({ gate: 'slow' });
    expect((await control.requests())[0]?.answer.sentCount).toBe(2);
    await control.openGate('slow');
    expect((await iterator.next()).value.choices[0].delta.content).toBe('b');
  });

  it('keeps permits for answers to come, and none for later ones', async () => {
    const { client, control } = await newWorld({ fallback: gate(text('ok'), 'g', 2) });
    await control.release('g');
    expect((await readStream(client, ask('first'))).text).toBe('ok');
    const second = readStream(client, ask('second'));
    const third = readStream(client, ask('third'));
    await control.waitFor({ gate: 'g', waiting: 2 });
    await control.release('g', 2);
    expect((await Promise.all([second, third])).map((answer) => answer.text)).toEqual(['ok', 'ok']);
  });

  it('notices that the client gave up', async () => {
    const { client, control } = await newWorld({ fallback: gate(abc, 'g', 2) });
    const stream = await client.chat.completions.create({ ...ask('x'), stream: true });
    await control.waitFor({ gate: 'g' });
    stream.controller.abort();
    const { request } = await control.waitFor({ outcome: 'client-closed' });
    expect(request?.answer.waitingAt).toBeUndefined();
    expect(await control.status()).toMatchObject({ openCount: 0, waiting: {} });
  });

  it('is broken up by a reset', async () => {
    const { client, control } = await newWorld({ fallback: hang('g') });
    const failure = failureOf(complete(client, ask('x')));
    await control.waitFor({ gate: 'g' });
    await control.reset();
    expect(await failure).toBeInstanceOf(APIConnectionError);
    expect((await complete(client, ask('y'))).choices[0]?.message.content).toBe('echo: y');
  });
});
