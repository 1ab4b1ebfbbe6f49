import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelMessage } from '../../../src/core/provider.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import {
  badKey,
  deltas,
  httpError,
  onWire,
  quota,
  rateLimited,
  reasoning,
  type ScriptedResponse,
  text,
  toolCall,
  toolCallDeltas,
  toolCalls,
} from '../../emulators/openai/control.js';
import { MemoryJournal } from '../../fakes/memory-journal.js';
import { aToolCall } from '../../fakes/scripted-provider.js';
import { aTool, runTurn, user } from '../agent-world.js';
import { converse, openWorld, toAgent, wireMessages } from './openai-world.js';

const shown = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

const writeFile = () => aTool({ name: 'write_file', category: 'write', mode: 'exclusive' });

describe('LL-01', () => {
  test('LL-01 a call cut off at the token limit is not run, and the model is told', async () => {
    const world = await openWorld();
    const tool = writeFile();
    const cut = (id: string) =>
      toolCall('write_file', '{"path":"a.txt","content":"abc', { id, finishReason: 'length' });
    await world.control.respond(cut('c1'), cut('c2'), text('Done in words.'));
    const talk = converse(toAgent(world, [tool]));
    const { end, journal } = await talk.say('write a.txt');
    expect(end).toMatchObject({ reason: 'end_turn', text: 'Done in words.' });
    expect(tool.inputs).toEqual([]);
    expect(journal.results.map(({ call, isError }) => [call, isError])).toEqual([
      ['c1', true],
      ['c2', true],
    ]);
    expect((await wireMessages(world.control, 2)).at(-1)).toMatchObject({
      tool_call_id: 'c1',
      content: expect.stringContaining('output limit'),
    });
    expect((await talk.say('next')).end.reason).toBe('end_turn');
    expect(await world.control.status()).toMatchObject({ requestCount: 4, refusedCount: 0 });
  });

  test('LL-01 a call cut off right behind its name does not run with empty arguments', async () => {
    const world = await openWorld();
    const tool = writeFile();
    await world.control.respond(toolCall('write_file', '', { finishReason: 'length' }), text('ok'));
    await runTurn(toAgent(world, [tool]));
    expect(tool.inputs).toEqual([]);
  });

  test('LL-01 a model that is cut off for ever ends the turn after three tries', async () => {
    const world = await openWorld();
    const tool = writeFile();
    await world.control.otherwise(toolCall('write_file', '{"content":"abc', { finishReason: 'length' }));
    const { end } = await runTurn(toAgent(world, [tool]));
    expect(end).toMatchObject({
      reason: 'max_tokens',
      steps: 3,
      text: expect.stringContaining('output limit'),
    });
    expect(tool.inputs).toEqual([]);
  });
});

describe('LL-02', () => {
  const cases: readonly (readonly [string, object | string])[] = [
    ['{"a":1,}', { a: 1 }],
    ["{'a':1}", { a: 1 }],
    ['{"a":"x\n\ny"}', { a: 'x\n\ny' }],
    ['', 'a'],
    ['null', 'null'],
    ['[1]', 'array'],
    ['not json', 'not valid JSON'],
  ];

  test.each(cases)(
    'LL-02 arguments %j end in a run or in a clear error, and the session goes on',
    async (given, outcome) => {
      const world = await openWorld();
      const tool = aTool({ name: 'note', input: z.object({ a: z.union([z.number(), z.string()]) }) });
      await world.control.respond(toolCall('note', given, { id: 'c1' }), text('ok'), text('still here'));
      const talk = converse(toAgent(world, [tool]));
      const { journal } = await talk.say('note it');
      if (typeof outcome === 'string') {
        expect(tool.inputs).toEqual([]);
        expect(journal.results[0]).toMatchObject({ isError: true, text: expect.stringContaining(outcome) });
      } else expect(tool.inputs).toEqual([outcome]);
      expect((await talk.say('and now?')).end.text).toBe('still here');
      expect(await world.control.status()).toMatchObject({ requestCount: 3, refusedCount: 0 });
    },
  );

  test('LL-02 empty arguments run a tool without parameters', async () => {
    const world = await openWorld();
    const tool = aTool({ name: 'ping', input: z.object({}) });
    await world.control.respond(toolCall('ping', ''), text('ok'));
    await runTurn(toAgent(world, [tool]));
    expect(tool.inputs).toEqual([{}]);
  });
});

