import type { Clock } from '../../core/clock.js';
import { never, ProviderError, type RetryFate } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { WarmProvider } from './provider-definition.js';

const maxTries = 4;
/** A person waits this long for an answer to begin; a longer wait is told to them instead. */
const maxWaitMs = 60_000;
const maxTotalWaitMs = 120_000;
const firstWaitMs = 1000;

export interface RetryPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1, for waits that nobody told us; spreads the tries of many chats. Default Math.random. */
  readonly random?: () => number;
}

/**
 * The one retry policy for model calls, around any provider: waits as told, else longer each time. A try that will
 * follow is announced by `restart` before the wait. An abort ends the wait at once.
 */
export const withRetry = (provider: WarmProvider, ports: RetryPorts): WarmProvider => ({
  name: provider.name,
  isDemo: provider.isDemo,
  warmUp: () => provider.warmUp(),
  async *stream(request, options) {
    let waitedMs = 0;
    for (let tries = 1; ; tries += 1) {
      let error: ProviderError | undefined;
      for await (const event of provider.stream(request, options)) {
        if (event.type === 'error') error = event.error;
        else yield event;
      }
      if (error === undefined) return;
      const waitMs = tries < maxTries ? waitOf(error.retry, tries, ports) : undefined;
      if (waitMs === undefined) return yield { type: 'error', error };
      if (waitMs > maxWaitMs || waitedMs + waitMs > maxTotalWaitMs)
        return yield { type: 'error', error: tooLong(error, waitMs) };
      waitedMs += waitMs;
      ports.logger.warn(
        { provider: provider.name, code: error.code, tries, waitMs, error },
        'model call is repeated',
      );
      yield { type: 'restart', reason: error, waitMs };
      await ports.clock.sleep(waitMs, options);
    }
  },
});

const waitOf = (fate: RetryFate, tries: number, { random = Math.random }: RetryPorts): number | undefined => {
  switch (fate.kind) {
    case 'never':
      return undefined;
    case 'after':
      return fate.delayMs;
    case 'later':
      return firstWaitMs * 2 ** (tries - 1) * (1 + random() / 2);
  }
};

const tooLong = (error: ProviderError, waitMs: number): ProviderError =>
  new ProviderError({
    code: error.code,
    message: `${error.message} (the next try would have to wait ${waitMs} ms)`,
    retry: never,
    userText: `The model service asks to wait ${formatDuration(waitMs)}. Please try again then, or use another model.`,
    cause: error,
  });

/** Rounded up, so that nobody comes back too early. */
const formatDuration = (ms: number): string => {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return `${Math.ceil(ms / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
};
