import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { never, ToolError } from '../../src/core/errors.js';
import type { ToolOutcome } from '../../src/core/tool.js';
import { callsTools, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { somePermissions } from '../fakes/some-permissions.js';
import { anAgent, aTool, runTurn, secret, type TestTool } from './agent-world.js';

interface CallSketch {
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** One step with these calls, then an answer. */
const runStep = (
  tools: readonly TestTool[],
  calls: readonly CallSketch[],
  agent: Parameters<typeof anAgent>[0] = {},
) => {
  const named = calls.map(({ id, name = 'look', ...rest }, index) => ({
    id: id ?? `c${index + 1}`,
    name,
    ...rest,
  }));
  const provider = new ScriptedProvider(callsTools(named), says('ok'));
  return runTurn(anAgent({ provider, tools, ...agent }));
};

/** A tool whose calls end when the test says so. */
const aSlowTool = (name: string, mode: 'parallel' | 'exclusive') => {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const watchers = new Set<() => void>();
  const tool = aTool({
    name,
    mode,
    execute: (_input, { call }) =>
      new Promise<ToolOutcome>((resolve) => {
        started.push(call);
        finish.set(call, () => resolve({ text: `end of ${call}`, isError: false }));
        for (const watcher of watchers) watcher();
      }),
  });
  const untilStarted = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (started.length >= count) resolve();
      };
      watchers.add(check);
      check();
    });
  return { tool, started, finish: (call: string) => finish.get(call)?.(), untilStarted };
};

describe('the calls of one step', () => {
  test('run side by side and are recorded in their order, whichever ends first', async () => {
    const slow = aSlowTool('look', 'parallel');
    const provider = new ScriptedProvider(
      callsTools(['c1', 'c2', 'c3'].map((id) => ({ id, name: 'look' }))),
      says('ok'),
    );
    const following: Readonly<Record<string, string>> = { c3: 'c1', c1: 'c2' };
    const running = runTurn(anAgent({ provider, tools: [slow.tool] }), {
      onEvent: (event) => event.type === 'tool-end' && slow.finish(following[event.call] ?? ''),
    });
    await slow.untilStarted(3);
    slow.finish('c3');
    const { journal, events } = await running;
    expect(journal.results.map(({ text }) => text)).toEqual(['end of c1', 'end of c2', 'end of c3']);
    const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event.call] : []));
    expect(ends).toEqual(['c3', 'c1', 'c2']);
  });

  test('record a result as soon as those before it are there', async () => {
    const slow = aSlowTool('look', 'parallel');
    const provider = new ScriptedProvider(
      callsTools([
        { id: 'c1', name: 'look' },
        { id: 'c2', name: 'look' },
      ]),
      says('ok'),
    );
    const running = runTurn(anAgent({ provider, tools: [slow.tool] }), {
      onEvent: (event) => event.type === 'tool-end' && event.call === 'c1' && slow.finish('c2'),
    });
    await slow.untilStarted(2);
    slow.finish('c1');
    expect((await running).journal.order).toEqual(['step', 'begun c1', 'begun c2', 'result c1', 'result c2']);
  });

  test('run alone if exclusive', async () => {
    const slow = aSlowTool('write', 'exclusive');
    const beside = aTool({ name: 'look' });
    const running = runStep(
      [slow.tool, beside],
      [{ name: 'look' }, { name: 'write' }, { name: 'look' }, { name: 'write' }],
    );
    await slow.untilStarted(1);
    expect(beside.inputs).toHaveLength(1);
    slow.finish('c2');
    await slow.untilStarted(2);
    expect(beside.inputs).toHaveLength(2);
    slow.finish('c4');
    expect((await running).journal.results.map(({ call }) => call)).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  test('are at most eight at once', async () => {
    const slow = aSlowTool('look', 'parallel');
    const running = runStep(
      [slow.tool],
      Array.from({ length: 10 }, () => ({})),
    );
    await slow.untilStarted(8);
    for (let index = 1; index <= 8; index += 1) {
      expect(slow.started).toHaveLength(8);
      slow.finish(`c${index}`);
    }
    await slow.untilStarted(10);
    slow.finish('c9');
    slow.finish('c10');
    expect((await running).journal.results).toHaveLength(10);
  });

  test('all have a result after a stop, and none is begun any more', async () => {
    const slow = aSlowTool('write', 'exclusive');
    const stop = new AbortController();
    const provider = new ScriptedProvider(
      callsTools([
        { id: 'c1', name: 'write' },
        { id: 'c2', name: 'write' },
      ]),
      says('never'),
    );
    const running = runTurn(anAgent({ provider, tools: [slow.tool] }), { signal: stop.signal });
    await slow.untilStarted(1);
    stop.abort(new Error('stopped'));
    const { journal, end } = await running;
    expect(end).toMatchObject({ reason: 'cancelled', text: '' });
    expect(journal.order).toEqual(['step', 'begun c1', 'result c1', 'result c2']);
    expect(journal.results.map(({ text }) => text)).toEqual([
      'Stopped by the user while it ran. Whether it had an effect is unknown.',
      'Stopped by the user before it ran.',
    ]);
    expect(provider.requests).toHaveLength(1);
  });
});