describe('LL-03', () => {
  const called = (id: number, fields: object) => [{ index: id, type: 'function', ...fields }];

  test('LL-03 interleaved fragments of parallel calls reach the right tools', async () => {
    const world = await openWorld();
    const [readTool, listTool] = [aTool({ name: 'read_it' }), aTool({ name: 'list' })];
    await world.control.respond(
      toolCallDeltas([
        called(0, { id: 'c1', function: { name: 'read_' } }),
        called(1, { id: 'c2', function: { name: 'list' } }),
        called(0, { function: { name: 'it' } }),
        called(1, { function: { arguments: '{"d":' } }),
        called(0, { function: { arguments: '{"p":1}' } }),
        called(1, { function: { arguments: '2}' } }),
      ]),
      text('ok'),
    );
    const { journal } = await runTurn(toAgent(world, [readTool, listTool]));
    expect([readTool.inputs, listTool.inputs]).toEqual([[{ p: 1 }], [{ d: 2 }]]);
    expect(journal.results.map(({ call }) => call)).toEqual(['c1', 'c2']);
    expect(await world.control.status()).toMatchObject({ refusedCount: 0 });
  });

  test.each([
    ['id and name in every delta', { identity: 'every' }],
    ['id and name in every delta, no index', { identity: 'every', index: 'missing' }],
    ['id and name in every delta, all of index 0', { identity: 'every', index: 'zero', interleaved: true }],
    ['whole calls without index', { identity: 'whole', index: 'missing' }],
    ['whole calls, all of index 0', { identity: 'whole', index: 'zero' }],
    ['alternating deltas', { interleaved: true, fragmentSize: 2 }],
    ['one call after the other without index', { index: 'missing', fragmentSize: 3 }],
    ['one call after the other, all of index 0', { index: 'zero', fragmentSize: 3 }],
    ['names in fragments', { nameFragmentSize: 2, fragmentSize: 2 }],
  ] as const)('LL-03 %s are put together', async (_name, style) => {
    const world = await openWorld();
    const [readTool, listTool] = [aTool({ name: 'read_it' }), aTool({ name: 'list' })];
    const calls = [
      { id: 'c1', name: 'read_it', arguments: { path: 'a long enough path' } },
      { id: 'c2', name: 'list', arguments: { d: 2 } },
    ];
    await world.control.respond(toolCalls(calls, { style }), text('ok'));
    const { journal, end } = await runTurn(toAgent(world, [readTool, listTool]));
    expect([readTool.inputs, listTool.inputs]).toEqual([[{ path: 'a long enough path' }], [{ d: 2 }]]);
    expect(journal.results.map(({ call }) => call)).toEqual(['c1', 'c2']);
    expect(end.text).toBe('ok');
  });

  test.each([
    ['with index', {}],
    ['whole, without index', { identity: 'whole', index: 'missing' }],
    ['whole, all of index 0', { identity: 'whole', index: 'zero' }],
    ['without index', { index: 'missing', fragmentSize: 3 }],
  ] as const)('LL-03 calls without ids are told apart (%s)', async (_name, style) => {
    const world = await openWorld();
    const tool = aTool({ name: 'list' });
    const calls = [
      { id: null, name: 'list', arguments: { d: 1 } },
      { id: null, name: 'list', arguments: { d: 2 } },
    ];
    await world.control.respond(toolCalls(calls, { style }), text('ok'));
    const { journal } = await runTurn(toAgent(world, [tool]));
    expect(tool.inputs).toEqual([{ d: 1 }, { d: 2 }]);
    expect(new Set(journal.results.map(({ call }) => call)).size).toBe(2);
    expect(await world.control.status()).toMatchObject({ refusedCount: 0 });
  });

  test.each([
    ['{"d":1}{"d":2}', [{ d: 1 }, { d: 2 }]],
    ['{}{"d":2}', [{ d: 2 }]],
    ['{"d":1} {"d":1}', [{ d: 1 }]],
    ['{}{}', [{}]],
  ])('LL-03 glued arguments %s are taken apart', async (given, inputs) => {
    const world = await openWorld();
    const tool = aTool({ name: 'list' });
    await world.control.respond(toolCall('list', given, { id: 'c1' }), text('ok'));
    const { journal } = await runTurn(toAgent(world, [tool]));
    expect(tool.inputs).toEqual(inputs);
    expect(journal.results[0]?.call).toBe('c1');
    expect(await world.control.status()).toMatchObject({ refusedCount: 0 });
  });
});

