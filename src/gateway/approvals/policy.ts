/** What holds for a caller, by what the settings call them. */
import type { ApprovalService } from '../../core/approval.js';
import type { Caller } from '../../core/caller.js';
import type { ChatId } from '../../core/ids.js';
import { policyFor } from '../../core/permission-settings.js';
import type { GatewayPlatform, GatewaySettings } from '../settings.js';

interface PolicyDeps {
  readonly settings: GatewaySettings;
  platform(id: string): GatewayPlatform | undefined;
  /** Every id of the chat: one that moved has several. */
  chatNames(origin: Caller['origin']): readonly ChatId[];
}

export const createPolicy =
  ({ settings, platform, chatNames }: PolicyDeps): ApprovalService['policy'] =>
  (caller) => {
    const { origin, isOwner, roles = [] } = caller;
    const place = platform(origin.platform);
    const policy = policyFor(settings.permissions, {
      platform: origin.platform,
      roles: [isOwner ? 'owner' : 'guest', ...roles.map((role) => `${origin.platform}:${role}`)],
      chats: chatNames(origin).map((chat) => `${origin.platform}:${chat}`),
      jobs: place?.jobNames?.(origin.chat) ?? [],
    });
    const isAttended = place !== undefined && place.isUnattended !== true;
    return { ...policy, canAsk: isAttended && caller.isProgram !== true };
  };
