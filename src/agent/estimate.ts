import { Buffer } from 'node:buffer';
import type { ModelMessage, ModelRequest } from '../core/provider.js';

/** Near enough for a window: English has about four bytes a token, Chinese about three. */
const bytesPerToken = 3.5;
/** For the frame of a message. */
const tokensPerMessage = 4;
/** What the services charge for a picture of the size that chats send. */
const tokensPerImage = 1000;
const LONG_UNITS = 10_000;

/**
 * Messages never change, and every step of a turn asks for all of them again. Only the long ones are remembered:
 * measuring a short text costs less than the table, which grows with all that was ever asked of.
 */
const known = new WeakMap<ModelMessage, number>();

export const estimateText = (text: string): number => Buffer.byteLength(text) / bytesPerToken;

export const estimateMessage = (message: ModelMessage): number => {
  const isLong = message.text.length > LONG_UNITS;
  const before = isLong ? known.get(message) : undefined;
  if (before !== undefined) return before;
  const tokens = tokensPerMessage + estimateText(message.text) + estimateRest(message);
  if (isLong) known.set(message, tokens);
  return tokens;
};

const estimateRest = (message: ModelMessage): number => {
  if (message.role !== 'assistant') return (message.images?.length ?? 0) * tokensPerImage;
  return message.toolCalls.reduce(
    (sum, call) => sum + estimateText(call.name) + estimateText(call.argumentsText),
    0,
  );
};

export const estimateMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0);

const frames = new WeakMap<ModelRequest['tools'], number>();

/** What a request costs before its first message. */
export const estimateFrame = ({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number => {
  let inTools = frames.get(tools);
  if (inTools === undefined) {
    inTools = estimateText(JSON.stringify(tools));
    frames.set(tools, inTools);
  }
  return estimateText(system) + inTools;
};
