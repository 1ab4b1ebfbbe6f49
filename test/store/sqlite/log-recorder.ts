import type { LogFields, Logger } from '../../../src/core/logger.js';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** A logger and the lines it was given. */
export const createLogRecorder = (): { readonly logger: Logger; readonly lines: readonly LogLine[] } => {
  const lines: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  };
  return { logger, lines };
};
