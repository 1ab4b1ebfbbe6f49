import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ChatAnswer } from '../../../src/agent/providers/openai-chat/answer.js';
import type { ModelEvent } from '../../../src/core/provider.js';
import {
  chunks,
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
  rawBody,
  refusal,
  type ScriptedResponse,
  stopAfter,
  text,
  toolCall,
} from '../../emulators/openai/control.js';
import { aTool, runTurn, user } from '../agent-world.js';
import { aRequest, openWorld, readEvents, shownText, toAgent, wireMessages } from './openai-world.js';

const last = (events: readonly ModelEvent[]) => events.at(-1);

describe('a model call', () => {
  test('streams its text and ends with the message and what it cost', async () => {
    const world = await openWorld();
    await world.control.respond(
      deltas(['Hel', 'lo'], { usageTokens: { promptTokens: 7, completionTokens: 2 } }),
    );
    expect(await readEvents(world)).toEqual([
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      {
        type: 'done',
        stop: 'end',
        message: { role: 'assistant', text: 'Hello', toolCalls: [] },
        usage: { inputTokens: 7, outputTokens: 2 },
      },
    ]);
  });

  test('that does not end is cut off at five million characters, and what there is of it counts', async () => {
    const world = await openWorld();
    const piece = 'x'.repeat(100_000);
    await world.control.respond(gate(deltas(Array.from({ length: 60 }, () => piece)), 'much later', 55));
    const events = await readEvents(world);
    const done = last(events);
    if (done?.type !== 'done') throw new Error(`it ended with ${done?.type}`);
    expect(done).toMatchObject({ stop: 'max-tokens', message: { isPartial: true, toolCalls: [] } });
    expect(done.message.text).toHaveLength(5_100_000);
    // Nobody waits for the rest.
    await world.control.waitFor({ idle: true });
    expect((await world.control.requests()).map(({ answer }) => answer.outcome)).toEqual(['client-closed']);
  });

  test.each(['text', 'reasoning', 'arguments'] as const)(
    'counts endless %s towards that limit',
    async (kind) => {
      const answer = new ChatAnswer();
      const half = 'x'.repeat(2_500_000);
      const delta = {
        text: { content: half },
        reasoning: { reasoning_content: half },
        arguments: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: half } }] },
      }[kind];
      answer.push({ choices: [{ delta }] });
      answer.push({ choices: [{ delta }] });
      expect(answer.isEndless).toBe(false);
      answer.push({ choices: [{ delta: { content: 'y' } }] });
      expect(answer.isEndless).toBe(true);
    },
  );

  test.each(['always', 'with-finish', 'never'] as const)('copes with usage sent %s', async (usage) => {
    const world = await openWorld();
    await world.control.respond(text('Hi', { usage, usageTokens: { promptTokens: 7, completionTokens: 2 } }));
    const expected = usage === 'never' ? undefined : { inputTokens: 7, outputTokens: 2 };
    const done = last(await readEvents(world));
    expect(done?.type === 'done' ? done.usage : 'no end').toEqual(expected);
  });

  test('sends a body that the strictest service accepts, whatever the history holds', async () => {
    const world = await openWorld();
    const oddCall = { id: 'c1', name: 'functions.look at', argumentsText: '{"a":"\ud83d"}' } as never;
    const messages = [
      user('half a rocket \ud83d'),
      { role: 'assistant', text: '', toolCalls: [oddCall] },
      { role: 'tool', call: 'c1', text: 'no', isError: true },
      { role: 'assistant', text: 'Sorry', toolCalls: [] },
      user('go on'),
    ] as never;
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
    expect(last(await readEvents(world, aRequest({ messages, tools })))).toMatchObject({ type: 'done' });
    expect(await wireMessages(world.control, 1)).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'half a rocket \ufffd' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'functions_look_at', arguments: '{"a":"\ufffd"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Error: no' },
      { role: 'assistant', content: 'Sorry' },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('understands an answer in one piece where a stream was asked for', async () => {
    const world = await openWorld();
    await world.control.respond(
      text('Whole', { form: 'json' }),
      toolCall('look', { a: 1 }, { id: 'c1', form: 'json' }),
      rawBody(`{\n  "choices": [\n    {"message": {"content": "Pretty\\nprinted"}}\n  ]\n}\n`),
    );
    expect(last(await readEvents(world))).toMatchObject({ stop: 'end', message: { text: 'Whole' } });
    expect(last(await readEvents(world))).toMatchObject({
      stop: 'tool-calls',
      message: { toolCalls: [{ id: 'c1', name: 'look', argumentsText: '{"a":1}' }] },
    });
    expect(last(await readEvents(world))).toMatchObject({
      stop: 'end',
      message: { text: 'Pretty\nprinted' },
    });
  });

  test('reads content in parts, with the thinking among them kept apart', async () => {
    const world = await openWorld();
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'secret' }] },
      { type: 'text', text: 'Hi' },
    ];
    await world.control.respond(
      chunks([{ choices: [{ index: 0, delta: { content: parts }, finish_reason: 'stop' }] }]),
    );
    expect(await readEvents(world)).toEqual([
      { type: 'reasoning-delta', text: 'secret' },
      { type: 'text-delta', text: 'Hi' },
      expect.objectContaining({ type: 'done', stop: 'end' }),
    ]);
  });

  test('survives chunks of any shape', async () => {
    const world = await openWorld();
    const calls = [null, {}, { function: null }, { function: { name: 5, arguments: null } }];
    const shapes: readonly unknown[] = [
      ...[
        null,
        5,
        [],
        {},
        { choices: null },
        { choices: [] },
        { choices: [null] },
        { choices: [{ delta: null }] },
      ],
      { choices: [{ delta: { content: 5, tool_calls: 'none', refusal: null } }], usage: 'none' },
      { choices: [{ delta: { tool_calls: calls } }] },
      { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }], usage: { prompt_tokens: 'many' } },
    ];
    // As texts: the emulator puts chunks that are objects together for its record, and trusts their shape.
    await world.control.respond(chunks(shapes.map((shape) => JSON.stringify(shape))));
    expect(last(await readEvents(world))).toMatchObject({
      stop: 'end',
      message: { text: 'Hi', toolCalls: [] },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  test('takes arguments that are sent as an object', async () => {
    const world = await openWorld();
    const call = { id: 'c1', function: { name: 'look', arguments: { a: 1 } } };
    await world.control.respond(
      chunks([{ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }]),
    );
    expect(last(await readEvents(world))).toMatchObject({
      message: { toolCalls: [{ argumentsText: '{"a":1}' }] },
    });
  });

  test('tells a refusal, in the field for it or by the finish reason', async () => {
    const world = await openWorld();
    await world.control.respond(refusal('I will not.'), text('So f', { finishReason: 'content_filter' }));
    expect(last(await readEvents(world))).toMatchObject({
      stop: 'refusal',
      message: { text: 'I will not.' },
    });
    expect(last(await readEvents(world))).toMatchObject({
      stop: 'refusal',
      message: { text: 'So f', isPartial: true },
    });
  });

  test('ends with the closing line alone where a service sends no finish reason', async () => {
    const world = await openWorld();
    await world.control.respond(
      text('Hi', { finishReason: null }),
      toolCall('look', {}, { finishReason: 'stop' }),
    );
    expect(last(await readEvents(world))).toMatchObject({
      type: 'done',
      stop: 'end',
      message: { text: 'Hi' },
    });
    expect(last(await readEvents(world))).toMatchObject({ type: 'done', stop: 'tool-calls' });
  });

  test('is complete once the service says so, however its connection ends', async () => {
    const world = await openWorld();
    await world.control.respond(cutAfter(text('Hi', { usage: 'with-finish' }), 3));
    expect(last(await readEvents(world))).toMatchObject({ type: 'done', message: { text: 'Hi' } });
    await world.control.respond(gate(text('Ho', { usage: 'with-finish' }), 'closing', 'end'));
    const running = readEvents(world);
    await world.clock.waiting(5000 / 6);
    await world.clock.advance(5000);
    expect(last(await running)).toMatchObject({ type: 'done', message: { text: 'Ho' } });
  });
});

