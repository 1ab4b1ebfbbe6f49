import type { ChatId } from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import { textOf } from '../../core/parts.js';
import type { Origin } from '../../core/route.js';
import type { GatewayPlatform, GatewaySettings } from '../settings.js';

/**
 * `allowed`: goes on. `unaddressed`: an allowed person talking to others in a group. `stranger`: may not write here.
 */
export type AccessVerdict = 'allowed' | 'unaddressed' | 'stranger';

const names = (list: readonly string[], platform: string, id: string): boolean =>
  list.includes('*') || list.includes(id) || list.includes(`${platform}:${id}`);

export interface AccessQuestions {
  isCommand(text: string): boolean;
  /** Somebody whom the operator let in by a code. */
  isPaired(platform: string, user: string): boolean;
  /** A bare number that a question waits for. */
  isAnswer(event: InboundEvent): boolean;
  /** Every id of the chat: one that moved has several. */
  chatNames(origin: Origin): readonly ChatId[];
}

const mayWrite = (
  event: InboundEvent,
  platform: GatewayPlatform,
  settings: GatewaySettings,
  { isPaired, chatNames }: AccessQuestions,
): boolean => {
  const { sender, origin } = event;
  const isChatAllowed = chatNames(origin).some((chat) => names(platform.allowedChats, platform.id, chat));
  // Who posts in a channel is the channel itself, so a list of people says nothing about it.
  if (origin.chatKind === 'channel') return isChatAllowed;
  return (
    names(platform.allowedUsers, platform.id, sender.user) ||
    names(settings.allowedUsers, platform.id, sender.user) ||
    settings.owners.includes(`${platform.id}:${sender.user}`) ||
    isChatAllowed ||
    sender.roles?.some((role) => platform.allowedRoles.includes(role)) === true ||
    isPaired(platform.id, sender.user)
  );
};

const isForUs = (
  event: InboundEvent,
  platform: GatewayPlatform,
  { isCommand, isAnswer }: AccessQuestions,
): boolean =>
  event.type === 'action' ||
  event.origin.chatKind !== 'group' ||
  !platform.requireMention ||
  event.addressed !== 'none' ||
  (!(event.type === 'message' && event.isForwarded === true) && isCommand(textOf(event.parts))) ||
  isAnswer(event);

/** The one gate: every event passes it exactly once, before anything of its content is stored. */
export const decideAccess = (
  event: InboundEvent,
  platform: GatewayPlatform,
  settings: GatewaySettings,
  questions: AccessQuestions,
): AccessVerdict => {
  if (!mayWrite(event, platform, settings, questions)) return 'stranger';
  return isForUs(event, platform, questions) ? 'allowed' : 'unaddressed';
};

/**
 * Owners are those that the platform itself vouches for (whoever can open a page on the host), those listed as such
 * and, if nobody is listed, every person allowed by id; neither `*` nor a code makes
 * an owner.
 */
export const isOwner = (platform: GatewayPlatform, user: string, settings: GatewaySettings): boolean => {
  if (platform.owners.includes(user)) return true;
  if (settings.owners.length > 0) return settings.owners.includes(`${platform.id}:${user}`);
  const listed = [...platform.allowedUsers, ...settings.allowedUsers];
  return listed.includes(user) || listed.includes(`${platform.id}:${user}`);
};
