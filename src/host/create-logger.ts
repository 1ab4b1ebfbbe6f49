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
  /**
   * Runs a function soon. Absent: every line is written before the call returns. With it lines without trouble are
   * written a moment later, which is off the way of a message; one with trouble takes those before it along at once.
   */
  readonly defer?: (work: () => void) => void;
  readonly terminal?: { readonly isColoured: boolean; write(text: string): void };
}

export interface FlushableLogger extends Logger {
  /** Writes what was deferred. */
  flush(): void;
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

/** What pino writes to, and what writes out what waits there. */
const createLines = ({ level, folder, redact, terminal, defer }: LoggerOptions) => {
  const onTrouble = (error: unknown): void =>
    terminal?.write(`The log file cannot be written (${String(error)}); log lines are lost until it can.\n`);
  const file = folder === undefined ? undefined : createLogFile(join(folder, 'gateway.log'), { onTrouble });
  const isDetailed = level === 'debug';
  const waiting: { readonly raw: string; readonly isShown: boolean }[] = [];
  const flush = (): void => {
    for (const { raw, isShown } of waiting.splice(0)) {
      const line = redact(raw);
      file?.write(line);
      // Parsed again rather than redacted twice: what people see is what was checked.
      if (isShown) terminal?.write(formatTerminalLine(parseLine(line), { ...terminal, isDetailed }));
    }
  };
  const stream = {
    // Has pino say what the line is about, beside the line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    lastMsg: '',
    write: (raw: string): void => {
      const isTrouble = stream.lastLevel > INFO_LEVEL;
      const isStep = !isTrouble && steps.has(stream.lastMsg);
      if (waiting.length === 0 && !isTrouble) defer?.(flush);
      waiting.push({ raw, isShown: isDetailed || !isStep });
      if (isTrouble || defer === undefined) flush();
    },
  };
  return { stream, flush };
};

/** JSON lines in a file, short lines on the terminal, in order. */
export const createLogger = (options: LoggerOptions): FlushableLogger => {
  const { level, clock } = options;
  const { stream, flush } = createLines(options);
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      errorKey: 'error',
      // Done by the formatter below, for every field; pino's own would describe the result a second time.
      serializers: { error: (value: unknown) => value },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: serialiseErrors, bindings: serialiseErrors },
    },
    stream,
  );
  return Object.assign(logger, { flush });
};
