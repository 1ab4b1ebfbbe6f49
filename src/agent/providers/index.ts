import type { ProviderError } from '../../core/errors.js';
import type { ModelRequest } from '../../core/provider.js';
import { createOfflineProvider } from './offline.js';
import { createOpenAiChatProvider } from './openai-chat.js';
import type {
  ProviderDefinition,
  ProviderPorts,
  ProviderSettings,
  WarmProvider,
} from './provider-definition.js';
import { withRetry } from './retry.js';
import { withVision } from './vision.js';

/** One line for each wire dialect. */
const definitions: readonly ProviderDefinition[] = [
  { name: 'openai', create: createOpenAiChatProvider },
  { name: 'offline', create: (_settings, ports) => createOfflineProvider(ports) },
];

/** A provider that repeats its failed calls as their fate says and shows pictures to who sees; undefined for an unknown name. Does no I/O. */
export const createProvider = (
  name: string,
  settings: ProviderSettings,
  ports: ProviderPorts,
): WarmProvider | undefined => {
  const provider = definitions.find((definition) => definition.name === name)?.create(settings, ports);
  if (provider === undefined) return undefined;
  const { loadImage, logger } = ports;
  return withVision(withRetry(provider, ports), { sees: settings.sees, loadImage, logger });
};

const greeting: Omit<ModelRequest, 'model'> = {
  system: 'Answer with the word OK.',
  messages: [{ role: 'user', text: 'OK?' }],
  tools: [],
};

/**
 * Asks a model once, without repeats, and hangs up at its first word: whether the address, the key and the model's name are
 * good. Undefined if they are. Rejects with the signal's reason.
 */
export const tryModel = async (
  { provider: name, model, ...settings }: ProviderSettings & { provider: string; model: string },
  ports: ProviderPorts,
  { signal }: { readonly signal: AbortSignal },
): Promise<ProviderError | undefined> => {
  const provider = definitions.find((definition) => definition.name === name)?.create(settings, ports);
  if (provider === undefined) throw new Error(`no provider is called ${name}`);
  for await (const event of provider.stream({ ...greeting, model }, { signal }))
    return event.type === 'error' ? event.error : undefined;
  return undefined;
};
