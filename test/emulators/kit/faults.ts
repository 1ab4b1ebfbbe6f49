/** Faults on demand, and the calls they hold, for every far side alike. There is no clock here: what is held is let go by `release`. */

/** When a fault fires on the calls that it is for. */
export interface FaultTimes {
  /** Fires first on the nth matching call, counted from 1 at registration. Default 1. */
  readonly nth?: number;
  /** How many matching calls in a row from there. Default 1. */
  readonly times?: number | 'always';
  readonly action: unknown;
}

interface Fault<Spec> {
  readonly id: number;
  readonly spec: Spec;
  seen: number;
  fired: number;
  readonly holds: Set<() => void>;
}

export interface FiredFault<Action> {
  readonly id: number;
  readonly action: Action;
}

export interface FaultCounts<Spec> {
  readonly id: number;
  readonly spec: Spec;
  readonly seen: number;
  readonly fired: number;
  readonly held: number;
}

export class Faults<Spec extends FaultTimes, Call> {
  readonly #faults = new Map<number, Fault<Spec>>();
  readonly #matches: (call: Call, spec: Spec) => boolean;
  readonly #touched: () => void;
  #nextId = 1;

  /** `touched` is told whenever the number of held calls changes. */
  constructor(matches: (call: Call, spec: Spec) => boolean, touched: () => void) {
    this.#matches = matches;
    this.#touched = touched;
  }

  add(spec: Spec): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#faults.set(id, { id, spec, seen: 0, fired: 0, holds: new Set() });
    return id;
  }

  /** The oldest fault that is due on this call. Every fault that matches counts it as seen. */
  fire(call: Call): FiredFault<Spec['action']> | undefined {
    let due: Fault<Spec> | undefined;
    for (const fault of this.#faults.values()) {
      if (!this.#matches(call, fault.spec)) continue;
      fault.seen += 1;
      const times = fault.spec.times ?? 1;
      const spent = times !== 'always' && fault.fired >= times;
      if (due === undefined && !spent && fault.seen >= (fault.spec.nth ?? 1)) due = fault;
    }
    if (due === undefined) return undefined;
    due.fired += 1;
    return { id: due.id, action: due.spec.action };
  }

  /** Resolves at `release`, or when the signal aborts because the client left or the emulator closes. */
  hold(faultId: number, signal: AbortSignal): Promise<void> {
    const fault = this.#faults.get(faultId);
    if (fault === undefined || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const letGo = (): void => {
        fault.holds.delete(letGo);
        signal.removeEventListener('abort', letGo);
        this.#touched();
        resolve();
      };
      fault.holds.add(letGo);
      signal.addEventListener('abort', letGo, { once: true });
      this.#touched();
    });
  }

  /** Lets held calls go, of one fault or of all; a released fault does not fire again. */
  release(faultId?: number): number {
    let released = 0;
    for (const fault of this.#selected(faultId)) {
      released += fault.holds.size;
      for (const letGo of [...fault.holds]) letGo();
    }
    return released;
  }

  remove(faultId?: number): void {
    this.release(faultId);
    if (faultId === undefined) this.#faults.clear();
    else this.#faults.delete(faultId);
  }

  held(faultId?: number): number {
    return this.#selected(faultId).reduce((sum, fault) => sum + fault.holds.size, 0);
  }

  states(): readonly FaultCounts<Spec>[] {
    return [...this.#faults.values()].map(({ id, spec, seen, fired, holds }) => ({
      id,
      spec,
      seen,
      fired,
      held: holds.size,
    }));
  }

  #selected(faultId: number | undefined): readonly Fault<Spec>[] {
    if (faultId === undefined) return [...this.#faults.values()];
    const fault = this.#faults.get(faultId);
    return fault === undefined ? [] : [fault];
  }
}
