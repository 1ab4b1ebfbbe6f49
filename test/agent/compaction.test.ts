import { describe, expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../src/core/provider.js';
import type { TurnEvent } from '../../src/core/turn.js';
import { MemoryJournal } from '../fakes/memory-journal.js';
import {
  callsTools,
  fails,
  hangs,
  type ScriptedAnswer,
  ScriptedProvider,
  says,
} from '../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn, user } from './agent-world.js';

const contextTokens = 4000;
/** About a hundred tokens. */
const long = 'x'.repeat(340);
const turns = (count: number): readonly ModelMessage[] =>
  Array.from({ length: count }, (_, index): readonly ModelMessage[] => [
    user(`question ${index} ${long}`),
    { role: 'assistant', text: `answer ${index} ${long}`, toolCalls: [] },
  ]).flat();
const full = [...turns(16), user('now')];

const isSummaryCall = ({ system }: ModelRequest) => system !== 'You are a test.';
const noticesOf = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
const textsOf = ({ messages }: ModelRequest) => messages.map(({ text }) => text);

const run = async (answers: readonly ScriptedAnswer[], history = full) => {
  const provider = new ScriptedProvider(...answers);
  const used = anAgent({ provider });
  const outcome = await runTurn(used, { input: { history, contextTokens } });
  return { ...outcome, provider };
};

describe('a session that nearly fills the window', () => {
  test('is summed up by the model: the older part goes to it without tools, the newest stays', async () => {
    const { provider, journal, events, end } = await run([says('They asked a lot.'), says('fine')]);
    const [aside, request] = provider.requests;
    if (aside === undefined || request === undefined) throw new Error('there are two calls');
    expect(isSummaryCall(aside)).toBe(true);
    expect(aside.tools).toEqual([]);
    expect(aside.model).toBe('emulated-small');
    expect(textsOf(aside)[0]).toMatch(/<transcript>\nPERSON: question 0 .*ASSISTANT: answer 0 /su);
    const [compaction] = journal.compactions;
    expect(journal.compactions).toHaveLength(1);
    const keep = compaction?.keep ?? 0;
    expect(keep).toBeGreaterThan(2);
    expect(keep).toBeLessThan(12);
    expect(compaction?.summary).toContain('They asked a lot.');
    expect(request.system).toBe('You are a test.');
    expect(request.messages).toEqual([
      { role: 'user', text: compaction?.summary, isSummary: true },
      ...full.slice(-keep),
    ]);
    expect(noticesOf(events)).toEqual([
      expect.stringMatching(/^🗜 I summarised the earlier part of our conversation/u),
    ]);
    expect(end).toMatchObject({ text: 'fine', usage: { inputTokens: 20, outputTokens: 2 }, steps: 1 });
  });

  test('that has room is left alone', async () => {
    const { provider, journal } = await run([says('fine')], [...turns(8), user('now')]);
    expect(provider.requests).toHaveLength(1);
    expect(journal.compactions).toEqual([]);
  });

  test('with very many short messages is summed up before the read of the history loses any', async () => {
    const short = Array.from({ length: 210 }, (_, index): readonly ModelMessage[] => [
      user(`q${index}`),
      { role: 'assistant', text: 'a', toolCalls: [] },
    ]).flat();
    const provider = new ScriptedProvider(says('short'), says('fine'));
    const { journal } = await runTurn(anAgent({ provider }), {
      input: { history: [...short, user('now')], contextTokens: 128_000 },
    });
    expect(journal.compactions.map(({ keep }) => keep)).toEqual([99]);
  });

  test('sums up its earlier summary with the rest', async () => {
    const summary: ModelMessage = { role: 'user', text: 'in the beginning', isSummary: true };
    const { provider } = await run([says('both'), says('fine')], [summary, ...full]);
    expect(textsOf(provider.requests[0] ?? never)[0]).toContain('EARLIER SUMMARY: in the beginning');
  });

  test('is summed up within a turn too, and counts what the turn has stored', async () => {
    const history = [...turns(11), user('now')];
    const provider = new ScriptedProvider(
      callsTools([{ id: 'c1', name: 'look' }], { text: 'y'.repeat(3000) }),
      says('short'),
      says('fine'),
    );
    const { journal } = await runTurn(anAgent({ provider, tools: [aTool()] }), {
      input: { history, contextTokens },
    });
    expect(provider.requests.map(isSummaryCall)).toEqual([false, true, false]);
    const keep = journal.compactions[0]?.keep ?? 0;
    const stored = [...history, ...journal.messages];
    expect(stored.slice(-keep)[0]?.role).toBe('user');
    expect(provider.requests[2]?.messages.slice(1)).toEqual(stored.slice(-keep));
  });
});

const never: ModelRequest = { model: '', system: '', messages: [], tools: [] };

describe('a summary that cannot be had', () => {
  test.each<[string, ScriptedAnswer]>([
    ['because the call fails', fails()],
    ['because it is cut off', says('half', { stop: 'max-tokens' })],
    ['because it is empty', says('  ')],
    ['because it is longer than half of what it stands for', says('z'.repeat(9000))],
  ])(
    '%s leaves the store as it is; the oldest turns are left out and the person is told',
    async (_why, answer) => {
      const history = [...turns(18), user('now')];
      const { provider, journal, events, end } = await run([answer, says('fine')], history);
      expect(journal.compactions).toEqual([]);
      expect(end.text).toBe('fine');
      expect(noticesOf(events)).toEqual([expect.stringContaining('could not summarise')]);
      const texts = textsOf(provider.requests[1] ?? never);
      expect(texts[0]).toContain('left out');
      expect(texts.at(-1)).toBe('now');
      expect(texts.length).toBeLessThan(history.length);
    },
  );

  test('is not tried again in the next turns', async () => {
    const provider = new ScriptedProvider(fails(), says('one'), says('two'), says('three'));
    const agent = anAgent({ provider });
    for (let turn = 0; turn < 3; turn += 1) await runTurn(agent, { input: { history: full, contextTokens } });
    expect(provider.requests.map(isSummaryCall)).toEqual([true, false, false, false]);
  });

  test('is not waited for after a stop', async () => {
    const stop = new AbortController();
    const provider = new ScriptedProvider(hangs());
    const journal = new MemoryJournal();
    const work = runTurn(anAgent({ provider }), {
      input: { history: full, contextTokens },
      journal,
      signal: stop.signal,
    });
    await expect.poll(() => provider.requests.length).toBe(1);
    stop.abort(new Error('stopped'));
    expect((await work).end.reason).toBe('cancelled');
    expect(journal.compactions).toEqual([]);
  });
});
