import { describe, expect, test } from 'vitest';
import { never, StoreError } from '../../src/core/errors.js';
import type { TurnEvent } from '../../src/core/turn.js';
import { MemoryJournal } from '../fakes/memory-journal.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { callsTools, fails, hangs, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { anAgent, aTool, aTurn, historyAfter, runTurn, secret, user } from './agent-world.js';

const typesOf = (events: readonly TurnEvent[]) => events.map(({ type }) => type);

describe('an answer', () => {
  test('is streamed and ends the turn with the same text', async () => {
    const provider = new ScriptedProvider(says('Hello you', { deltas: ['Hello', ' you'] }));
    const { events, end } = await runTurn(anAgent({ provider }));
    expect(typesOf(events)).toEqual(['turn-start', 'text-delta', 'text-delta', 'turn-end']);
    expect(end).toMatchObject({
      reason: 'end_turn',
      text: 'Hello you',
      message: { role: 'assistant', text: 'Hello you', toolCalls: [] },
      steps: 1,
      usage: { inputTokens: 10, outputTokens: 1 },
    });
  });

  test('loses blank lines before it and blanks behind it, but no indentation', async () => {
    const { end } = await runTurn(anAgent({ provider: new ScriptedProvider(says('\n \n    code\n\n')) }));
    expect(end.text).toBe('    code');
  });

  test('goes out with the system prompt, the history and the tools in the order of their names', async () => {
    const provider = new ScriptedProvider(says('ok'));
    const history = [user('one'), { role: 'assistant', text: 'two', toolCalls: [] } as const, user('three')];
    await runTurn(anAgent({ provider, tools: [aTool({ name: 'zebra' }), aTool({ name: 'ant' })] }), {
      input: { history },
    });
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]).toMatchObject({
      model: 'emulated-small',
      system: 'You are a test.',
      messages: history,
    });
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['ant', 'zebra']);
  });

  test('that reached the output limit says so to the person, not to the history', async () => {
    const provider = new ScriptedProvider(says('Half a', { stop: 'max-tokens' }));
    const { end } = await runTurn(anAgent({ provider }));
    expect(end).toMatchObject({ reason: 'max_tokens', message: { text: 'Half a', isPartial: true } });
    expect(end.text).toMatch(/^Half a\n\n.*output limit/);
  });

  test('that is a refusal ends the turn as one, with words of its own or ours', async () => {
    const own = await runTurn(
      anAgent({ provider: new ScriptedProvider(says('I will not.', { stop: 'refusal' })) }),
    );
    expect(own.end).toMatchObject({
      reason: 'refusal',
      text: 'I will not.',
      message: { text: 'I will not.' },
    });
    const silent = await runTurn(anAgent({ provider: new ScriptedProvider(says('', { stop: 'refusal' })) }));
    expect(silent.end).toMatchObject({ reason: 'refusal', text: 'The model declined to answer this.' });
    expect(silent.end.message).toBeUndefined();
  });

  test('that a filter cut keeps what was said and tells why it ends', async () => {
    const provider = new ScriptedProvider(says('So far', { stop: 'refusal', isPartial: true }));
    const { end } = await runTurn(anAgent({ provider }));
    expect(end.text).toMatch(/^So far\n\n.*filter/);
    expect(end.message?.text).toBe('So far');
  });
});

describe('an empty answer', () => {
  test('is asked again with a nudge that stays out of the history', async () => {
    const provider = new ScriptedProvider(says('  \n'), says('Here I am'));
    const outcome = await runTurn(anAgent({ provider }));
    expect(typesOf(outcome.events)).toEqual([
      'turn-start',
      'text-delta',
      'text-reset',
      'text-delta',
      'turn-end',
    ]);
    expect(outcome.end).toMatchObject({ reason: 'end_turn', text: 'Here I am', steps: 2 });
    expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 2]);
    expect(historyAfter(outcome, [user('hello')])).toEqual([
      user('hello'),
      { role: 'assistant', text: 'Here I am', toolCalls: [] },
    ]);
  });

  test('given three times ends the turn with one sentence', async () => {
    const provider = new ScriptedProvider(says(''));
    const { end } = await runTurn(anAgent({ provider }));
    expect(provider.requests).toHaveLength(3);
    expect(end).toMatchObject({ reason: 'error', error: { code: 'empty-answer' } });
    expect(end.text).toContain('no answer');
    expect(end.message).toBeUndefined();
  });
});

