/** Where conversations took place, in words that people and targets use. */
import type { KnownChat } from '../../core/directory.js';
import type { SessionKey } from '../../core/ids.js';
import { labelTarget } from '../directory/labels.js';
import { parseSessionKey } from '../inbound/session-key.js';

/** `chats` under the first ids that they had, as sessions are named. */
export const describePlace = (key: SessionKey, chats: readonly KnownChat[]): string => {
  const place = parseSessionKey(key);
  if (place === undefined) return key;
  const known = chats.find(({ platform, chat }) => platform === place.platform && chat === place.chat);
  const where = known === undefined ? `${place.platform}:${place.chat}` : labelTarget(known);
  const thread = place.thread === undefined ? '' : `, thread ${place.thread}`;
  const user = place.user === undefined ? '' : `, user ${place.user}`;
  return `${where}${thread}${user}`;
};
