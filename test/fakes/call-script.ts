export type CallKind = 'send' | 'edit' | 'typing' | 'menu' | 'run' | 'acknowledge' | 'react';

interface FailOptions {
  /** The call has its effect all the same: only its answer is lost. */
  readonly isApplied?: boolean;
  /** Calls of this kind that fail; default one. */
  readonly times?: number;
}

export interface HeldCall {
  /** Resolves when the call has arrived. */
  readonly reached: Promise<void>;
  /** Lets it go on; with an error, it fails. */
  release(error?: Error): void;
}

interface Plan {
  readonly error?: Error;
  readonly isApplied: boolean;
  readonly gate?: Promise<Error | undefined>;
  readonly onReached?: () => void;
}

/** What happens to the next calls of each kind; those without a plan succeed. */
export class CallScript {
  readonly #plans = new Map<CallKind, Plan[]>();
  #isKilled = false;

  /** As for a process that was killed: nothing called from now on happens or answers. */
  kill(): void {
    this.#isKilled = true;
  }

  fail(kind: CallKind, error: Error, { isApplied = false, times = 1 }: FailOptions = {}): void {
    for (let time = 0; time < times; time += 1) this.#add(kind, { error, isApplied });
  }

  hold(kind: CallKind): HeldCall {
    let release: (error?: Error) => void = () => undefined;
    let onReached = (): void => undefined;
    const gate = new Promise<Error | undefined>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      onReached = resolve;
    });
    this.#add(kind, { gate, onReached, isApplied: false });
    return { reached, release: (error) => release(error) };
  }

  /** Carries out one call as planned: `apply` is its effect. An abort ends a held one with its reason. */
  async run<T>(kind: CallKind, signal: AbortSignal, apply: () => T): Promise<T> {
    signal.throwIfAborted();
    if (this.#isKilled) return new Promise(() => undefined);
    const plan = this.#plans.get(kind)?.shift();
    plan?.onReached?.();
    const error = plan?.gate === undefined ? plan?.error : await orAborted(plan.gate, signal);
    if (this.#isKilled) return new Promise(() => undefined);
    if (error === undefined) return apply();
    if (plan?.isApplied === true) apply();
    throw error;
  }

  #add(kind: CallKind, plan: Plan): void {
    const plans = this.#plans.get(kind) ?? [];
    this.#plans.set(kind, [...plans, plan]);
  }
}

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
