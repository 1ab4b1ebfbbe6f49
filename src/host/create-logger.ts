import { join } from 'node:path';
import { pino } from 'pino';
import type { Clock } from '../core/clock.js';
import type { LogFields, Logger } from '../core/logger.js';
import { createLogFile } from './log-file.js';
import { serialiseError } from './serialise-error.js';
import { formatTerminalLine, steps } from './terminal-line.js';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Folder of `gateway.log`. Absent: nothing is kept. */
  readonly folder?: string;
  readonly clock: Clock;
  /** Applied to every finished line, so that no field, stack, cause or URL can carry a secret past it. */
  readonly redact: (text: string) => string;
  /** Takes lines for people; absent: none. */
  readonly terminal?: { readonly isColoured: boolean; write(text: string): void };
}

const isError = (value: unknown): boolean => value instanceof Error;

const serialiseErrors = (fields: LogFields): Record<string, unknown> =>
  Object.values(fields).some(isError)
    ? Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, serialiseError(value)]))
    : fields;

/** A line that a secret of odd characters tore apart is shown as it is. */
const parseLine = (line: string): Record<string, unknown> => {
  try {
    // pino writes one object a line.
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { msg: line.trimEnd() };
  }
};

/** As pino counts. */
const INFO_LEVEL = 30;

/** JSON lines in a file, short lines on the terminal. Every line is written before the call returns. */
export const createLogger = (options: LoggerOptions): Logger => {
  const { level, folder, clock, redact, terminal } = options;
  const onTrouble = (error: unknown): void =>
    terminal?.write(`The log file cannot be written (${String(error)}); log lines are lost until it can.\n`);
  const file = folder === undefined ? undefined : createLogFile(join(folder, 'gateway.log'), { onTrouble });
  const isDetailed = level === 'debug';
  const lines = {
    // Has pino say what the line is about, beside the line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    lastMsg: '',
    write: (raw: string): void => {
      const line = redact(raw);
      file?.write(line);
      const isStep = lines.lastLevel <= INFO_LEVEL && steps.has(lines.lastMsg);
      if (terminal === undefined || (isStep && !isDetailed)) return;
      // Parsed again rather than redacted twice: what people see is what was checked.
      terminal.write(formatTerminalLine(parseLine(line), { ...terminal, isDetailed }));
    },
  };
  return pino(
    {
      level,
      base: { pid: process.pid },
      errorKey: 'error',
      // Done by the formatter below, for every field; pino's own would describe the result a second time.
      serializers: { error: (value: unknown) => value },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: serialiseErrors, bindings: serialiseErrors },
    },
    lines,
  );
};
