import { GatewayError } from '../core/errors.js';

/** A chain of causes longer than this is a loop, or tells nothing more. */
const MAX_DEPTH = 6;

/** What system calls and HTTP clients add; anything else they carry may be a whole request. */
const kept = [
  'code',
  'status',
  'errno',
  'syscall',
  'address',
  'port',
  'path',
  'error_code',
  'description',
  'method',
];

const keptFields = (error: Error): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const key of kept) {
    // Any error may carry anything; only plain values are taken.
    const value: unknown = Reflect.get(error, key);
    if (typeof value === 'string' || typeof value === 'number') fields[key] = value;
  }
  return fields;
};

/** An error as plain data: type, message, code, fate, stack, causes. Anything else is given back as it is. */
export const serialiseError = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return error;
  if (depth >= MAX_DEPTH) return { type: error.name, message: error.message };
  return {
    type: error.name,
    message: error.message,
    ...keptFields(error),
    ...(error instanceof GatewayError && { origin: error.origin, retry: error.retry }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: serialiseError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, MAX_DEPTH).map((inner) => serialiseError(inner, depth + 1)),
    }),
  };
};
