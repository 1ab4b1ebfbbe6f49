import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../src/agent/permit-call.js';
import type { ApprovalAnswer } from '../../src/core/approval.js';
import { never, ToolError } from '../../src/core/errors.js';
import type { Tool } from '../../src/core/tool.js';
import { callsTools, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { somePermissions } from '../fakes/some-permissions.js';
import { anAgent, aTool, runTurn, secret, type TestTool } from './agent-world.js';

type Permissions = ReturnType<typeof somePermissions>;

const runStep = (
  tools: readonly TestTool[],
  permissions: Permissions,
  calls: readonly { readonly id: string; readonly name: string; readonly arguments?: unknown }[] = [
    { id: 'c1', name: 'look' },
  ],
  options: Parameters<typeof runTurn>[1] = {},
) => {
  const provider = new ScriptedProvider(callsTools(calls), says('ok'));
  return runTurn(anAgent({ provider, tools, permissions }), options);
};

const aSystemTool = (changes: Partial<Tool> = {}): TestTool => aTool({ category: 'system', changes });

describe('a call that needs permission', () => {
  test('runs once it is allowed, and is begun only then', async () => {
    const tool = aSystemTool();
    const permissions = somePermissions({
      answer: () => {
        expect(tool.inputs).toEqual([]);
        return { outcome: 'allowed' };
      },
    });
    const { journal, events } = await runStep([tool], permissions);
    expect(permissions.asked).toMatchObject([
      { tool: 'look', category: 'system', grant: { keys: ['*'] }, context: { turn: 't1', call: 'c1' } },
    ]);
    expect(tool.inputs).toHaveLength(1);
    expect(journal.results[0]).toMatchObject({ text: 'done', isError: false });
    expect(events.filter(({ type }) => type.startsWith('tool-'))).toHaveLength(2);
  });

  const refusals: readonly (readonly [ApprovalAnswer, RegExp])[] = [
    [{ outcome: 'denied' }, /user denied this call, so it was not run\. Do not repeat/],
    [{ outcome: 'denied', reason: 'use the copy' }, /Their reason: use the copy/],
    [{ outcome: 'timed-out' }, /did not answer in time: denied \(no answer\)/],
    [{ outcome: 'cancelled' }, /cancelled before the user answered/],
    [{ outcome: 'unasked', problem: 'The chat is gone.' }, /could not be asked for: The chat is gone\./],
  ];

  test.each(refusals)('is told apart: %o', async (answer, text) => {
    const tool = aSystemTool();
    const { journal } = await runStep([tool], somePermissions({ answer: () => answer }));
    expect(journal.results[0]).toMatchObject({ text: expect.stringMatching(text), isError: true });
    expect(journal.order).not.toContain('begun c1');
    expect(tool.inputs).toEqual([]);
  });

  test('is not asked about where nobody is, where a grant covers it, where it is forbidden, where the matrix denies', async () => {
    const forbidden = aSystemTool({ forbids: () => 'It wipes the disk.' });
    const deny = { auto: { system: 'deny' } } as never;
    const cases = [
      { tool: aSystemTool(), permissions: somePermissions({ canAsk: false }), text: /nobody is here/ },
      { tool: aSystemTool(), permissions: somePermissions({ granted: ['look'] }), text: /^done$/ },
      {
        tool: forbidden,
        permissions: somePermissions({ level: 'full-access', granted: ['look'] }),
        text: /never done, whoever asks for it: It wipes the disk\./,
      },
      { tool: aSystemTool(), permissions: somePermissions({ matrix: deny }), text: /not allowed here/ },
    ];
    for (const { tool, permissions, text } of cases) {
      const { journal } = await runStep([tool], permissions);
      expect(journal.results[0]?.text).toMatch(text);
      expect(permissions.asked).toEqual([]);
    }
  });

  test('shows its arguments by name without secrets, or what the tool presents', async () => {
    const plain = aSystemTool();
    const permissions = somePermissions();
    const given = { path: 'a.txt', text: `two\nlines ${secret}`, password: 'hunter2', deep: { one: 1 } };
    await runStep([plain], permissions, [{ id: 'c1', name: 'look', arguments: given }]);
    expect(permissions.asked[0]?.details).toBe(
      'path: a.txt\ntext: two\nlines ***\npassword: •••\ndeep: {"one":1}',
    );
    const presenting = aSystemTool({
      present: async () => `- old\n+ ${'x'.repeat(30_000)}`,
      riskOf: () => 'It deletes files.',
      grantOf: () => ({ keys: ['git'], label: `git ${secret}` }),
    });
    const asked = somePermissions();
    await runStep([presenting], asked);
    expect(asked.asked[0]).toMatchObject({
      risk: 'It deletes files.',
      grant: { keys: ['git'], label: 'git ***' },
      details: expect.stringMatching(/^- old\n\+ x+\n\[… \d+ more characters\]$/),
    });
  });

  test('that cannot even be presented is refused with the reason', async () => {
    const failed = new ToolError({ code: 'not-found', message: 'There is no file a.txt.', retry: never });
    const tool = aSystemTool({ present: () => Promise.reject(failed) });
    const permissions = somePermissions();
    const { journal } = await runStep([tool], permissions);
    expect(journal.results[0]?.text).toBe('There is no file a.txt.');
    expect(permissions.asked).toEqual([]);
  });

  test('is asked about beside its neighbours where they run side by side, each by its own request', async () => {
    const open: (() => void)[] = [];
    const permissions = somePermissions({
      answer: (_request, _signal) =>
        new Promise((resolve) => {
          open.push(() => resolve({ outcome: 'allowed' }));
          if (open.length === 3) for (const answer of [...open].reverse()) answer();
        }),
    });
    const calls = ['c1', 'c2', 'c3'].map((id) => ({ id, name: 'look', arguments: { id } }));
    const { journal } = await runStep([aSystemTool()], permissions, calls);
    expect(permissions.asked.map(({ context }) => context.call)).toEqual(['c1', 'c2', 'c3']);
    expect(journal.results.map(({ call, text }) => [call, text])).toEqual([
      ['c1', 'done'],
      ['c2', 'done'],
      ['c3', 'done'],
    ]);
  });

  test('ends with the turn that waits for it', async () => {
    const stop = new AbortController();
    const tool = aSystemTool();
    const permissions = somePermissions({
      answer: (_request, signal) => {
        expect(signal.aborted).toBe(false);
        stop.abort(new Error('stopped'));
        return new Promise(() => {});
      },
    });
    const { journal, end } = await runStep([tool], permissions, undefined, { signal: stop.signal });
    expect(end.reason).toBe('cancelled');
    expect(journal.results[0]?.text).toContain('before it ran');
    expect(tool.inputs).toEqual([]);
  });
});

describe('what looks like a secret', () => {
  test.each([
    [
      'curl -H "Authorization: Bearer abc.def-123" https://a.test',
      'curl -H "Authorization: Bearer •••" https://a.test',
    ],
    ['mysql --password=hunter2 -e x', 'mysql --password=••• -e x'],
    ['API_KEY="a b" run', 'API_KEY=••• run'],
    ['git clone https://me:s3cr3t@git.test/x', 'git clone https://me:•••@git.test/x'],
    ['echo sk-abcdefghijklmnop1234', 'echo •••'],
    ['export GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuv', 'export GITHUB_TOKEN=•••'],
  ])('is masked in %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each(['git status', 'ls --all', 'cat token-list.md', 'echo password', 'https://a.test:8080/x@y'])(
    'is not seen in %s',
    (text) => {
      expect(maskSecrets(text)).toBe(text);
    },
  );
});
