/** What can be asked of the rooms without a daemon: whether a model answers, a database is sound, a program is there. */
import { tryModel } from './agent/index.js';
import type { Settings } from './config/index.js';
import type { Clock } from './core/clock.js';
import type { ProviderError } from './core/errors.js';
import { createIdSource, createLogger, createRedactor } from './host/index.js';
import { toModelAccess } from './model-access.js';

export { checkDatabase } from './store/index.js';
export { findMissingPrograms } from './voice/index.js';

/** Asks the model for a word. Undefined if it answers. Rejects with the signal's reason. */
export const askModel = (
  model: Settings['model'],
  { clock, secrets }: { readonly clock: Clock; readonly secrets: readonly string[] },
  { signal }: { readonly signal: AbortSignal },
): Promise<ProviderError | undefined> => {
  const redact = createRedactor(secrets);
  const logger = createLogger({ level: 'error', clock, redact });
  const access = { ...toModelAccess(model), provider: model.type, model: model.name };
  return tryModel(access, { clock, ids: createIdSource(clock), logger, redact }, { signal });
};