describe('steering', () => {
  test('joins before the next model call, behind the results', async () => {
    const provider = new ScriptedProvider(callsTools([{ id: 'c1', name: 'look' }]), says('done'));
    const journal = new MemoryJournal({ steering: [[], ['also this', 'and that']] });
    await runTurn(anAgent({ provider, tools: [aTool()] }), { journal });
    const [, second] = provider.requests;
    expect(second?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'hello'],
      ['assistant', ''],
      ['tool', 'done'],
      ['user', 'also this'],
      ['user', 'and that'],
    ]);
  });
});

describe('the limit of model calls', () => {
  test('ends the turn and names the setting', async () => {
    const provider = new ScriptedProvider(callsTools([{ name: 'look' }]));
    const tool = aTool();
    const { end } = await runTurn(anAgent({ provider, tools: [tool] }), { input: { maxSteps: 3 } });
    expect(end).toMatchObject({ reason: 'max_turn_requests', steps: 3 });
    expect(end.text).toContain('agent.max_iterations');
    expect(tool.inputs).toHaveLength(3);
  });
});

describe('a failed model call', () => {
  test('ends the turn with the sentence of the error', async () => {
    const { end } = await runTurn(
      anAgent({ provider: new ScriptedProvider(fails({ userText: 'Check the key.' })) }),
    );
    expect(end).toMatchObject({ reason: 'error', text: 'Check the key.', error: { code: 'unavailable' } });
    expect(end.message).toBeUndefined();
  });

  test('keeps what the person has already read', async () => {
    const provider = new ScriptedProvider(fails({ partial: 'Once upon', userText: 'It broke.' }));
    const { end } = await runTurn(anAgent({ provider }));
    expect(end.text).toBe('Once upon\n\nIt broke.');
    expect(end.message).toEqual({ role: 'assistant', text: 'Once upon', toolCalls: [], isPartial: true });
  });

  test('is a failure too if the provider throws or ends without a word', async () => {
    const throwing = anAgent({ provider: new ScriptedProvider() });
    const thrown = await runTurn(throwing);
    expect(thrown.end).toMatchObject({ reason: 'error', error: { code: 'unavailable' } });
    expect(throwing.logger.text(['error'])).toContain('no answer left');
    const silent = await runTurn(anAgent({ provider: new ScriptedProvider([]) }));
    expect(silent.end).toMatchObject({ reason: 'error', error: { code: 'unavailable' } });
  });
});

describe('a cancelled turn', () => {
  test('keeps the text so far as a partial message', async () => {
    const stop = new AbortController();
    const { end, events } = await runTurn(anAgent({ provider: new ScriptedProvider(hangs('I was about')) }), {
      signal: stop.signal,
      onEvent: (event) => event.type === 'text-delta' && stop.abort(new Error('stopped')),
    });
    expect(typesOf(events)).toEqual(['turn-start', 'text-delta', 'turn-end']);
    expect(end).toMatchObject({
      reason: 'cancelled',
      text: 'I was about',
      message: { text: 'I was about', toolCalls: [], isPartial: true },
    });
  });

  test('before anything was said has no text and no message', async () => {
    const provider = new ScriptedProvider(says('never'));
    const { end } = await runTurn(anAgent({ provider }), { signal: AbortSignal.abort(new Error('stopped')) });
    expect(end).toMatchObject({ reason: 'cancelled', text: '' });
    expect(end.message).toBeUndefined();
    expect(provider.requests).toHaveLength(0);
  });

  test('is what becomes of a turn that nobody reads on', async () => {
    let seen: AbortSignal | undefined;
    const provider = new ScriptedProvider((request, options) => {
      seen = options.signal;
      const answer = hangs('x');
      if (typeof answer !== 'function') throw new Error('hangs is a function');
      return answer(request, options);
    });
    for await (const event of anAgent({ provider }).agent.run(aTurn(), new MemoryJournal(), {
      signal: new AbortController().signal,
      logger: new MemoryLogger(),
    })) {
      if (event.type === 'text-delta') break;
    }
    expect(seen?.aborted).toBe(true);
  });
});