describe('a call that breaks off', () => {
  const broken: readonly (readonly [string, ScriptedResponse])[] = [
    ['before the head', cutBeforeHead()],
    ['in the middle', cutAfter(deltas(['Once ', 'upon']), 2)],
    ['in the middle, politely', cutAfter(deltas(['Once ', 'upon']), 2, 'fin')],
    ['without a finish reason', stopAfter(deltas(['Once ', 'upon']), 2)],
    ['with an error event', errorAfter(deltas(['Once ', 'upon']), 2, { code: 'server_error' })],
    ['with an error in the middle of JSON', chunks(['{"choices": [{'])],
    ['with a finish reason that says so', text('Once ', { finishReason: 'error' })],
    ['with nothing at all', stopAfter(text(''), 0)],
  ];

  test.each(broken)('%s begins again, and the text so far is void', async (_name, response) => {
    const world = await openWorld();
    await world.control.respond(response, text('A whole answer'));
    const running = runTurn(toAgent(world));
    await world.clock.waiting((ms) => ms >= 1000 && ms <= 1500);
    await world.clock.advance(1500);
    const { end, events } = await running;
    expect(end).toMatchObject({ reason: 'end_turn', text: 'A whole answer' });
    const shown = events.findLastIndex(({ type }) => type === 'text-reset');
    const text0 = events.slice(shown + 1).map((event) => (event.type === 'text-delta' ? event.text : ''));
    expect(text0.join('')).toBe('A whole answer');
  });

  test('again and again ends after four tries with a sentence', async () => {
    const world = await openWorld();
    await world.control.otherwise(cutAfter(text('Once'), 2));
    const running = runTurn(toAgent(world));
    for (const most of [1500, 3000, 6000]) {
      await world.clock.waiting((ms) => ms >= most / 1.5 && ms <= most);
      await world.clock.advance(most);
    }
    const { end } = await running;
    expect(end).toMatchObject({ reason: 'error', error: { code: 'unavailable' } });
    expect(end.text).toMatch(/^Once\n\n.*Please send your message again\.$/);
    expect(await world.control.status()).toMatchObject({ requestCount: 4 });
  });
});

