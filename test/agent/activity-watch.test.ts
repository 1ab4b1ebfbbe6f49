import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../src/core/turn.js';
import { ManualClock } from '../fakes/manual-clock.js';
import {
  callsTools,
  hangs,
  type ScriptedAnswer,
  ScriptedProvider,
  says,
} from '../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn } from './agent-world.js';

const limitMs = 1_800_000;

/** Says a word each time it is told to go on. */
const slowly = (clock: ManualClock, waitMs: number, words: number): ScriptedAnswer =>
  async function* (_request, { signal }) {
    for (let word = 0; word < words; word += 1) {
      await clock.sleep(waitMs, { signal });
      yield { type: 'reasoning-delta', text: 'hm' };
    }
    yield { type: 'text-delta', text: 'done' };
    yield { type: 'done', stop: 'end', message: { role: 'assistant', text: 'done', toolCalls: [] } };
  };

/** Lets time pass until the turn is over. */
const pass = async <T>(clock: ManualClock, work: Promise<T>, ms: number): Promise<T> => {
  let isOver = false;
  const settled = work.finally(() => {
    isOver = true;
  });
  for (let passed = 0; !isOver && passed < ms; passed += 60_000) await clock.advance(60_000);
  return settled;
};

const aWorld = (provider: ScriptedProvider, tools = [aTool()]) => {
  const clock = new ManualClock();
  return {
    ...anAgent({ provider, tools, clock, inactivity: { timeoutMs: limitMs, setting: 'agent.some_seconds' } }),
    clock,
  };
};

describe('a turn in which nothing happens', () => {
  test('is ended, and says that it waited for the model', async () => {
    const agent = aWorld(new ScriptedProvider(hangs('So ')));
    const { end } = await pass(agent.clock, runTurn(agent), limitMs + 60_000);
    expect(end.reason).toBe('error');
    expect(end.text).toMatch(/^So\n\nI stopped because nothing had happened for 30 minutes/u);
    expect(end.text).toContain('waiting for the model emulated-small (for 30 minutes)');
    expect(end.text).toContain('agent.some_seconds');
  });

  test('is ended, and says which tool it waited for; the call has its result', async () => {
    const tool = aTool({
      execute: () => new Promise(() => undefined),
      changes: { summarise: () => 'big.txt' },
    });
    const agent = aWorld(new ScriptedProvider(callsTools([{ id: 'c1', name: 'look' }])), [tool]);
    const { end, journal } = await pass(agent.clock, runTurn(agent), limitMs + 60_000);
    expect(end.reason).toBe('error');
    expect(end.text).toContain('running “Title of look” (big.txt) (for 30 minutes)');
    expect(journal.results.map(({ text }) => text)).toEqual([
      'Stopped because nothing happened any more while it ran. Whether it had an effect is unknown.',
    ]);
  });
});

describe('a turn in which something happens', () => {
  test('now and then goes on as long as it likes', async () => {
    const clock = new ManualClock();
    const provider = new ScriptedProvider(slowly(clock, limitMs - 1000, 5));
    const agent = {
      ...anAgent({ provider, clock, inactivity: { timeoutMs: limitMs, setting: 'agent.some_seconds' } }),
      clock,
    };
    const { end } = await pass(clock, runTurn(agent), limitMs * 6);
    expect(end).toMatchObject({ reason: 'end_turn', text: 'done' });
  });

  test('leaves no wait behind', async () => {
    const agent = aWorld(new ScriptedProvider(says('ok')));
    const events: TurnEvent[] = [];
    await runTurn(agent, { onEvent: (event) => events.push(event) });
    expect(agent.clock.sleeping).toEqual([]);
  });
});

test('without a limit nothing is watched', async () => {
  const clock = new ManualClock();
  const provider = new ScriptedProvider(slowly(clock, limitMs * 10, 1));
  const agent = { ...anAgent({ provider, clock }), clock };
  const { end } = await pass(clock, runTurn(agent), limitMs * 11);
  expect(end.reason).toBe('end_turn');
});
