/** Names of chats as people write them in targets. Pure. */
import type { KnownChat } from '../../core/directory.js';
import { formatTarget } from '../../core/targets.js';

type Named = Pick<KnownChat, 'kind' | 'title'>;

/** `#general` for a group or channel, `Alice (dm)` for a private chat. */
const labelOf = ({ kind, title }: Named): string => (kind === 'direct' ? `${title} (dm)` : `#${title}`);

const fold = (text: string): string => text.trim().replace(/^#/u, '').toLowerCase();

/** The target that names the chat by its label, e.g. `matrix:#general` or `matrix:"Alice (dm)"`. */
export const labelTarget = (chat: KnownChat): string =>
  formatTarget({
    type: 'named',
    platform: chat.platform,
    name: labelOf(chat),
    isQuoted: chat.kind === 'direct',
  });

/** The target that names a chat by its id. */
const idTarget = ({ platform, chat }: KnownChat): string =>
  formatTarget({ type: 'named', platform, name: chat, isQuoted: false });

/** The target that leads to each of these chats: by its label, or by its id where others have the same label. */
export const createTargetNames = (chats: readonly KnownChat[]): ((chat: KnownChat) => string) => {
  const counts = new Map<string, number>();
  const keyOf = (chat: KnownChat): string => JSON.stringify([chat.platform, fold(labelOf(chat))]);
  for (const chat of chats) counts.set(keyOf(chat), (counts.get(keyOf(chat)) ?? 0) + 1);
  return (chat) => ((counts.get(keyOf(chat)) ?? 0) > 1 ? idTarget(chat) : labelTarget(chat));
};

export type LabelAnswer =
  | { readonly type: 'one'; readonly chat: KnownChat }
  | { readonly type: 'none' }
  | { readonly type: 'many'; readonly chats: readonly KnownChat[] };

const toAnswer = (chats: readonly KnownChat[]): LabelAnswer => {
  const [chat, ...others] = chats;
  if (chat === undefined) return { type: 'none' };
  return others.length === 0 ? { type: 'one', chat } : { type: 'many', chats };
};

/** Whose whole label it is: in any letter case, `#` optional. */
export const findByLabel = (chats: readonly KnownChat[], name: string): LabelAnswer =>
  toAnswer(chats.filter((chat) => fold(labelOf(chat)) === fold(name)));

/** Whose label begins with it, if that is one chat. */
export const findByPrefix = (chats: readonly KnownChat[], name: string): LabelAnswer => {
  const prefix = fold(name);
  return toAnswer(prefix === '' ? [] : chats.filter((chat) => fold(labelOf(chat)).startsWith(prefix)));
};

/** More of them would bury what is wrong. */
const MAX_CANDIDATES = 10;

/** As an error or a list shows them: label and id. */
export const describeChats = (chats: readonly KnownChat[]): string => {
  const lines = chats
    .slice(0, MAX_CANDIDATES)
    .map((chat) => `${labelTarget(chat)} (${chat.platform}:${chat.chat})`);
  const more = chats.length - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};
