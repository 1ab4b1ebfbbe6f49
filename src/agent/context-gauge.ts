/** Requests shorter than this are mostly frame, which says little about how a model counts text. */
const minLearntTokens = 500;
/** Fewer tokens for the same text than any model needs: a service that leaves out what it has cached, or does not count. */
const minPlausible = 0.4;
const minRatio = 0.75;
const maxRatio = 4;
/** What was refused as too long is this much more than what may be tried the next time. */
const refusedShare = 0.7;

interface Known {
  ratio: number;
  limitTokens: number;
}

/** What was learnt of each model's way of counting; its number is bounded by the models that the operator uses. */
export class ContextGauge {
  readonly #models = new Map<string, Known>();

  /** The model's tokens for each estimated one. */
  ratio(model: string): number {
    return this.#models.get(model)?.ratio ?? 1;
  }

  /** The largest request worth a try, in the model's tokens. */
  limit(model: string, contextTokens: number): number {
    return Math.min(contextTokens, this.#models.get(model)?.limitTokens ?? contextTokens);
  }

  /** A request was answered, and the service said how many tokens it had; zero: it did not say. */
  counted(model: string, { estimated, reported }: { readonly estimated: number; readonly reported: number }) {
    if (estimated < minLearntTokens || reported < estimated * minPlausible) return;
    this.#of(model).ratio = Math.min(maxRatio, Math.max(minRatio, reported / estimated));
  }

  /** A request of so many of the model's tokens was too long for it, and a shorter one was not. */
  refused(model: string, tokens: number): void {
    const known = this.#of(model);
    known.limitTokens = Math.min(known.limitTokens, tokens * refusedShare);
  }

  #of(model: string): Known {
    const known = this.#models.get(model) ?? { ratio: 1, limitTokens: Number.POSITIVE_INFINITY };
    this.#models.set(model, known);
    return known;
  }
}
