/** Faults on demand, and the calls they hold. There is no clock here: what is held is let go by `release`. */
import type { FaultAction, FaultSpec } from './protocol.js';

interface Fault {
  readonly id: number;
  readonly spec: FaultSpec;
  readonly expression: RegExp;
  seen: number;
  fired: number;
}

export class Faults {
  readonly #faults = new Map<number, Fault>();
  readonly #holds = new Set<() => void>();
  readonly #touched: () => void;
  #nextId = 1;

  constructor(touched: () => void) {
    this.#touched = touched;
  }

  get held(): number {
    return this.#holds.size;
  }

  add(spec: FaultSpec): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#faults.set(id, { id, spec, expression: new RegExp(spec.call, 'u'), seen: 0, fired: 0 });
    return id;
  }

  /** The oldest fault that is due on this call; each that matches counts it as seen. */
  fire(call: string, body: string): FaultAction | undefined {
    let due: Fault | undefined;
    for (const fault of this.#faults.values()) {
      const { spec, expression } = fault;
      if (!expression.test(call) || (spec.contains !== undefined && !body.includes(spec.contains))) continue;
      fault.seen += 1;
      const times = spec.times ?? 1;
      const isSpent = times !== 'always' && fault.fired >= times;
      if (due === undefined && !isSpent && fault.seen >= (spec.nth ?? 1)) due = fault;
    }
    if (due === undefined) return undefined;
    due.fired += 1;
    return due.spec.action;
  }

  /** Resolves at `release`, or when the signal aborts because the client left. */
  hold(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const letGo = (): void => {
        this.#holds.delete(letGo);
        signal.removeEventListener('abort', letGo);
        this.#touched();
        resolve();
      };
      this.#holds.add(letGo);
      signal.addEventListener('abort', letGo, { once: true });
      this.#touched();
    });
  }

  release(): number {
    const released = this.#holds.size;
    for (const letGo of [...this.#holds]) letGo();
    return released;
  }

  remove(id?: number): void {
    this.release();
    if (id === undefined) this.#faults.clear();
    else this.#faults.delete(id);
  }
}
