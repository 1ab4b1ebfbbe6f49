import { ConfigError, GatewayError } from '../core/errors.js';
import { createRedactor } from '../host/redactor.js';
import type { Edge, ExitCode } from './edge.js';
import { formatProblems } from './format-problems.js';
import { tell } from './tell.js';

/** Tells an error that ended a command, and gives the exit code that it means. */
export const explainError = (error: unknown, command: string, edge: Edge): ExitCode => {
  if (error instanceof ConfigError) {
    tell(edge.stderr, formatProblems(error.problems));
    return 78;
  }
  if (error instanceof GatewayError) {
    tell(edge.stderr, `hermes ${command}: ${error.message}\n`);
    return 1;
  }
  // A mistake of ours: whoever reports it needs the stack. Settings may not have been read, so only patterns help.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  edge.stderr.write(`hermes ${command}: this should not have happened:\n${createRedactor([])(text)}\n`);
  return 1;
};
