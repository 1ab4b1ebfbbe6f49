import type { ModelMessage, ToolMessage, UserMessage } from '../core/provider.js';

/** Pictures of one request: each costs as much as a page of text, and what is talked about is among the newest. */
const maxImages = 4;

/** The same messages, with pictures only in the newest few places; the others are named in words. */
export const withRecentImages = (messages: readonly ModelMessage[]): readonly ModelMessage[] => {
  let left = maxImages;
  let isChanged = false;
  const kept = messages.toReversed().map((message) => {
    if (message.role === 'assistant' || message.images === undefined) return message;
    const count = message.images.length;
    const shown = Math.min(left, count);
    left -= shown;
    if (shown === count) return message;
    isChanged = true;
    return withoutOldest(message, count - shown);
  });
  return isChanged ? kept.toReversed() : messages;
};

const withoutOldest = (
  { images = [], ...message }: UserMessage | ToolMessage,
  count: number,
): ModelMessage => {
  const text = images
    .slice(0, count)
    .reduce(
      (all, { fileName }) => `${all}\n${imageNote(fileName, 'shown earlier, not shown again')}`,
      message.text,
    );
  const rest = images.slice(count);
  return rest.length === 0 ? { ...message, text } : { ...message, text, images: rest };
};

/** Stands in the text for a picture that is not shown. */
export const imageNote = (fileName: string, why: string): string => `[image: ${fileName} — ${why}]`;
