import { describe, expect, test } from 'vitest';
import type { Category } from '../../src/core/permission.js';
import type { ModelMessage } from '../../src/core/provider.js';
import type { OpenCall } from '../../src/core/turn.js';
import { aToolCall, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn, secret, user } from './agent-world.js';

const resume = async (open: Omit<OpenCall, 'call'>, tool = aTool({ name: 'act', category: 'write' })) => {
  const call = aToolCall({ id: 'c1', name: 'act', arguments: { path: 'notes.txt', key: secret, n: 1 } });
  const history: readonly ModelMessage[] = [
    user('do it'),
    { role: 'assistant', text: 'On it.', toolCalls: [call] },
  ];
  const provider = new ScriptedProvider(says('ok'));
  const outcome = await runTurn(anAgent({ provider, tools: [tool] }), {
    input: { history, openCalls: [{ call, ...open }] },
  });
  return { ...outcome, tool, notices: outcome.journal.notices, request: provider.requests[0] };
};

describe('a call that a crash left open', () => {
  test('runs if it was not begun', async () => {
    const { tool, journal, notices, request } = await resume({ isBegun: false });
    expect(tool.inputs).toHaveLength(1);
    expect(journal.order).toEqual(['begun c1', 'result c1']);
    expect(notices).toEqual([]);
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('runs again if it only reads', async () => {
    const { tool, journal } = await resume(
      { isBegun: true, category: 'read' },
      aTool({ name: 'act', category: 'read' }),
    );
    expect(tool.inputs).toHaveLength(1);
    expect(journal.results[0]).toMatchObject({ text: 'done', isError: false });
  });

  test.each<{ category?: Category }>([
    { category: 'write' },
    { category: 'system' },
    { category: 'finance' },
    {},
  ])('is not repeated if it was begun and may have acted (%o), and the person is told', async (known) => {
    const { tool, journal, notices, request } = await resume({ isBegun: true, ...known });
    expect(tool.inputs).toEqual([]);
    expect(journal.order).toEqual(['result c1']);
    expect(journal.results[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('not repeated'),
    });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('“Title of act” (path: notes.txt, key: ***, n: 1)');
    expect(request?.messages.at(-1)).toMatchObject({ role: 'tool', call: 'c1' });
  });

  test('has a result after a stop too', async () => {
    const call = aToolCall({ id: 'c1', name: 'act' });
    const tool = aTool({ name: 'act' });
    const { journal, end } = await runTurn(anAgent({ tools: [tool] }), {
      input: { openCalls: [{ call, isBegun: false }] },
      signal: AbortSignal.abort(new Error('stopped')),
    });
    expect(end.reason).toBe('cancelled');
    expect(journal.results[0]?.text).toBe('Stopped by the user before it ran.');
    expect(tool.inputs).toEqual([]);
  });
});