describe('LL-04', () => {
  const said = '東京 🚀 ñ';

  test.each(['lf', 'crlf', 'mixed'] as const)(
    'LL-04 text arrives unharmed one byte at a time with comments and %s line ends',
    async (lineEnd) => {
      const world = await openWorld();
      await world.control.respond(
        onWire(deltas(['東', '京 ', '🚀', ' ñ']), { cutEvery: 1, lineEnd, comments: true }),
      );
      const { events, end } = await runTurn(toAgent(world));
      expect(end.text).toBe(said);
      expect(shown(events)).toBe(said);
      expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(4);
    },
  );

  test('LL-04 so do an answer without last line end or closing line, and one without blanks', async () => {
    const world = await openWorld();
    await world.control.respond(
      onWire(text(said), { done: false, finalNewline: false }),
      onWire(text(said), { dataSpace: false }),
    );
    const talk = converse(toAgent(world));
    expect((await talk.say('one')).end.text).toBe(said);
    expect((await talk.say('two')).end.text).toBe(said);
  });
});

describe('LL-05', () => {
  const [c1, c2] = [aToolCall({ id: 'c1', name: 'look' }), aToolCall({ id: 'c2', name: 'look' })];
  const calls: ModelMessage = { role: 'assistant', text: '', toolCalls: [c1, c2] };
  const result = (id: string): ModelMessage => ({
    role: 'tool',
    call: aToolCall({ id, name: '' }).id,
    text: 'r',
    isError: false,
  });
  const half = aToolCall({ id: 'c1', name: 'look', arguments: '{"path":"a.t' });

  test.each<[string, readonly ModelMessage[]]>([
    ['a call without a result', [user('a'), calls, result('c1')]],
    ['a result of an unknown call', [user('a'), result('c9')]],
    ['a call cut off in its arguments', [user('a'), { role: 'assistant', text: '', toolCalls: [half] }]],
    ['a result behind another message', [user('a'), calls, result('c1'), user('b'), result('c2')]],
    ['an empty answer', [user('a'), { role: 'assistant', text: '', toolCalls: [] }]],
  ])('LL-05 a history with %s is accepted, again after a restart', async (_name, damaged) => {
    const world = await openWorld();
    await world.control.otherwise(text('fine'));
    const talk = converse(toAgent(world), damaged);
    expect((await talk.say('new message')).end.text).toBe('fine');
    const afterRestart = converse(toAgent(world), talk.history);
    expect((await afterRestart.say('another')).end.text).toBe('fine');
    expect(await world.control.status()).toMatchObject({ requestCount: 2, refusedCount: 0 });
    const sent = await wireMessages(world.control, 2);
    expect(sent.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(
      talk.history.concat(user('another')).flatMap((each) => (each.role === 'user' ? [each.text] : [])),
    );
  });

  test('LL-05 a turn killed during its second call is taken up with a valid history', async () => {
    const world = await openWorld();
    await world.control.respond(
      toolCalls([c1, c2].map(({ id, name }) => ({ id, name, arguments: {} }))),
      text('Resumed.'),
    );
    const broken = aTool({ execute: () => Promise.resolve({ text: 'r', isError: false }) });
    const killed = new MemoryJournal({ refuse: { type: 'result', error: new Error('killed') } });
    await runTurn(toAgent(world, [broken]), { journal: killed });
    const history = [user('hello'), ...killed.messages];
    const { end, journal } = await runTurn(toAgent(world, [aTool()]), {
      input: { history, openCalls: killed.openCalls },
    });
    expect(end.text).toBe('Resumed.');
    expect(journal.results.map(({ call }) => call)).toEqual(['c1', 'c2']);
    expect(await world.control.status()).toMatchObject({ requestCount: 2, refusedCount: 0 });
  });
});

describe('LL-06', () => {
  const empty: readonly (readonly [string, ScriptedResponse])[] = [
    ["''", text('')],
    ['null', text(null)],
    ['blanks', text('  \n')],
  ];

  test.each(empty)('LL-06 an answer of %s is asked again and leaves no trace', async (_name, response) => {
    const world = await openWorld();
    await world.control.respond(response, text('Here.'), text('next'));
    const talk = converse(toAgent(world));
    const { end } = await talk.say('hello');
    expect(end).toMatchObject({ reason: 'end_turn', text: 'Here.' });
    await talk.say('again');
    const sent = await wireMessages(world.control, 3);
    expect(sent.slice(1)).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Here.' },
      { role: 'user', content: 'again' },
    ]);
  });

  test.each(empty)('LL-06 an answer of %s every time becomes one plain sentence', async (_name, response) => {
    const world = await openWorld();
    await world.control.otherwise(response);
    const talk = converse(toAgent(world));
    const { end } = await talk.say('hello');
    expect(end).toMatchObject({ reason: 'error', error: { code: 'empty-answer' } });
    expect(end.text).toMatch(/^The model gave no answer.*\.$/);
    expect(await world.control.status()).toMatchObject({ requestCount: 3, refusedCount: 0 });
    expect(talk.history.filter(({ role }) => role === 'assistant')).toEqual([]);
  });

  test('LL-06 an empty answer behind a tool result is asked again too', async () => {
    const world = await openWorld();
    await world.control.respond(toolCall('look', {}), text(''), text('Seen.'));
    const { end, journal } = await runTurn(toAgent(world, [aTool()]));
    expect(end.text).toBe('Seen.');
    expect(journal.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
  });
});

