import type { ModelMessage } from '../core/provider.js';
import { estimateMessage } from './estimate.js';

/**
 * The newest part of a repaired history that fits into `contextTokens`. It begins with a user message, so that calls
 * keep their results; the last user message and all behind it stay even if they alone do not fit.
 */
export const fitHistory = (
  messages: readonly ModelMessage[],
  contextTokens: number,
): readonly ModelMessage[] => {
  let start: number | undefined;
  let tokens = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    tokens += estimateMessage(message);
    if (tokens > contextTokens && start !== undefined) return messages.slice(start);
    if (message.role === 'user') start = index;
  }
  return tokens > contextTokens && start !== undefined ? messages.slice(start) : messages;
};
