import { later, never, StoreError } from '../../src/core/errors.js';

type MethodOf<Target> = keyof Target & string;

export const diskFull = (): StoreError =>
  new StoreError({
    code: 'full',
    message: 'database or disk is full',
    userText: 'The disk is full: free some space.',
    retry: later,
  });

export const storeBroken = (): StoreError =>
  new StoreError({ code: 'corrupt', message: 'the database is damaged', retry: never });

interface Unreliable<Target> {
  /** Behaves like the target but for the calls that are to fail. */
  readonly target: Target;
  /** The next calls of the method do nothing and reject. */
  fail(method: MethodOf<Target>, error: Error, times?: number): void;
  /** No longer. */
  heal(): void;
  /** As for a process that was killed: nothing called from now on happens or answers. */
  kill(): void;
}

/** A store that refuses calls when it is told to. */
export const unreliable = <Target extends object>(inner: Target): Unreliable<Target> => {
  const failures = new Map<string | symbol, { readonly error: Error; times: number }>();
  let isKilled = false;
  const target = new Proxy(inner, {
    get: (object, name, receiver) => {
      const member: unknown = Reflect.get(object, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: readonly unknown[]): unknown => {
        if (isKilled) return new Promise(() => undefined);
        const failure = failures.get(name);
        if (failure === undefined || failure.times === 0) return member.apply(object, parameters);
        failure.times -= 1;
        return Promise.reject(failure.error);
      };
    },
  });
  return {
    target,
    fail: (method, error, times = 1) => void failures.set(method, { error, times }),
    heal: () => failures.clear(),
    kill: () => {
      isKilled = true;
    },
  };
};