describe('LL-07', () => {
  const answers: readonly (readonly [string, ScriptedResponse])[] = [
    ['in a field of its own', reasoning('secret plan', 'Hi')],
    ['in the other field', reasoning('secret plan', 'Hi', { reasoningField: 'reasoning' })],
    ['in tags', text('<think>secret plan</think>Hi')],
    ['in tags that deltas cut', deltas(['<thi', 'nk>secret plan</th', 'ink>\n\nH', 'i'])],
    ['in a field, without streaming', reasoning('secret plan', 'Hi', { form: 'json' })],
    ['in tags, without streaming', text('<think>secret plan</think>Hi', { form: 'json' })],
  ];

  test.each(answers)('LL-07 thinking %s is neither shown nor stored nor logged', async (_name, response) => {
    const world = await openWorld();
    await world.control.respond(response);
    const talk = converse(toAgent(world));
    const { events, end } = await talk.say('hello');
    expect(end.text).toBe('Hi');
    expect(shown(events)).toBe('Hi');
    expect(JSON.stringify([events, talk.history])).not.toContain('secret');
    expect(world.logger.text()).not.toContain('secret');
  });

  test.each([
    ['a field', reasoning('secret plan', null)],
    ['tags', text('<think>secret plan</think>')],
    ['tags that never close', text('<think>secret plan')],
  ])('LL-07 nothing but thinking in %s counts as an empty answer', async (_name, response) => {
    const world = await openWorld();
    await world.control.respond(response, text('Hi'));
    const { end, events } = await runTurn(toAgent(world));
    expect(end).toMatchObject({ text: 'Hi', steps: 2 });
    expect(shown(events)).toBe('Hi');
  });

  test.each(['Write `<think>` to begin.', '```xml\n<think>a</think>\n```', 'So: <think>a</think> is a tag'])(
    'LL-07 the literal word stays in %j',
    async (said) => {
      const world = await openWorld();
      await world.control.respond(text(said, { chunkSize: 3 }));
      expect((await runTurn(toAgent(world))).end.text).toBe(said);
    },
  );
});