describe('silence', () => {
  const nearbySlice = 280_000 / 6;

  test('before the first byte ends the call', async () => {
    const world = await openWorld();
    await world.control.respond(hang('never'), text('At last'));
    const running = runTurn(toAgent(world));
    await world.control.waitFor({ gate: 'never', waiting: 1 });
    await world.clock.waiting(nearbySlice);
    await world.clock.advance(280_000);
    await world.clock.waiting((ms) => ms >= 1000 && ms <= 1500);
    await world.clock.advance(1500);
    expect((await running).end.text).toBe('At last');
    await world.control.waitFor({ outcome: 'client-closed' });
  });

  test('in the middle is counted from the last byte', async () => {
    const world = await openWorld();
    await world.control.respond(gate(gate(deltas(['a', 'b', 'c']), 'one', 2), 'two', 3), text('At last'));
    const seen: string[] = [];
    const running = runTurn(toAgent(world), {
      onEvent: (event) => event.type === 'text-delta' && seen.push(event.text),
    });
    await world.control.waitFor({ gate: 'one', waiting: 1 });
    await world.clock.advance(nearbySlice * 5);
    await world.control.release('one');
    await world.control.waitFor({ gate: 'two', waiting: 1 });
    await world.clock.advance(nearbySlice * 4);
    await world.control.release('two');
    const { end } = await running;
    expect(end.text).toBe('abc');
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(await world.control.status()).toMatchObject({ requestCount: 1 });
  });

  test('does not outlive its call', async () => {
    const world = await openWorld();
    await readEvents(world);
    expect(world.clock.sleeping).toEqual([]);
  });
});

describe('an abort', () => {
  test('in the middle rejects with its reason and closes the connection', async () => {
    const world = await openWorld();
    await world.control.respond(gate(deltas(['a', 'b']), 'middle', 2));
    const stop = new AbortController();
    const reason = new Error('stopped');
    const running = readEvents(world, aRequest(), stop.signal);
    await world.control.waitFor({ gate: 'middle', waiting: 1 });
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await world.control.waitFor({ outcome: 'client-closed' });
    expect(world.clock.sleeping).toEqual([]);
  });
});

