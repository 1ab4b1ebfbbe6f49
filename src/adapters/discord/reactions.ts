import type { ReactingFacet, Reaction } from '../../core/platform.js';
import { remember } from '../kit/remember.js';
import type { Channels } from './channels.js';
import type { DiscordClient } from './client.js';
import { toPlatformError } from './errors.js';
import { interactionOf } from './ids.js';

const emojis = { working: '👀', done: '✅', failed: '❌' } as const satisfies Record<Reaction, string>;

/** A sign changes while its turn runs; of so many messages at once the oldest keeps what it has. */
const MAX_REMEMBERED = 1_000;

/** Discord keeps every reaction until it is taken away. */
export const createReacting = (client: DiscordClient, channels: Channels): ReactingFacet => {
  const shown = new Map<string, string>();
  return {
    async react({ route, message }, reaction, { signal }) {
      // A command is no message that could be reacted to.
      if (interactionOf(message) !== undefined) return;
      // What opened a thread stands in the channel that the thread belongs to.
      const channel = route.thread === String(message) ? route.chat : channels.of(route);
      const change = async (verb: 'PUT' | 'DELETE', emoji: string): Promise<void> => {
        const path =
          `/channels/${channel}/messages/${message}/reactions/${encodeURIComponent(emoji)}/@me` as const;
        const result = await client.call({ verb, path }, { signal });
        if (!result.ok) throw toPlatformError(result.failure);
      };
      const before = shown.get(message);
      const next = reaction === undefined ? undefined : emojis[reaction];
      if (next !== undefined) await change('PUT', next);
      if (before !== undefined && before !== next) await change('DELETE', before);
      if (next === undefined) shown.delete(message);
      else remember(shown, message, next, MAX_REMEMBERED);
    },
  };
};
