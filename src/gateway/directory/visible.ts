import type { KnownChat } from '../../core/directory.js';
import type { Caller } from '../../core/tool.js';
import type { HomeAddress } from '../preferences.js';

/**
 * The chats that a caller may know of: an owner of all, anybody else of their own chat and the home channel. Names of
 * other people's chats are nobody else's business.
 */
export const visibleChats = (
  chats: readonly KnownChat[],
  { origin, isOwner }: Caller,
  home: HomeAddress | undefined,
): readonly KnownChat[] => {
  if (isOwner) return chats;
  return chats.filter(
    ({ platform, chat }) => platform === origin.platform && (chat === origin.chat || chat === home?.chat),
  );
};
