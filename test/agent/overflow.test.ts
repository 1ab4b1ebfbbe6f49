import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../src/core/provider.js';
import type { Tool } from '../../src/core/tool.js';
import { toolCall, toolCalls } from '../emulators/openai/control.js';
import { callsTools, fails, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn, user } from './agent-world.js';
import { converse, openWorld, toAgent, wireMessages } from './providers/openai-world.js';

const refused = fails({ code: 'context-too-long', userText: 'Too long. Start afresh with /new.' });
const turns = (count: number, size: number): readonly ModelMessage[] =>
  Array.from({ length: count }, (_, index): readonly ModelMessage[] => [
    user(`${index} ${'x'.repeat(size)}`),
    { role: 'assistant', text: 'ok', toolCalls: [] },
  ]).flat();

describe('a request that the service refuses as too long', () => {
  test('is made shorter and sent again; what fits is remembered for the next turn', async () => {
    const provider = new ScriptedProvider(refused, says('a summary'), says('fine'), says('again'));
    const agent = anAgent({ provider });
    const history = [...turns(20, 3500), user('now')];
    const { end, journal } = await runTurn(agent, { input: { history } });
    expect(end).toMatchObject({ reason: 'end_turn', text: 'fine', steps: 1 });
    expect(journal.compactions).toHaveLength(1);
    const [first, , second] = provider.requests;
    expect(second?.messages.length).toBeLessThan((first?.messages.length ?? 0) / 2);
    expect(second?.messages.at(-1)).toEqual(user('now'));
    await runTurn(agent, { input: { history: [...turns(17, 3500), user('then')] } });
    // A window of 0.7 of what was refused is full by now, so the next session is summed up before it is refused.
    expect(provider.requests[3]?.system).not.toBe('You are a test.');
  });

  test('is given up after three tries with less, with a sentence for the person', async () => {
    const provider = new ScriptedProvider(refused);
    const { end } = await runTurn(anAgent({ provider }), {
      input: { history: [...turns(40, 3500), user('now')], contextTokens: 200_000 },
    });
    expect(end).toMatchObject({ reason: 'error', error: { code: 'context-too-long' } });
    expect(end.text).toBe('Too long. Start afresh with /new.');
    const own = provider.requests.filter(({ system }) => system === 'You are a test.');
    expect(own).toHaveLength(4);
    const sizes = own.map(({ messages }) => messages.length);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  test('is not sent again where it cannot become shorter', async () => {
    const provider = new ScriptedProvider(refused);
    const { end } = await runTurn(anAgent({ provider }), { input: { history: [user('x'.repeat(50_000))] } });
    expect(provider.requests).toHaveLength(1);
    expect(end.text).toContain('/new');
  });

  test('is shorter also within a turn: the results of its earlier steps go first', async () => {
    const big = { text: 'y'.repeat(20_000), isError: false };
    const provider = new ScriptedProvider(
      callsTools([{ id: 'c1', name: 'look' }]),
      callsTools([{ id: 'c2', name: 'look' }]),
      refused,
      says('fine'),
    );
    const { end } = await runTurn(anAgent({ provider, tools: [aTool({ execute: async () => big })] }));
    expect(end.text).toBe('fine');
    const [asked, ...work] = provider.requests[3]?.messages ?? [];
    expect(asked).toEqual(user('hello'));
    expect(work.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool']);
    expect(work[1]?.text).toContain('left out to save room');
  });
});

/** Answers with a text of the given size, with a character of two halves everywhere. */
const sizedTool = (): Tool =>
  aTool({
    execute: async (input) => {
      const { size, sign } = input as { readonly size: number; readonly sign: string };
      return { text: `begin ${sign.repeat(size / sign.length)} end`, isError: false };
    },
  });

describe('LL-09 huge results in a window of 32,000 tokens', () => {
  const contextTokens = 32_000;
  const open = async () => {
    const world = await openWorld({ contextTokens });
    return { world, talk: converse(toAgent(world, [sizedTool()])), sketch: { input: { contextTokens } } };
  };
  const lone = /\p{Surrogate}/u;

  test('one of 2 MB, and one cut inside emoji: a part is shown at whole characters, with what is missing', async () => {
    const { world, talk, sketch } = await open();
    await world.control.respond(
      toolCall('look', { size: 2_000_000, sign: 'a' }),
      toolCall('look', { size: 2_000_000, sign: '🙂' }),
    );
    const { end, journal } = await talk.say('look at both', sketch);
    expect(end).toMatchObject({ reason: 'end_turn', text: 'echo: look at both' });
    for (const { text } of journal.results) {
      expect(text).toMatch(/begin .* end$/su);
      expect(text).toMatch(/\[… \d+ characters left out …\]/u);
      expect(text).not.toMatch(lone);
      expect(text.length).toBeLessThan(21_000);
    }
  });

  test('five of 80 KB: their sum is bounded, and calls keep their results', async () => {
    const { world, talk, sketch } = await open();
    const call = { name: 'look', arguments: { size: 80_000, sign: 'a' } };
    await world.control.respond(toolCalls([call, call, call]), toolCalls([call, call]));
    const { end, journal } = await talk.say('look at all five', sketch);
    expect(end).toMatchObject({ reason: 'end_turn', text: 'echo: look at all five' });
    expect(journal.results).toHaveLength(5);
    const messages = await wireMessages(world.control, 3);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
      'tool',
      'tool',
    ]);
    expect(messages[0]).toMatchObject({ content: 'You are a test.' });
    expect(messages[1]).toMatchObject({ content: 'look at all five' });
    expect(JSON.stringify(messages).length).toBeLessThan(contextTokens * 4);
    expect((await world.control.requests()).every(({ answer }) => answer.outcome === 'complete')).toBe(true);
  });

  test('the service takes far less than the settings say: the turn still ends well, and so do the next', async () => {
    const world = await openWorld({ contextTokens: 3000 });
    const talk = converse(toAgent(world, [sizedTool()]));
    await world.control.respond(toolCall('look', { size: 80_000, sign: '🙂' }));
    const { end } = await talk.say('look', { input: { contextTokens } });
    expect(end).toMatchObject({ reason: 'end_turn', text: 'echo: look' });
    const later = await talk.say('and now?', { input: { contextTokens } });
    expect(later.end).toMatchObject({ reason: 'end_turn', text: 'echo: and now?' });
    expect(JSON.stringify(await world.control.requests())).not.toMatch(lone);
  });

  test('a message that no window takes ends with a sentence after few tries, and the session lives on', async () => {
    const world = await openWorld({ contextTokens: 3000 });
    const talk = converse(toAgent(world));
    const { end } = await talk.say('x'.repeat(90_000), { input: { contextTokens } });
    expect(end.reason).toBe('error');
    expect(end.text).toContain('/new');
    expect((await world.control.requests()).length).toBeLessThanOrEqual(4);
    const later = await talk.say('short', { input: { contextTokens } });
    expect(later.end).toMatchObject({ reason: 'end_turn', text: expect.stringContaining('short') });
  });
});
