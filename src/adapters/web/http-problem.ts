import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type HttpProblemCode =
  | 'invalid-request'
  | 'malformed-json'
  | 'unsupported'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'method-not-allowed'
  | 'too-large'
  | 'too-many-attempts'
  | 'too-many-streams'
  | 'not-ready'
  | 'unavailable'
  | 'internal';

/** A request that is not carried out; the message says what to do about it. */
export interface HttpProblem {
  readonly status: ContentfulStatusCode;
  readonly code: HttpProblemCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: HttpProblem };

export const passed = <Value>(value: Value): Checked<Value> => ({ ok: true, value });

export const failed = (
  status: ContentfulStatusCode,
  code: HttpProblemCode,
  message: string,
  headers?: Readonly<Record<string, string>>,
): { readonly ok: false; readonly problem: HttpProblem } => ({
  ok: false,
  problem: { status, code, message, ...(headers && { headers }) },
});

/** Every error of the API has this one form. */
export const toErrorBody = ({ code, message }: Pick<HttpProblem, 'code' | 'message'>) => ({
  error: { code, message },
});

export const answerProblem = (context: Context, problem: HttpProblem): Response =>
  context.json(toErrorBody(problem), problem.status, problem.headers);