describe('a call that cannot run', () => {
  const resultOf = async (...given: Parameters<typeof runStep>) => {
    const { journal, events } = await runStep(...given);
    const shown = events.find((event) => event.type === 'tool-end');
    expect(shown).toMatchObject({ isError: true });
    expect(journal.order).not.toContain('begun c1');
    return journal.results[0]?.text;
  };

  test('of an unknown name lists the names there are', async () => {
    const text = await resultOf([aTool({ name: 'look' }), aTool({ name: 'find' })], [{ name: 'lokk' }]);
    expect(text).toBe('There is no tool named lokk. Available: find, look.');
  });

  test.each([
    ['null', 'got null'],
    ['[1]', 'got an array'],
    ['not json', 'not valid JSON'],
    ['{"at":"half', 'not valid JSON'],
  ])('with arguments %s says what is wrong', async (given, said) => {
    const tool = aTool();
    expect(await resultOf([tool], [{ arguments: given }])).toContain(said);
    expect(tool.inputs).toEqual([]);
  });

  test('with arguments that do not fit the schema names the place', async () => {
    const tool = aTool({ input: z.object({ at: z.object({ line: z.number() }) }) });
    const text = await resultOf([tool], [{ arguments: { at: { line: 'two' } } }]);
    expect(text).toContain('at.line');
    expect(tool.inputs).toEqual([]);
  });

  test.each(['system', 'finance'] as const)(
    'of category %s does not run where nobody can be asked',
    async (category) => {
      const tool = aTool({ category });
      const permissions = somePermissions({ canAsk: false });
      expect(await resultOf([tool], [{}], { permissions })).toContain('nobody is here to be asked');
      expect(tool.inputs).toEqual([]);
    },
  );

  test('is raised by its arguments, and never lowered', async () => {
    const raised = aTool({ category: 'write', changes: { categoryOf: () => 'system' } });
    const permissions = somePermissions({ canAsk: false });
    expect(await resultOf([raised], [{}], { permissions })).toContain('category system');
    const lowered = aTool({ category: 'system', changes: { categoryOf: () => 'read' } });
    expect(await resultOf([lowered], [{}], { permissions })).toContain('category system');
  });

  test('is denied where the matrix has no cell for it', async () => {
    const matrix = { safe: {}, auto: { read: 'deny' }, 'full-access': {} } as never;
    expect(
      await resultOf([aTool()], [{}], { permissions: somePermissions({ matrix, level: 'auto' }) }),
    ).toContain('not allowed');
    expect(
      await resultOf([aTool()], [{}], { permissions: somePermissions({ matrix, level: 'safe' }) }),
    ).toContain('not allowed');
  });

  test('because the tool itself fails to look at it ends as a result', async () => {
    const broken = aTool({
      changes: {
        categoryOf: () => {
          throw new Error(`no ${secret}`);
        },
      },
    });
    expect(await resultOf([broken], [{}])).toBe('The tool look failed: no ***');
  });
});

describe('a tool that never asks', () => {
  test('runs at every level', async () => {
    const tool = aTool({ category: 'system', changes: { neverAsks: true } });
    const { journal } = await runStep([tool], [{}], {
      permissions: somePermissions({ matrix: {} as never, level: 'safe' }),
    });
    expect(journal.results[0]?.isError).toBe(false);
  });
});

describe('a tool that fails', () => {
  test('tells the model what it threw, without secrets', async () => {
    const tool = aTool({
      execute: () => Promise.reject(new ToolError({ code: 'failed', message: `no ${secret}`, retry: never })),
    });
    const { journal } = await runStep([tool], [{}]);
    expect(journal.results[0]).toMatchObject({ text: 'no ***', isError: true });
  });

  test('by mistake, even before it gives a promise, ends as a result too', async () => {
    const tool = aTool({
      execute: () => {
        throw new TypeError('x is undefined');
      },
    });
    const { journal, end } = await runStep([tool], [{}]);
    expect(journal.results[0]?.text).toBe(
      'The tool failed unexpectedly: x is undefined\nDo it another way, or tell the user what did not work.',
    );
    expect(end.text).toBe('ok');
  });
});

describe('a result', () => {
  test('reaches the model without configured secrets', async () => {
    const { journal } = await runStep(
      [aTool({ execute: async () => ({ text: `key=${secret}`, isError: false }) })],
      [{}],
    );
    expect(journal.results[0]?.text).toBe('key=***');
  });
});

describe('the summary of a call', () => {
  test('is one line of at most 80 characters without secrets', async () => {
    const summarise = () => `${secret}\n  ${'y'.repeat(100)}`;
    const { events } = await runStep([aTool({ changes: { summarise } })], [{}]);
    const shown = events.find((event) => event.type === 'tool-start');
    const summary = shown?.type === 'tool-start' ? shown.summary : '';
    expect(summary).toMatch(/^\*\*\* y+…$/);
    expect(summary).toHaveLength(80);
  });
});
