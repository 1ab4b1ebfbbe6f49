/** Where conversations took place, in words that people and targets use. */
import type { KnownChat } from '../../core/directory.js';
import type { SessionKey } from '../../core/ids.js';
import type { Route } from '../../core/route.js';
import { createTargetNames } from '../directory/labels.js';
import { parseSessionKey } from '../inbound/session-key.js';

const chatKey = ({ platform, chat }: Pick<Route, 'platform' | 'chat'>): string =>
  JSON.stringify([platform, chat]);

/** `chats` under the first ids that they had, as sessions are named. */
export const createPlaceNames = (chats: readonly KnownChat[]): ((key: SessionKey) => string) => {
  const nameOf = createTargetNames(chats);
  const known = new Map(chats.map((chat) => [chatKey(chat), chat]));
  return (key) => {
    const place = parseSessionKey(key);
    if (place === undefined) return key;
    const chat = known.get(chatKey(place));
    const where = chat === undefined ? `${place.platform}:${place.chat}` : nameOf(chat);
    const thread = place.thread === undefined ? '' : `, thread ${place.thread}`;
    const user = place.user === undefined ? '' : `, user ${place.user}`;
    return `${where}${thread}${user}`;
  };
};
