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
