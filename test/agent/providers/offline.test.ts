import { describe, expect, test } from 'vitest';
import { createProvider } from '../../../src/agent/index.js';
import type { ModelMessage } from '../../../src/core/provider.js';
import { demoCalls, tools } from '../../../src/tools/index.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { MemoryFiles, MemoryTodos, someServices } from '../../fakes/tool-services.js';
import { anAgent, runTurn, user } from '../agent-world.js';

const services = someServices({
  files: new MemoryFiles({ 'notes.txt': 'milk\neggs' }),
  todos: new MemoryTodos(),
});

const anOfflineAgent = () => {
  const ports = {
    clock: new ManualClock(),
    logger: new MemoryLogger(),
    ids: createCountingIds(),
    redact: (text: string) => text,
  };
  const provider = createProvider('offline', { settingsPath: 'model' }, { ...ports, demoCalls });
  if (provider === undefined) throw new Error('the provider is registered');
  return { provider, ...anAgent({ provider, tools, services }), clock: ports.clock };
};

const ask = (text: string, before: readonly ModelMessage[] = []) =>
  runTurn(anOfflineAgent(), { input: { history: [...before, user(text)] } });

const earlier: readonly ModelMessage[] = [user('hi'), { role: 'assistant', text: 'Hello!', toolCalls: [] }];

describe('the offline model', () => {
  test('says that it is a demo and how to connect a real model', async () => {
    const { end } = await ask('what can you do?');
    expect(anOfflineAgent().provider.isDemo).toBe(true);
    expect(end.text).toContain('scripted demo');
    expect(end.text).toContain('> what can you do?');
    expect(end.text).toContain('OPENAI_API_KEY');
    expect(end.text).toContain('base_url');
    expect(end.text).toContain('`read notes.txt`');
  });

  test('says it again whenever it is asked for help, and briefly otherwise', async () => {
    expect((await ask('/help', earlier)).end.text).toContain('OPENAI_API_KEY');
    const { end } = await ask('nice\nday', earlier);
    expect(end.text).toContain('> nice\n> day');
    expect(end.text).toContain('scripted demo');
    expect(end.text.length).toBeLessThan(200);
  });

  test('streams in words that add up to the answer', async () => {
    const { events, end } = await ask('hello there');
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.join('')).toBe(end.text);
  });

  test('reads a file when told to, and shows what came of it', async () => {
    const { events, end } = await ask('read notes.txt');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-start', name: 'read_file', summary: 'notes.txt' }),
    );
    expect(end.text).toBe('The tool answered:\n\n> 1\tmilk\n> 2\teggs');
    expect((await ask('read gone.txt')).end.text).toMatch(/^The tool could not do that:\n\n> .*notes\.txt/);
  });

  test('keeps a task list when told to', async () => {
    await ask('todo buy milk');
    const { end } = await ask('todo buy eggs');
    expect(end.text).toContain('[pending] buy milk');
    expect(end.text).toContain('[pending] buy eggs');
  });

  test('writes slowly when told to, and ends at once when it is stopped', async () => {
    const { clock, ...world } = anOfflineAgent();
    const stop = new AbortController();
    const turn = runTurn(world, { input: { history: [user('slow')] }, signal: stop.signal });
    await clock.waiting();
    stop.abort(new Error('stopped by hand'));
    const { end } = await turn;
    expect(end.reason).toBe('cancelled');
    expect(clock.sleeping).toEqual([]);
  });

  test('asks for no tool that is not there', async () => {
    const { provider } = anOfflineAgent();
    const { events } = await runTurn(anAgent({ provider }), { input: { history: [user('read notes.txt')] } });
    expect(events.some(({ type }) => type === 'tool-start')).toBe(false);
  });

  test('is ready at once and unknown names are not served', async () => {
    await anOfflineAgent().provider.warmUp();
    const ports = {
      clock: new ManualClock(),
      logger: new MemoryLogger(),
      ids: createCountingIds(),
      redact: (text: string) => text,
    };
    expect(createProvider('oracle', { settingsPath: 'model' }, ports)).toBeUndefined();
  });
});
