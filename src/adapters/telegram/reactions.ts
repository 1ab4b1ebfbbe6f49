import type { ReactingFacet, Reaction } from '../../core/platform.js';
import type { TelegramClient } from './client.js';
import { toPlatformError } from './errors.js';
import { numberOf } from './ids.js';

/** Of the few that Telegram allows. A bot has one at a time: the next takes its place. */
const emojis = { working: '👀', done: '👍', failed: '👎' } as const satisfies Record<Reaction, string>;

export const createReacting = (client: TelegramClient): ReactingFacet => ({
  async react({ route, message }, reaction, { signal }) {
    const shown = reaction === undefined ? [] : [{ type: 'emoji' as const, emoji: emojis[reaction] }];
    const payload = { chat_id: numberOf(route.chat), message_id: numberOf(message), reaction: shown };
    const result = await client.call('setMessageReaction', payload, { signal });
    if (!result.ok) throw toPlatformError(result.failure, route.chat);
  },
});
