import type { Logger } from '../../src/core/logger.js';

const nothing = (): void => {};

export const quietLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => quietLogger,
};
