import type { ModelMessage, ToolMessage } from '../core/provider.js';
import { estimateMessage, estimateMessages } from './estimate.js';
import { cutMiddle, cutText } from './short-text.js';

/** What of an earlier result stays: the line in which it says what and where it is. */
const stubLength = 300;
/** Shorter ones are not worth a note. */
const minStubbedLength = 2 * stubLength;
/** Room is made in pieces of this share, so that the start of the request stays the same for several calls. */
const pieceShare = 1 / 4;

/**
 * Bounds what all tool results of a request take together: earlier ones become stubs, the oldest first; those that the
 * model has not seen yet are cut only if they alone are too much, the largest first. No message is lost, so calls keep
 * their results.
 */
export const boundResults = (
  messages: readonly ModelMessage[],
  maxTokens: number,
): readonly ModelMessage[] => {
  const results = messages.filter((message) => message.role === 'tool');
  if (estimateMessages(results) <= maxTokens) return messages;
  const seen = messages.findLastIndex((message) => message.role === 'assistant');
  const fresh = messages.slice(seen + 1).filter((message) => message.role === 'tool');
  const earlier = results.slice(0, results.length - fresh.length);
  const level = fairLevel(fresh.map(estimateMessage), maxTokens);
  const left = maxTokens - fresh.reduce((sum, message) => sum + Math.min(level, estimateMessage(message)), 0);
  const shorter = new Map<ModelMessage, ToolMessage>([
    ...fresh.filter((message) => estimateMessage(message) > level).map((message) => cut(message, level)),
    ...oldestOver(earlier, left, maxTokens * pieceShare).map(stub),
  ]);
  return messages.map((message) => shorter.get(message) ?? message);
};

/** The largest size that all may have so that together they take no more than `total`. */
const fairLevel = (sizes: readonly number[], total: number): number => {
  let left = total;
  for (const [index, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
};

/** The oldest that have to go, so that the rest fits; more of them at once than needed, in pieces. */
const oldestOver = (results: readonly ToolMessage[], maxTokens: number, piece: number) => {
  const excess = estimateMessages(results) - maxTokens;
  const goal = Math.ceil(excess / piece) * piece;
  let gone = 0;
  return results.filter((message) => {
    const isGone = gone < goal;
    gone += estimateMessage(message);
    return isGone && message.text.length > minStubbedLength;
  });
};

const cut = (message: ToolMessage, tokens: number): readonly [ModelMessage, ToolMessage] => {
  const length = Math.floor((message.text.length * tokens) / estimateMessage(message));
  return [message, { ...message, text: cutMiddle(message.text, length) }];
};

const stub = (message: ToolMessage): readonly [ModelMessage, ToolMessage] => {
  const kept = cutText(message.text, stubLength);
  const note = `[… ${message.text.length - kept.length} characters of this earlier result left out to save room]`;
  return [message, { ...message, text: `${kept}\n${note}` }];
};
