import { Buffer } from 'node:buffer';
import type { ModelMessage, ModelRequest } from '../core/provider.js';

/**
 * Near enough for a window: English has about four bytes a token, Chinese about three. A message costs a few tokens
 * for its frame.
 */
const bytesPerToken = 3.5;
const tokensPerMessage = 4;

const estimateText = (text: string): number => Buffer.byteLength(text) / bytesPerToken;

const estimateMessage = (message: ModelMessage): number => {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  const inCalls = calls.reduce(
    (sum, call) => sum + estimateText(call.name) + estimateText(call.argumentsText),
    0,
  );
  return tokensPerMessage + estimateText(message.text) + inCalls;
};

/** What a request costs before its first message. */
export const estimateFrame = ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number =>
  estimateText(system) + estimateText(JSON.stringify(tools));

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
