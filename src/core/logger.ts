export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured log. The message is a fixed sentence per kind of event, so that it can be counted and searched;
 * everything that varies goes into the fields. Errors go under `error`. Secrets are removed behind this port.
 */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger;
}
