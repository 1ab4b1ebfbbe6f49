import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { createProvider, type ProviderSettings, type WarmProvider } from '../../../src/agent/index.js';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../src/core/provider.js';
import type { Tool } from '../../../src/core/tool.js';
import {
  createOpenAiControl,
  type OpenAiControl,
  type WorldOptions,
} from '../../emulators/openai/control.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { anAgent, historyAfter, runTurn, type TestAgent, type TurnOutcome, user } from '../agent-world.js';

export interface OpenAiWorld {
  readonly control: OpenAiControl;
  /** The real client with our retry around it, on `clock`. */
  readonly provider: WarmProvider;
  readonly clock: ManualClock;
  readonly logger: MemoryLogger;
}

/** A world of its own on the emulator process, and a provider that talks to it over loopback. */
export const openWorld = async (
  options: WorldOptions = {},
  settings: Partial<ProviderSettings> = {},
  loadImage: () => Promise<Uint8Array | undefined> = async () => undefined,
): Promise<OpenAiWorld> => {
  const control = createOpenAiControl(`http://127.0.0.1:${inject('openaiPort')}`, `sk-${randomUUID()}`);
  await control.reset(options);
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const provider = createProvider(
    'openai',
    { settingsPath: 'model', baseUrl: control.baseUrl, apiKey: control.key, ...settings },
    {
      clock,
      logger,
      loadImage,
      ids: createCountingIds(),
      redact: (text) => text.replaceAll(control.key, '***'),
    },
  );
  if (provider === undefined) throw new Error('the provider is registered');
  return { control, provider, clock, logger };
};

export const toAgent = (
  { provider, clock, logger }: OpenAiWorld,
  tools: readonly Tool[] = [],
): TestAgent => ({
  ...anAgent({ provider, clock, logger, tools }),
  clock,
  logger,
});

export interface Conversation {
  readonly history: readonly ModelMessage[];
  /** One turn with this text; the history grows by what it stored. */
  say(text: string, sketch?: Parameters<typeof runTurn>[1]): Promise<TurnOutcome>;
}

/** Turn after turn over one stored history. */
export const converse = (agent: TestAgent, before: readonly ModelMessage[] = []): Conversation => {
  let history = before;
  return {
    get history() {
      return history;
    },
    async say(text, sketch = {}) {
      history = [...history, user(text)];
      const outcome = await runTurn(agent, { ...sketch, input: { history, ...sketch.input } });
      history = historyAfter(outcome, history);
      return outcome;
    },
  };
};

export const aRequest = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'emulated-small',
  system: 'You are a test.',
  messages: [user('hello')],
  tools: [],
  ...changes,
});

/** Reads one call to its end. */
export const readEvents = async (
  { provider }: Pick<OpenAiWorld, 'provider'>,
  request: ModelRequest = aRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, { signal })) events.push(event);
  return events;
};

export const shownText = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

/** The messages of the request, as they went over the wire. */
export const wireMessages = async (control: OpenAiControl, number: number) => {
  const request = (await control.requests()).find((each) => each.number === number);
  const body = request?.body as
    | { readonly messages?: readonly { readonly [name: string]: unknown }[] }
    | undefined;
  return body?.messages ?? [];
};
