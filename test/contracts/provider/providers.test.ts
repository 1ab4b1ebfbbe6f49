import { createProvider } from '../../../src/agent/index.js';
import { withFallback } from '../../../src/agent/providers/fallback.js';
import { withRetry } from '../../../src/agent/providers/retry.js';
import { withVision } from '../../../src/agent/providers/vision.js';
import { demoCalls } from '../../../src/tools/index.js';
import { user } from '../../agent/agent-world.js';
import { aRequest, openWorld } from '../../agent/providers/openai-world.js';
import { badKey, gate, text, toolCalls } from '../../emulators/openai/control.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { callsTools, fails, hangs, ScriptedProvider, says } from '../../fakes/scripted-provider.js';
import { describeProvider, type ProviderCase } from './provider-suite.js';

const tools = ['read_file', 'todo'].map((name) => ({
  name,
  description: 'Looks.',
  parameters: { type: 'object', properties: {} },
}));
const request = aRequest({ tools });

const scripted = (of: ProviderCase) => {
  switch (of) {
    case 'answers':
      return new ScriptedProvider(says('Hi'));
    case 'calls-tools':
      return new ScriptedProvider(callsTools([{ name: 'todo' }, { name: 'todo', arguments: { a: 1 } }]));
    case 'fails':
      return new ScriptedProvider(fails());
    case 'waits':
      return new ScriptedProvider(hangs());
  }
};

describeProvider({ name: 'the scripted fake', create: async (of) => ({ provider: scripted(of), request }) });

describeProvider({
  name: 'the retry wrapper',
  create: async (of) => {
    const clock = new ManualClock();
    // What it waits for is its own clock, which stands still.
    const inner = of === 'waits' ? new ScriptedProvider(fails({ retry: { kind: 'later' } })) : scripted(of);
    const provider = withRetry(inner, { clock, logger: new MemoryLogger() });
    return { provider, request, underWay: () => clock.waiting() };
  },
});

const offlinePorts = () => ({
  clock: new ManualClock(),
  logger: new MemoryLogger(),
  ids: createCountingIds(),
  redact: (given: string) => given,
  demoCalls,
});

describeProvider({
  name: 'the offline model',
  create: async (of) => {
    const provider = createProvider('offline', { settingsPath: 'model' }, offlinePorts());
    if (provider === undefined) throw new Error('the provider is registered');
    const messages = [user(of === 'calls-tools' ? 'read notes.txt' : 'hello')];
    return { provider, request: aRequest({ tools, messages }) };
  },
  skips: {
    fails: 'it is scripted and in process: nothing can go wrong',
    waits: 'it answers at once and waits for nothing',
  },
});

describeProvider({
  name: 'openai',
  create: async (of) => {
    const world = await openWorld();
    const responses = {
      answers: text('Hi'),
      'calls-tools': toolCalls([
        { name: 'todo', arguments: {} },
        { name: 'todo', arguments: { a: 1 } },
      ]),
      fails: badKey(),
      waits: gate(text('never'), 'contract'),
    } as const;
    await world.control.respond(responses[of]);
    const underWay = async () => {
      await world.control.waitFor({ gate: 'contract', waiting: 1 });
    };
    return { provider: world.provider, request, underWay };
  },
});

describeProvider({
  name: 'the fallback wrapper',
  create: async (of) => {
    const standIn = { provider: scripted(of), model: 'other' };
    const ports = { clock: new ManualClock(), logger: new MemoryLogger() };
    return { provider: withFallback(new ScriptedProvider(fails()), [standIn], ports), request };
  },
});

describeProvider({
  name: 'the vision wrapper',
  create: async (of) => {
    const file = { path: '/a.png', fileName: 'a.png', mimeType: 'image/png', sizeBytes: 1 };
    const options = { sees: undefined, loadImage: async () => undefined, logger: new MemoryLogger() };
    return {
      provider: withVision(scripted(of), options),
      request: { ...request, messages: [{ role: 'user', text: 'look', images: [file] }] },
    };
  },
});