describe('a journal that refuses', () => {
  const full = new StoreError({
    code: 'full',
    message: 'disk full',
    retry: never,
    userText: 'The disk is full.',
  });

  test('a step keeps its calls from running', async () => {
    const tool = aTool();
    const provider = new ScriptedProvider(callsTools([{ name: 'look' }]), says('never'));
    const { end } = await runTurn(anAgent({ provider, tools: [tool] }), {
      journal: new MemoryJournal({ refuse: { type: 'step', error: full } }),
    });
    expect(end).toMatchObject({ reason: 'error', text: 'The disk is full.' });
    expect(tool.inputs).toEqual([]);
  });

  test.each(['begun', 'result'] as const)('%s ends the turn before the next model call', async (type) => {
    const provider = new ScriptedProvider(callsTools([{ name: 'look' }, { name: 'look' }]), says('never'));
    const { end } = await runTurn(anAgent({ provider, tools: [aTool()] }), {
      journal: new MemoryJournal({ refuse: { type, error: full } }),
    });
    expect(end).toMatchObject({ reason: 'error', text: 'The disk is full.' });
    expect(provider.requests).toHaveLength(1);
  });

  test('with something unexpected shows nothing of it', async () => {
    const provider = new ScriptedProvider(callsTools([{ name: 'look' }]));
    const { end } = await runTurn(anAgent({ provider, tools: [aTool()] }), {
      journal: new MemoryJournal({ refuse: { type: 'step', error: new Error(`broken ${secret}`) } }),
    });
    expect(end.text).not.toContain('broken');
  });
});

describe('a step that calls tools', () => {
  test('is stored before its calls, tells of them, and goes on with the results', async () => {
    const provider = new ScriptedProvider(
      callsTools([{ id: 'c1', name: 'look', arguments: { at: 'x' } }], { text: 'Let me see. ' }),
      says('Seen.'),
    );
    const outcome = await runTurn(
      anAgent({ provider, tools: [aTool({ changes: { summarise: () => 'at x' } })] }),
    );
    expect(outcome.journal.order).toEqual(['step', 'begun c1', 'result c1']);
    expect(outcome.events.slice(1)).toEqual([
      { type: 'text-delta', turn: 't1', text: 'Let me see. ' },
      { type: 'step-end', turn: 't1', text: 'Let me see.' },
      { type: 'tool-start', turn: 't1', call: 'c1', name: 'look', summary: 'at x' },
      { type: 'tool-end', turn: 't1', call: 'c1', name: 'look', summary: 'at x', isError: false },
      { type: 'text-delta', turn: 't1', text: 'Seen.' },
      outcome.end,
    ]);
    expect(outcome.end).toMatchObject({
      text: 'Seen.',
      steps: 2,
      usage: { inputTokens: 20, outputTokens: 2 },
    });
  });

  test('gives calls new ids where the model uses one again or none of use', async () => {
    const provider = new ScriptedProvider(
      callsTools([
        { id: 'c1', name: 'look' },
        { id: 'c1', name: 'look' },
        { id: 'a b', name: 'look' },
        { id: 'x'.repeat(41), name: 'look' },
      ]),
      callsTools([{ id: 'c1', name: 'look' }]),
      says('ok'),
    );
    const { journal } = await runTurn(anAgent({ provider, tools: [aTool()] }));
    const ids = journal.results.map(({ call }) => call);
    expect(ids[0]).toBe('c1');
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => /^[\w-]{1,40}$/.test(id))).toBe(true);
  });
});
