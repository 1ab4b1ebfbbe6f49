/**
 * Lets a test wait for a state instead of sleeping. A watcher is asked again only when one of its topics is touched, so
 * idle topics cost a busy emulator nothing.
 */

interface Watcher {
  readonly topics: readonly string[];
  readonly check: () => boolean;
}

export class Watchers {
  readonly #byTopic = new Map<string, Set<Watcher>>();

  /**
   * Resolves with the value as soon as `probe` gives one (at once if it does now), or with undefined when the signal
   * aborts. The signal bounds the wait: a client's time-out or its closed connection.
   */
  wait<Value>(
    topics: readonly string[],
    probe: () => Value | undefined,
    signal: AbortSignal,
  ): Promise<Value | undefined> {
    const first = probe();
    if (first !== undefined || signal.aborted) return Promise.resolve(first);
    return new Promise((resolve) => {
      const finish = (value: Value | undefined): void => {
        this.#remove(watcher);
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      };
      const onAbort = (): void => finish(undefined);
      const watcher: Watcher = {
        topics,
        check: () => {
          const value = probe();
          if (value === undefined) return false;
          finish(value);
          return true;
        },
      };
      this.#add(watcher);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Says that something under these topics changed. */
  touch(...topics: readonly string[]): void {
    if (this.#byTopic.size === 0) return;
    for (const topic of topics) {
      for (const watcher of [...(this.#byTopic.get(topic) ?? [])]) watcher.check();
    }
  }

  #add(watcher: Watcher): void {
    for (const topic of watcher.topics) {
      const set = this.#byTopic.get(topic) ?? new Set();
      set.add(watcher);
      this.#byTopic.set(topic, set);
    }
  }

  #remove(watcher: Watcher): void {
    for (const topic of watcher.topics) {
      const set = this.#byTopic.get(topic);
      set?.delete(watcher);
      if (set?.size === 0) this.#byTopic.delete(topic);
    }
  }
}
