import { type ClientOptions, createClient } from './client.js';
import { toPlatformError } from './errors.js';

/** The bot's name, as people write to it. Rejects with a PlatformError or the signal's reason. */
export const identify = async (
  options: ClientOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> => {
  const client = createClient(options);
  try {
    const result = await client.call('getMe', {}, { signal });
    if (!result.ok) throw toPlatformError(result.failure);
    return `@${result.value.username}`;
  } finally {
    client.close();
  }
};
