/** What stands outside a phone's message: from whom, where, and under which ids; readable without any key. */
import { secondsNow } from './nodes.js';
import type { Phone } from './phone.js';
import type { Addressing, SendOptions } from './protocol.js';
import type { World } from './world.js';

export type ChatKind = 'private' | 'own' | 'group' | 'broadcast' | 'newsletter';

export interface Route {
  readonly kind: ChatKind;
  /** As chats are named here. */
  readonly chat: string;
  readonly addressing: Addressing;
  readonly group?: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** Throws for a chat that the phone cannot write to. */
export function routeOf(world: World, phone: Phone, options: SendOptions): Route {
  const { chat = phone === world.account ? phone.number : world.account.number, device = 0 } = options;
  const kind = kindOf(world, phone, chat);
  const addressing =
    options.addressing ?? (kind === 'group' ? (world.group(chat).addressing ?? 'lid') : phone.addressing);
  const other: Addressing = addressing === 'lid' ? 'pn' : 'lid';
  const self = phone.jid(addressing, device);
  const alt = phone.jid(other);
  const common = {
    t: options.sentAt === undefined ? secondsNow() : String(Math.floor(options.sentAt / 1000)),
    notify: phone.name,
  };
  switch (kind) {
    case 'private':
      return {
        kind,
        chat: phone.number,
        addressing,
        attributes: { ...common, from: self, [`sender_${other}`]: alt, addressing_mode: addressing },
      };
    case 'own': {
      const recipient = world.phone(chat);
      return {
        kind,
        chat,
        addressing,
        attributes: {
          ...common,
          from: self,
          recipient: recipient.jid(addressing),
          [`peer_recipient_${other}`]: recipient.jid(other),
          addressing_mode: addressing,
        },
      };
    }
    case 'newsletter':
      return { kind, chat, addressing, attributes: { ...common, from: chat, server_id: '100' } };
    default:
      return {
        kind,
        chat,
        addressing,
        ...(kind === 'group' ? { group: chat } : {}),
        attributes: {
          ...common,
          from: chat,
          participant: self,
          [`participant_${other}`]: alt,
          addressing_mode: addressing,
        },
      };
  }
}

function kindOf(world: World, phone: Phone, chat: string): ChatKind {
  if (chat.endsWith('@g.us')) {
    if (!world.group(chat).members.includes(phone.number) && phone !== world.account)
      throw new Error(`${phone.number} is not in ${chat}`);
    return 'group';
  }
  if (chat.endsWith('@broadcast')) return 'broadcast';
  if (chat.endsWith('@newsletter')) return 'newsletter';
  if (phone === world.account) return 'own';
  if (chat === world.account.number) return 'private';
  throw new Error(`a message of ${phone.number} to ${chat} would not reach the bot`);
}
