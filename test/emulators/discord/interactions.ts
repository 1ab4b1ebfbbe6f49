/** Slash commands, buttons and menus as people use them, and what the bot may answer with a callback's token. */
import { unknownInteraction } from './api-error.js';
import { channelJson, memberJson, messageJson, userJson } from './json.js';
import type { InteractionSpec } from './protocol.js';
import type { World } from './world.js';

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly channelId: string;
  /** The message that carried the button. */
  readonly messageId: string | undefined;
  /** The callback's type, once there was one: 4 message, 5 deferred message, 6 deferred update, 7 update. */
  answered?: number;
  /** Shown to the person alone. */
  isEphemeral: boolean;
  /** The message that `@original` is. */
  originalId?: string;
  /** Three seconds are over. */
  isExpired: boolean;
}

export function interact(world: World, spec: InteractionSpec): { readonly interactionId: string } {
  const channel = world.channels.get(spec.channelId) ?? world.directChannel(spec.userId);
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  const id = world.snowflakes.next();
  const message = spec.kind === 'command' ? undefined : world.messages.get(spec.messageId);
  const interaction: Interaction = {
    id,
    token: `token-of-${id}`,
    channelId: channel.id,
    messageId: message?.id,
    isEphemeral: false,
    isExpired: false,
  };
  world.interactions.set(id, interaction);
  const user = userJson(world.user(spec.userId));
  world.dispatch('INTERACTION_CREATE', {
    id,
    application_id: world.bot.id,
    type: spec.kind === 'command' ? 2 : 3,
    token: interaction.token,
    version: 1,
    channel_id: channel.id,
    channel: channelJson(world, channel),
    ...(guild === undefined
      ? { user }
      : { guild_id: guild.id, member: { user, ...memberJson(guild, spec.userId), permissions: '0' } }),
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: {},
    attachment_size_limit: world.maxFileBytes,
    data: dataOf(world, spec),
    ...(message === undefined ? {} : { message: messageJson(world, message) }),
  });
  return { interactionId: id };
}

function dataOf(world: World, spec: InteractionSpec): unknown {
  if (spec.kind === 'command') {
    const options = (spec.options ?? []).map((option) => ({ type: 3, ...option }));
    return { id: world.snowflakes.next(), name: spec.name, type: 1, options };
  }
  if (spec.kind === 'button') return { custom_id: spec.customId, component_type: 2 };
  return { custom_id: spec.customId, component_type: 3, values: spec.values };
}

/** The interaction that a callback names; 10062 once it is over or answered. */
export function openInteraction(world: World, id: string, token: string): Interaction {
  const found = world.interactions.get(id);
  if (found === undefined || found.token !== token || found.isExpired) throw unknownInteraction();
  return found;
}

export function byToken(world: World, token: string): Interaction {
  for (const interaction of world.interactions.values()) if (interaction.token === token) return interaction;
  throw unknownInteraction();
}
