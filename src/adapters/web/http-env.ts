import type { HttpBindings } from '@hono/node-server';

/** What a listener tells the app about each request. */
export interface Bindings extends HttpBindings {
  /** `socket`: the unix socket, which only the owner of the home can open. */
  readonly via: 'tcp' | 'socket';
  /** Aborts when the listener is closing: streams end. */
  readonly closing: AbortSignal;
}

export interface HttpEnv {
  Bindings: Bindings;
}
