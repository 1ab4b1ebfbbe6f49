import type { InboundEvent } from '../../core/inbound.js';
import { textOf } from '../../core/parts.js';
import type { GatewayPlatform, GatewaySettings } from '../settings.js';

/**
 * `allowed`: goes on. `unaddressed`: an allowed person talking to others in a group. `stranger`: may not write here.
 */
export type AccessVerdict = 'allowed' | 'unaddressed' | 'stranger';

const names = (list: readonly string[], platform: string, id: string): boolean =>
  list.includes('*') || list.includes(id) || list.includes(`${platform}:${id}`);

const mayWrite = (event: InboundEvent, platform: GatewayPlatform, settings: GatewaySettings): boolean => {
  const { sender, origin } = event;
  return (
    names(platform.allowedUsers, platform.id, sender.user) ||
    names(settings.allowedUsers, platform.id, sender.user) ||
    settings.owners.includes(`${platform.id}:${sender.user}`) ||
    names(platform.allowedChats, platform.id, origin.chat)
  );
};

const isForUs = (
  event: InboundEvent,
  platform: GatewayPlatform,
  isCommand: (text: string) => boolean,
): boolean =>
  event.type === 'action' ||
  event.origin.chatKind === 'direct' ||
  !platform.requireMention ||
  event.addressed !== 'none' ||
  isCommand(textOf(event.parts));

/** Pure. The one gate: every event passes it exactly once, before anything of its content is stored. */
export const decideAccess = (
  event: InboundEvent,
  platform: GatewayPlatform,
  settings: GatewaySettings,
  isCommand: (text: string) => boolean,
): AccessVerdict => {
  if (!mayWrite(event, platform, settings)) return 'stranger';
  return isForUs(event, platform, isCommand) ? 'allowed' : 'unaddressed';
};

/**
 * Owners are those that the platform itself vouches for (whoever can open a page on the host), those listed as such
 * and, if nobody is listed, every person allowed by id; `*` never makes an owner.
 */
export const isOwner = (platform: GatewayPlatform, user: string, settings: GatewaySettings): boolean => {
  if (platform.owners.includes(user)) return true;
  if (settings.owners.length > 0) return settings.owners.includes(`${platform.id}:${user}`);
  const listed = [...platform.allowedUsers, ...settings.allowedUsers];
  return listed.includes(user) || listed.includes(`${platform.id}:${user}`);
};
