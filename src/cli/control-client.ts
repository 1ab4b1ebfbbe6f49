/** The running gateway's HTTP app over its unix socket. */
import { request } from 'node:http';
import type { Clock } from '../core/clock.js';
import { CommandFailure } from './edge.js';

export interface ControlRequest {
  readonly socket: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** It is unknown what the gateway made of the question. */
export class LostAnswer extends CommandFailure {}

/** `down`: no gateway runs on this home. */
export type ControlAnswer =
  | { readonly type: 'down' }
  | { readonly type: 'answer'; readonly status: number; readonly body: unknown };

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A socket that is not there, that a crash left behind, or that cannot be: its path is longer than an address. */
const isDown = (code: string | undefined): boolean =>
  code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';

const explain = (error: NodeJS.ErrnoException, socket: string): CommandFailure =>
  error.code === 'EACCES'
    ? new CommandFailure(`no permission for ${socket}. Run this command as the user that runs the gateway.`)
    : new LostAnswer(`the gateway broke off the connection at ${socket} (${error.code ?? error.message}).`);

/** Rejects with a CommandFailure that says what to do. */
export const askGateway = ({
  socket,
  method,
  path,
  body,
  timeoutMs,
  clock,
}: ControlRequest): Promise<ControlAnswer> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const limit = new AbortController();
    const cancel = clock.after(timeoutMs, () => limit.abort());
    const call = request({
      socketPath: socket,
      method,
      path,
      signal: limit.signal,
      headers:
        payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
    });
    const fail = (error: NodeJS.ErrnoException): void => {
      cancel();
      if (limit.signal.aborted)
        reject(
          new LostAnswer(`the gateway did not answer within ${timeoutMs / 1000} s. Its log may say why.`),
        );
      else if (isDown(error.code)) resolve({ type: 'down' });
      else reject(explain(error, socket));
    };
    call.on('error', fail);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        cancel();
        resolve({
          type: 'answer',
          status: response.statusCode ?? 0,
          body: parseBody(Buffer.concat(chunks).toString('utf8')),
        });
      });
    });
    call.end(payload);
  });

/** What the gateway said instead of a result: its error's message. */
export const refusalOf = (body: unknown): string => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? message : 'it answered in a way that this version does not understand';
};
