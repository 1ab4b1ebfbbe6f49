/**
 * One engine after the other, each with one more try where that can help.
 * Whoever stands in for another is named, and so is why: nothing is replaced in silence.
 */
import type { Clock } from '../core/clock.js';
import { GatewayError } from '../core/errors.js';
import type { Logger } from '../core/logger.js';

const RETRY_DELAY_MS = 1_000;

interface TryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export type Tried<Result> =
  | { readonly ok: true; readonly result: Result; readonly remarks: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const reasonOf = (error: unknown, name: string): string =>
  error instanceof GatewayError ? error.message : `${name} failed unexpectedly`;

const delayOf = (error: unknown): number | undefined => {
  if (!(error instanceof GatewayError) || error.retry.kind === 'never') return undefined;
  return error.retry.kind === 'after' ? error.retry.delayMs : RETRY_DELAY_MS;
};

const attempt = async <Result>(
  name: string,
  work: () => Promise<Result>,
  { clock, logger, signal }: TryOptions,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const delayMs = signal.aborted ? undefined : delayOf(error);
    if (delayMs === undefined) throw error;
    logger.info({ engine: name, error, delayMs }, 'speech engine failed, trying once more');
    await clock.sleep(delayMs, { signal });
    return work();
  }
};

/** Rejects only with the signal's reason. `engines` must not be empty. */
export const tryEngines = async <Engine extends { readonly name: string }, Result>(
  engines: readonly Engine[],
  work: (engine: Engine) => Promise<Result>,
  options: TryOptions,
): Promise<Tried<Result>> => {
  const reasons: string[] = [];
  for (const engine of engines) {
    try {
      const result = await attempt(engine.name, () => work(engine), options);
      const remarks = reasons.length === 0 ? [] : [`${reasons.join('; ')}: ${engine.name} stood in.`];
      return { ok: true, result, remarks };
    } catch (error) {
      options.signal.throwIfAborted();
      options.logger.warn({ engine: engine.name, error }, 'speech engine failed');
      reasons.push(reasonOf(error, engine.name));
    }
  }
  return { ok: false, reason: reasons.join('; ') };
};
