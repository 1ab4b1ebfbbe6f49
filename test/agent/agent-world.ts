import { z } from 'zod';
import { type AgentDeps, createAgent } from '../../src/agent/index.js';
import { createToolRegistry } from '../../src/agent/tool-registry.js';
import { toCorrelationId, toSessionId, toTurnId, toUserId } from '../../src/core/ids.js';
import type { Category } from '../../src/core/permission.js';
import type { ModelMessage, Provider } from '../../src/core/provider.js';
import type { Tool, ToolContext, ToolOutcome } from '../../src/core/tool.js';
import type { Agent, TurnEnd, TurnEvent, TurnInput } from '../../src/core/turn.js';
import { anOrigin } from '../fakes/builders.js';
import { createCountingIds } from '../fakes/counting-ids.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryJournal } from '../fakes/memory-journal.js';
import { MemoryLogger } from '../fakes/memory-logger.js';
import { ScriptedProvider, says } from '../fakes/scripted-provider.js';
import { somePermissions } from '../fakes/some-permissions.js';
import { someServices } from '../fakes/tool-services.js';

export const secret = 'sk-very-secret';

export const user = (text: string): ModelMessage => ({ role: 'user', text });

export const aTurn = (changes: Partial<TurnInput> = {}): TurnInput => ({
  turn: toTurnId('t1'),
  session: toSessionId('s1'),
  model: 'emulated-small',
  system: 'You are a test.',
  history: [user('hello')],
  openCalls: [],
  caller: { origin: anOrigin(), user: toUserId('u1'), isOwner: true },
  correlation: toCorrelationId('corr-1'),
  maxSteps: 10,
  contextTokens: 100_000,
  ...changes,
});

export interface TestAgent {
  readonly agent: Agent;
  readonly clock: ManualClock;
  readonly logger: MemoryLogger;
}

interface AgentSketch extends Partial<Omit<AgentDeps, 'tools' | 'provider'>> {
  readonly provider?: Provider;
  readonly tools?: readonly Tool[];
}

export const anAgent = ({
  tools = [],
  provider = new ScriptedProvider(says('Hi')),
  ...changes
}: AgentSketch = {}): TestAgent => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const agent = createAgent({
    provider,
    tools: createToolRegistry(tools),
    permissions: somePermissions(),
    services: someServices(),
    clock,
    ids: createCountingIds(),
    logger,
    redact: (text) => text.replaceAll(secret, '***'),
    prompt: { loadSoul: async () => undefined, loadInstructions: async () => undefined },
    ...changes,
  });
  return { agent, clock, logger };
};

export interface TurnOutcome {
  readonly events: readonly TurnEvent[];
  readonly end: TurnEnd;
  readonly journal: MemoryJournal;
}

interface RunSketch {
  readonly input?: Partial<TurnInput>;
  readonly journal?: MemoryJournal;
  readonly signal?: AbortSignal;
  /** Called for each event as it comes. */
  readonly onEvent?: (event: TurnEvent) => void;
}

/** Runs a turn to its end. */
export const runTurn = async (
  { agent, logger = new MemoryLogger() }: Pick<TestAgent, 'agent'> & Partial<Pick<TestAgent, 'logger'>>,
  { input, journal = new MemoryJournal(), signal = new AbortController().signal, onEvent }: RunSketch = {},
): Promise<TurnOutcome> => {
  const events: TurnEvent[] = [];
  for await (const event of agent.run(aTurn(input), journal, { signal, logger })) {
    events.push(event);
    onEvent?.(event);
  }
  const end = events.at(-1);
  if (end?.type !== 'turn-end') throw new Error('a turn ends with turn-end');
  return { events, end, journal };
};

/** The stored history as the next turn finds it: what was there, what the turn stored, what it ended with. */
export const historyAfter = (
  { end, journal }: TurnOutcome,
  before: readonly ModelMessage[],
): readonly ModelMessage[] => [
  ...before,
  ...journal.messages,
  ...(end.message === undefined ? [] : [end.message]),
];

interface ToolSketch {
  readonly name?: string;
  readonly category?: Category;
  readonly mode?: Tool['mode'];
  readonly input?: z.ZodType;
  readonly changes?: Partial<Tool>;
  readonly execute?: (input: unknown, context: ToolContext) => Promise<ToolOutcome>;
}

export interface TestTool extends Tool {
  /** The inputs it ran with. */
  readonly inputs: readonly unknown[];
}

/** Takes any object unless told otherwise, and answers `done`. */
export const aTool = ({
  name = 'look',
  category = 'read',
  mode = 'parallel',
  input = z.looseObject({}),
  execute = async () => ({ text: 'done', isError: false }),
  changes = {},
}: ToolSketch = {}): TestTool => {
  const inputs: unknown[] = [];
  return {
    name,
    title: `Title of ${name}`,
    description: `Does ${name}.`,
    category,
    mode,
    input,
    inputs,
    execute(given, context) {
      inputs.push(given);
      return execute(given, context);
    },
    ...changes,
  };
};
