import { chmodSync, existsSync, unlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../../core/clock.js';
import { later, PlatformError } from '../../core/errors.js';
import type { HttpApp } from './http-app.js';
import type { Bindings } from './http-env.js';
import { toErrorBody } from './http-problem.js';

export type ListenTarget = { readonly host: string; readonly port: number } | { readonly socketPath: string };

export interface Listener {
  /** The port really taken; 0 for a socket. */
  readonly port: number;
  /** Ends streams, lets other requests finish for a moment, then closes. Never rejects. */
  close(): Promise<void>;
}

/** How long requests under way may take to finish once the listener closes. */
const CLOSE_GRACE_MS = 2_000;

/** The longest path a socket address holds on Linux is 107 bytes, on macOS 103. */
const MAX_SOCKET_PATH_BYTES = 103;

const badRequest = (): Response =>
  Response.json(
    toErrorBody({ code: 'invalid-request', message: 'The request line or Host header is not right.' }),
    {
      status: 400,
    },
  );

const createAppServer = (app: HttpApp, via: Bindings['via'], closing: AbortSignal): Server =>
  createServer(
    // The server speaks HTTP/1, so the bindings are its request and response.
    getRequestListener((request, bindings) => app.fetch(request, { ...bindings, via, closing } as Bindings), {
      errorHandler: badRequest,
      overrideGlobalObjects: false,
      // HTTP/1.0 and some clients of the socket send no Host.
      ...(via === 'socket' && { hostname: 'localhost' }),
    }),
  );

/**
 * Gives a function that closes every connection without an answer under way, also those that never asked anything,
 * which Node's own does not count as idle. Once closing began, the others close after their answer.
 */
const trackConnections = (server: Server, closing: AbortSignal): (() => void) => {
  const answering = new Map<Socket, number>();
  server.on('connection', (socket) => {
    answering.set(socket, 0);
    socket.once('close', () => answering.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1;
      if (!socket.destroyed) answering.set(socket, left);
      if (left === 0 && closing.aborted) socket.destroySoon();
    });
  });
  return () => {
    for (const [socket, count] of answering) if (count === 0) socket.destroy();
  };
};

const unavailable = (message: string, cause?: unknown): PlatformError =>
  new PlatformError({
    code: 'unavailable',
    message,
    userText: message,
    retry: later,
    outcome: 'none',
    cause,
  });

const describeFailure = (target: ListenTarget, code: string | undefined): string => {
  if ('socketPath' in target) return `The socket ${target.socketPath} cannot be opened (${code}).`;
  const { host, port } = target;
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${port} on ${host} is in use by another program, so the chat page is not reachable. ` +
        'Stop that program, or write another port to platforms.web.port. Until then it is tried again and again.'
      );
    case 'EACCES':
      return `Port ${port} may only be opened by root. Write a port above 1023 to platforms.web.port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This host has no address ${host}. Write 127.0.0.1, 0.0.0.0 or one of its own to platforms.web.host.`;
    default:
      return `The chat page cannot listen on ${host}, port ${port} (${code}).`;
  }
};

/** A socket file that nobody listens on is left over from a crash. */
const removeStaleSocket = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  const isAnswered = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
  if (isAnswered) throw unavailable(`Another gateway answers at ${path}. Stop it first.`);
  unlinkSync(path);
};

const open = (server: Server, target: ListenTarget): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(unavailable(describeFailure(target, error.code), error)),
    );
    server.once('listening', () => resolve());
    if ('socketPath' in target) server.listen(target.socketPath);
    else server.listen(target.port, target.host);
  });

/** Rejects with a PlatformError that says what to do. */
export const listen = async (
  app: HttpApp,
  target: ListenTarget,
  { clock }: { readonly clock: Clock },
): Promise<Listener> => {
  const closing = new AbortController();
  const isSocket = 'socketPath' in target;
  if (isSocket) {
    if (Buffer.byteLength(target.socketPath) > MAX_SOCKET_PATH_BYTES)
      throw unavailable(
        `The path ${target.socketPath} is too long for a socket (at most ${MAX_SOCKET_PATH_BYTES} bytes). ` +
          'Set HERMES_HOME to a shorter folder.',
      );
    await removeStaleSocket(target.socketPath);
  }
  const server = createAppServer(app, isSocket ? 'socket' : 'tcp', closing.signal);
  const closeQuiet = trackConnections(server, closing.signal);
  await open(server, target);
  // Whoever can connect is the owner.
  if (isSocket) chmodSync(target.socketPath, 0o600);
  const address = server.address();

  const close = async (): Promise<void> => {
    closing.abort();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    closeQuiet();
    const timer = new AbortController();
    // Rejects when the requests were faster, which is the usual case.
    const grace = clock.sleep(CLOSE_GRACE_MS, { signal: timer.signal }).catch(() => {});
    await Promise.race([closed, grace]);
    timer.abort();
    server.closeAllConnections();
    await closed;
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close };
};
