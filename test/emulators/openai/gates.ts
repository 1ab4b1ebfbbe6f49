/**
 * Named places where answers wait. A gate is a semaphore that begins with no permits, so a test may release it
 * before or after the answer arrives; an open gate lets everything through.
 */

interface Gate {
  permits: number;
  open: boolean;
  /** First in, first out. */
  readonly waiting: Set<(passed: boolean) => void>;
}

export class Gates {
  readonly #gates = new Map<string, Gate>();

  /**
   * Resolves to true once a permit was taken. `onLeave` receives a function that gives the place up, whereupon the
   * promise resolves to false.
   */
  pass(name: string, onLeave: (leave: () => void) => void): Promise<boolean> | true {
    const gate = this.#gate(name);
    if (gate.open) return true;
    if (gate.permits > 0) {
      gate.permits -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const settle = (passed: boolean): void => {
        if (gate.waiting.delete(settle)) resolve(passed);
      };
      gate.waiting.add(settle);
      onLeave(() => settle(false));
    });
  }

  /** Lets `count` answers through: those that wait first, then those to come. */
  release(name: string, count: number): void {
    const gate = this.#gate(name);
    gate.permits += count;
    for (const settle of gate.waiting) {
      if (gate.permits === 0) break;
      gate.permits -= 1;
      settle(true);
    }
  }

  setOpen(name: string, open: boolean): void {
    const gate = this.#gate(name);
    gate.open = open;
    if (!open) return;
    for (const settle of gate.waiting) settle(true);
  }

  waitingAt(name: string): number {
    return this.#gates.get(name)?.waiting.size ?? 0;
  }

  /** Gate name → answers waiting there, without the empty ones. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [name, gate] of this.#gates) {
      if (gate.waiting.size > 0) counts[name] = gate.waiting.size;
    }
    return counts;
  }

  #gate(name: string): Gate {
    let gate = this.#gates.get(name);
    if (gate === undefined) {
      gate = { permits: 0, open: false, waiting: new Set() };
      this.#gates.set(name, gate);
    }
    return gate;
  }
}
