import type { Clock } from '../../core/clock.js';
import { never, ProviderError, type ProviderErrorCode } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { ModelEvent, ModelRequest, Provider } from '../../core/provider.js';
import type { WarmProvider } from './provider-definition.js';

/** A model that answers when the one before it cannot. */
export interface StandIn {
  readonly provider: WarmProvider;
  readonly model: string;
}

export interface FallbackPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A turn that begins within this time after a failure does not wait for the same failure again. */
const coolDownMs = 60_000;

/** Also by a clock that was set back since. */
const isOver = (until: number, now: number): boolean => until <= now || until - now > coolDownMs;

/** What another service may do better. A request that is too long, refused or malformed is so everywhere. */
const passedOn: ReadonlySet<ProviderErrorCode> = new Set([
  'quota-exhausted',
  'unauthorized',
  'model-not-found',
  'rate-limited',
  'unavailable',
]);

interface Link {
  readonly provider: WarmProvider;
  /** Absent: the one that the request names. */
  readonly model?: string;
  failure?: { readonly error: ProviderError; readonly until: number };
}

/**
 * A chain of models, around providers that repeat their calls themselves: when one fails, the next answers for the rest of
 * the turn. Each turn begins at the first one whose last failure is long enough ago.
 */
export const withFallback = (
  primary: WarmProvider,
  standIns: readonly StandIn[],
  ports: FallbackPorts,
): WarmProvider => {
  if (standIns.length === 0) return primary;
  const links: readonly Link[] = [{ provider: primary }, ...standIns.map((standIn) => ({ ...standIn }))];
  const forTurn = (): Provider => new TurnChain(primary.name, links, ports);
  return {
    name: primary.name,
    isDemo: primary.isDemo,
    warmUp: async () => {
      await Promise.all(links.map(({ provider }) => provider.warmUp()));
    },
    forTurn,
    stream: (request, options) => forTurn().stream(request, options),
  };
};

/** The chain as one turn goes along it, never back. */
class TurnChain implements Provider {
  readonly name: string;
  readonly #links: readonly Link[];
  readonly #ports: FallbackPorts;
  #current: number;

  constructor(name: string, links: readonly Link[], ports: FallbackPorts) {
    this.name = name;
    this.#links = links;
    this.#ports = ports;
    this.#current = this.#next(0) ?? 0;
  }

  async *stream(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    while (true) {
      const link = this.#links[this.#current];
      const reason = this.#links[0]?.failure?.error;
      if (link === undefined) return;
      if (link.model !== undefined && reason !== undefined)
        yield { type: 'stand-in', reason, model: link.model };
      const error = yield* passOn(link, request, options);
      if (error === undefined) return;
      if (!passedOn.has(error.code)) return yield { type: 'error', error };
      const { clock, logger } = this.#ports;
      link.failure = { error, until: clock.now() + coolDownMs };
      const next = this.#next(this.#current + 1);
      const model = link.model ?? request.model;
      logger.warn({ provider: link.provider.name, model, code: error.code, error }, 'model cannot answer');
      if (next === undefined) return yield { type: 'error', error: this.#allFailed(error) };
      this.#current = next;
    }
  }

  /** The first link from there on that has not just failed. */
  #next(from: number): number | undefined {
    const now = this.#ports.clock.now();
    const index = this.#links.findIndex(
      ({ failure }, position) => position >= from && (failure === undefined || isOver(failure.until, now)),
    );
    return index === -1 ? undefined : index;
  }

  /** What is to be done is mostly told by the first failure: that model is the one to be mended. */
  #allFailed(last: ProviderError): ProviderError {
    const first = this.#links[0]?.failure?.error ?? last;
    if (first === last) return last;
    const names = this.#links.flatMap(({ model }) => model ?? []).join(', ');
    return new ProviderError({
      code: first.code,
      message: `${first.message}; and in its place: ${last.message}`,
      retry: never,
      userText: `${first.userText ?? 'The model could not answer.'} What should stand in for it could not answer either: ${names}.`,
      cause: last,
    });
  }
}

/** Passes one call's events on; a failure is kept back and returned. */
async function* passOn(
  { provider, model }: Link,
  request: ModelRequest,
  options: { readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent, ProviderError | undefined, undefined> {
  const asked = model === undefined ? request : { ...request, model };
  for await (const event of provider.stream(asked, options)) {
    if (event.type === 'error') return event.error;
    yield event;
  }
  return undefined;
}
