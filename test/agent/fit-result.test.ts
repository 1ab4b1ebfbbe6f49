import { describe, expect, test } from 'vitest';
import type { SpillPort } from '../../src/agent/spill-port.js';
import { callsTools, ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn } from './agent-world.js';

class MemorySpill implements SpillPort {
  readonly hints = { look: 'Look there.', elsewhere: 'Look elsewhere.' };
  readonly kept = new Map<string, string>();

  async keep(text: string, name: string): Promise<string> {
    this.kept.set(name, text);
    return `/cache/${name}`;
  }
}

const resultOf = async (
  text: string,
  {
    spill,
    contextTokens = 128_000,
  }: {
    readonly spill?: SpillPort;
    readonly contextTokens?: number;
  },
): Promise<string> => {
  const agent = anAgent({
    provider: new ScriptedProvider(callsTools([{ id: 'c1', name: 'look' }]), says('ok')),
    tools: [aTool({ execute: async () => ({ text, isError: false }) })],
    ...(spill !== undefined && { spill }),
  });
  const { journal } = await runTurn(agent, { input: { contextTokens } });
  return journal.results[0]?.text ?? '';
};

describe('a result', () => {
  test('of up to 100,000 characters is given whole', async () => {
    const spill = new MemorySpill();
    const text = 'x'.repeat(100_000);
    expect(await resultOf(text, { spill })).toBe(text);
    expect(spill.kept.size).toBe(0);
  });

  test('that is longer is kept whole; the model gets head, tail, what is missing and where it is', async () => {
    const spill = new MemorySpill();
    const text = `begin ${'🙂'.repeat(1_000_000)} end`;
    const shown = await resultOf(text, { spill });
    expect([...spill.kept]).toEqual([['t1-c1-look', text]]);
    expect(shown.length).toBeLessThan(21_000);
    const [note = '', ...rest] = shown.split('\n');
    expect(note).toContain('2000010 characters');
    expect(note).toContain('/cache/t1-c1-look');
    expect(note).toContain('Look there.');
    // There is no such tool here.
    expect(note).not.toContain('Look elsewhere.');
    const [head = '', gap = '', tail = ''] = rest;
    expect(head).toMatch(/^begin /u);
    expect(tail).toMatch(/ end$/u);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.4, 2);
    expect(gap).toBe(`[… ${text.length - head.length - tail.length} characters left out …]`);
    expect(shown).not.toMatch(/\p{Surrogate}/u);
  });

  test('that would fill a small window is kept too, though it is not long', async () => {
    const spill = new MemorySpill();
    const shown = await resultOf('x'.repeat(80_000), { spill, contextTokens: 32_000 });
    expect(spill.kept.size).toBe(1);
    expect(shown.length).toBeLessThan(15_000);
  });

  test('that cannot be kept is only cut', async () => {
    const spill: SpillPort = { hints: {}, keep: () => Promise.reject(new Error('the disk is full')) };
    const shown = await resultOf('x'.repeat(200_000), { spill });
    expect(shown).toContain('characters left out');
    expect(shown.length).toBeLessThan(21_000);
  });
});
