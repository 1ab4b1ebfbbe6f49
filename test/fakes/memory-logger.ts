import type { LogFields, Logger } from '../../src/core/logger.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  readonly fields: LogFields;
  readonly message: string;
}

/** Keeps every line, those of its children too, in one list. */
export class MemoryLogger implements Logger {
  readonly lines: LogLine[];
  readonly #fields: LogFields;

  constructor(lines: LogLine[] = [], fields: LogFields = {}) {
    this.lines = lines;
    this.#fields = fields;
  }

  debug(fields: LogFields, message: string): void {
    this.#add('debug', fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#add('info', fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#add('warn', fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#add('error', fields, message);
  }

  child(fields: LogFields): Logger {
    return new MemoryLogger(this.lines, { ...this.#fields, ...fields });
  }

  /** Everything at these levels as one text, with the messages and causes of errors, to search for what must not be there. */
  text(levels: readonly LogLevel[] = ['info', 'warn', 'error']): string {
    const lines = this.lines.filter(({ level }) => levels.includes(level));
    return JSON.stringify(lines, (_key, value: unknown) =>
      value instanceof Error
        ? { ...value, message: value.message, stack: value.stack, cause: value.cause }
        : value,
    );
  }

  #add(level: LogLevel, fields: LogFields, message: string): void {
    this.lines.push({ level, fields: { ...this.#fields, ...fields }, message });
  }
}