describe('a refused call', () => {
  const refused: readonly (readonly [string, ScriptedResponse, string, RegExp])[] = [
    ['an unknown model', modelNotFound(), 'model-not-found', /“emulated-small”.*model\.base_url/],
    ['a conversation that is too long', contextTooLong(), 'context-too-long', /\/new/],
    [
      'a conversation that is too long, in words',
      httpError(400, { message: "This model's maximum context length is 8192 tokens." }),
      'context-too-long',
      /\/new/,
    ],
    ['an empty account', httpError(402), 'quota-exhausted', /model\.api_key/],
    ['a forbidden key', emptyError(403), 'unauthorized', /model\.api_key/],
    ['a filtered question', httpError(400, { code: 'content_filter' }), 'content-refused', /differently/],
    ['a bad request', httpError(400), 'bad-request', /refused the request \(400\)/],
    ['a web page', rawBody('<html></html>', 200, 'text/html; charset=utf-8'), 'bad-request', /ends in \/v1/],
    [
      'a key in an error event',
      errorAfter(text('x'), 1, { code: 'invalid_api_key' }),
      'unauthorized',
      /api_key/,
    ],
    [
      'a bad request in an error event',
      errorAfter(text('x'), 1, { type: 'invalid_request_error' }),
      'bad-request',
      /refused/,
    ],
  ];

  test.each(refused)(
    'because of %s is not repeated and says what to do',
    async (_name, response, code, said) => {
      const world = await openWorld();
      await world.control.otherwise(response);
      const { end } = await runTurn(toAgent(world));
      expect(end).toMatchObject({ reason: 'error', error: { code }, text: expect.stringMatching(said) });
      expect(await world.control.status()).toMatchObject({ requestCount: 1 });
    },
  );

  test('by a proxy whose backend is gone is repeated', async () => {
    const world = await openWorld();
    await world.control.respond(htmlError(502), text('Hi'));
    const running = runTurn(toAgent(world));
    await world.clock.waiting((ms) => ms >= 1000 && ms <= 1500);
    await world.clock.advance(1500);
    expect((await running).end.text).toBe('Hi');
  });

  test('shows no key, neither to the person nor in the log', async () => {
    const world = await openWorld();
    await world.control.otherwise(
      httpError(401, { message: `Incorrect API key provided: ${world.control.key}` }),
    );
    const { events } = await runTurn(toAgent(world));
    expect(JSON.stringify(events)).not.toContain(world.control.key);
    expect(world.logger.text(['debug', 'info', 'warn', 'error'])).not.toContain(world.control.key);
  });
});

describe('an address', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening TCP server has such an address.
    return (server.address() as AddressInfo).port;
  };

  test('where nothing answers is named, without credentials, after four tries', async () => {
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const world = await openWorld({}, { baseUrl: `http://127.0.0.1:${port}/v1?key=hidden` });
    const running = runTurn(toAgent(world));
    for (const most of [1500, 3000, 6000]) {
      await world.clock.waiting((ms) => ms >= most / 1.5 && ms <= most);
      await world.clock.advance(most);
    }
    const { end } = await running;
    expect(end).toMatchObject({ reason: 'error', error: { code: 'unavailable' } });
    expect(end.text).toContain(`http://127.0.0.1:${port}/v1 (ECONNREFUSED)`);
    expect(end.text).toContain('model.base_url');
    expect(JSON.stringify([end, world.logger.text()])).not.toContain('hidden');
  });

  test('is asked over the same connections again', async () => {
    const sockets = new Set<Socket>();
    const body = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
    });
    const port = await listen(server);
    const world = await openWorld({}, { baseUrl: `http://127.0.0.1:${port}/v1` });
    for (let count = 0; count < 20; count += 1) expect(shownText(await readEvents(world))).toBe('Hi');
    // A second one is opened where a call begins before fetch has put the first aside.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe('a warmed provider', () => {
  test('has touched no network', async () => {
    const world = await openWorld();
    await world.provider.warmUp();
    expect(await world.control.status()).toMatchObject({ requestCount: 0, modelListCount: 0 });
  });
});

describe('a tool step over the wire', () => {
  test('sends the result behind its call, and the tools each time', async () => {
    const world = await openWorld();
    await world.control.respond(
      toolCall('look', { a: 1 }, { id: 'c1', content: 'Let me see.' }),
      text('Seen.'),
    );
    await runTurn(toAgent(world, [aTool()]));
    expect((await wireMessages(world.control, 2)).slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ]);
    const bodies = (await world.control.requests()).map(({ body }) => body as { tools?: unknown });
    expect(bodies[0]?.tools).toEqual(bodies[1]?.tools);
    expect(await world.control.status()).toMatchObject({ refusedCount: 0 });
  });
});