describe('LL-08', () => {
  const inThreeSeconds = new Date(Date.UTC(2030, 0, 1, 0, 0, 3));

  test.each([
    ['retry-after in seconds', 2000, rateLimited({ retryAfter: 2 })],
    ['retry-after-ms', 1500, rateLimited({ retryAfterMs: 1500 })],
    ['retry-after as a date', 3000, rateLimited({ retryAfter: inThreeSeconds })],
    ['retry-after of a 503', 4000, httpError(503, { retryAfter: 4 })],
  ])('LL-08 %s is obeyed, then one more request', async (_name, waitMs, response) => {
    const world = await openWorld();
    await world.control.respond(response, text('Hi'));
    const running = runTurn(toAgent(world));
    await world.clock.waiting(waitMs);
    await world.clock.advance(waitMs - 1);
    expect(world.clock.sleeping).toContain(waitMs);
    expect(await world.control.status()).toMatchObject({ requestCount: 1 });
    await world.clock.advance(1);
    const { end } = await running;
    expect(end).toMatchObject({ reason: 'end_turn', text: 'Hi', steps: 1 });
    expect(await world.control.status()).toMatchObject({ requestCount: 2 });
  });

  test('LL-08 a 503 without advice is repeated after a short wait', async () => {
    const world = await openWorld();
    await world.control.respond(httpError(503), text('Hi'));
    const running = runTurn(toAgent(world));
    // The first wait that nobody told us is a second, and up to a half more.
    await world.clock.waiting((ms) => ms >= 1000 && ms <= 1500);
    await world.clock.advance(1500);
    expect((await running).end.text).toBe('Hi');
  });

  test.each([
    ['a used-up quota', quota(), 'quota-exhausted', /out of credit.*model\.api_key/],
    ['a refused key', badKey(), 'unauthorized', /model\.api_key/],
    ['a wait of five hours', rateLimited({ retryAfter: 18_000 }), 'rate-limited', /wait 5 h/],
  ])('LL-08 %s ends the turn at once with a clear message', async (_name, response, code, said) => {
    const world = await openWorld();
    await world.control.respond(response, text('never'));
    const { end } = await runTurn(toAgent(world));
    expect(end).toMatchObject({ reason: 'error', text: expect.stringMatching(said), error: { code } });
    expect(await world.control.status()).toMatchObject({ requestCount: 1 });
  });

  test('LL-08 a stop during the wait ends it at once', async () => {
    const world = await openWorld();
    await world.control.respond(rateLimited({ retryAfter: 30 }), text('never'));
    const stop = new AbortController();
    const running = runTurn(toAgent(world), { signal: stop.signal });
    await world.clock.waiting(30_000);
    stop.abort(new Error('stopped'));
    const { end, events } = await running;
    expect(end).toMatchObject({ reason: 'cancelled', text: '' });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'notice', text: expect.stringContaining('30 seconds') }),
    );
    expect(await world.control.status()).toMatchObject({ requestCount: 1 });
  });
});
