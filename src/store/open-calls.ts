import type { Category } from '../core/permission.js';
import type { ModelMessage } from '../core/provider.js';
import type { OpenCall } from '../core/turn.js';

/** The calls in `messages` (of one turn, in order) that have no result there; `begun` has those that began. */
export const openCallsOf = (
  messages: readonly ModelMessage[],
  begun: ReadonlyMap<string, Category>,
): readonly OpenCall[] => {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.call] : [])));
  return messages
    .flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
    .filter((call) => !answered.has(call.id))
    .map((call) => {
      const category = begun.get(call.id);
      return category === undefined ? { call, isBegun: false } : { call, isBegun: true, category };
    });
};
