import { never, PlatformError } from '../../core/errors.js';
import { type ClientOptions, createClient } from './client.js';
import { toFatalError, toPlatformError } from './errors.js';

/** The close code that says the same of the gateway. */
const TOKEN_REFUSED = 4004;

const nameOf = (user: unknown): string => {
  if (typeof user === 'object' && user !== null && 'username' in user && typeof user.username === 'string')
    return user.username;
  throw new PlatformError({
    code: 'unavailable',
    message: 'what answers does not speak as Discord does; check platforms.discord.api_root',
    retry: never,
    outcome: 'none',
  });
};

/** The bot's name. Rejects with a PlatformError or the signal's reason. */
export const identify = async (
  options: ClientOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> => {
  const result = await createClient(options).call({ verb: 'GET', path: '/users/@me' }, { signal });
  if (result.ok) return nameOf(result.value);
  const error = toPlatformError(result.failure);
  throw (error.code === 'unauthorized' ? toFatalError(TOKEN_REFUSED) : undefined) ?? error;
};
