/** A phone's message on its way to the bot: composed, kept, sealed for the bot's devices, and sent or left waiting. */
import { proto } from '@whiskeysockets/baileys';
import { classify } from './classify.js';
import { compose } from './compose.js';
import { applyEffect } from './effects.js';
import { type Route, routeOf } from './envelope.js';
import type { LinkedDevice } from './linked-device.js';
import { type BinaryNode, node } from './nodes.js';
import type { Phone } from './phone.js';
import type { Content, SendOptions } from './protocol.js';
import type { Sealed } from './signal-device.js';
import type { StoredMessage } from './stored.js';

import type { World } from './world.js';

/** What is needed to send a message again. */
export interface Outgoing {
  readonly phone: Phone;
  readonly deviceId: number;
  readonly route: Route;
  readonly message: proto.IMessage;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

export async function sendFromPhone(
  world: World,
  number: string,
  content: Content,
  options: SendOptions,
): Promise<{ readonly messageId: string; readonly chat: string }> {
  const phone = world.phone(number);
  const route = routeOf(world, phone, options);
  const id = options.id ?? world.newId();
  const message = await compose({ world, phone, route }, content, options);
  const stored = toStored(world, number, id, route.chat, message);
  if (!world.messages.has(id)) {
    world.keep(stored);
    applyEffect(world, stored);
  }
  world.touchChat(route.chat);
  const outgoing: Outgoing = {
    phone,
    deviceId: options.device ?? 0,
    route,
    message: route.kind === 'own' ? ownCopy(world, route, message) : message,
    attributes: {
      ...route.attributes,
      id,
      type: typeOf(stored),
      edit: stored.kind === 'edit' ? '1' : stored.kind === 'delete' ? '7' : undefined,
      offline: options.append === true ? '0' : undefined,
    },
  };
  world.outgoing.set(id, outgoing);
  await world.inOrder(async () => {
    for (const bot of world.devices.values()) {
      const stanza = node('message', outgoing.attributes, await seal(world, bot, outgoing, options));
      bot.deliver(stanza);
      if (options.twice === true) bot.deliver(stanza);
      world.stanzas.set(id, stanza);
    }
  });
  return { messageId: id, chat: route.chat };
}

function toStored(
  world: World,
  from: string,
  id: string,
  chat: string,
  message: proto.IMessage,
): StoredMessage {
  const reading = classify(message);
  return {
    ...reading,
    mentions: reading.mentions.map((jid) => world.find(jid)?.number ?? jid),
    id,
    chat,
    from,
    proto: message,
    receivedBy: new Set(),
    times: 1,
    edits: 0,
    deleted: false,
    reactions: new Map(),
  };
}

function typeOf({ kind }: StoredMessage): string {
  if (kind === 'reaction') return 'reaction';
  if (kind === 'poll' || kind === 'vote') return 'poll';
  return ['image', 'video', 'audio', 'voice', 'document', 'sticker', 'contact'].includes(kind)
    ? 'media'
    : 'text';
}

/** What one's own phone wrote comes to one's other devices in this form. */
function ownCopy(world: World, { chat, addressing }: Route, message: proto.IMessage): proto.IMessage {
  return { deviceSentMessage: { destinationJid: world.phone(chat).jid(addressing), message } };
}

async function seal(
  world: World,
  bot: LinkedDevice,
  { phone, deviceId, route, message }: Outgoing,
  options: SendOptions,
): Promise<BinaryNode[]> {
  if (options.unavailable !== undefined) return [node('unavailable', { type: options.unavailable })];
  if (route.kind === 'newsletter') return [node('plaintext', {}, proto.Message.encode(message).finish())];
  const device = phone.device(deviceId);
  const address = world.address(bot);
  const pairwise = async (content: proto.IMessage): Promise<Sealed> => {
    if (options.freshSession === true || !(await device.hasSession(address)))
      await device.begin(address, bot.takeBundle());
    return device.seal(address, content);
  };
  const toNode = (sealed: Sealed): BinaryNode => {
    const { type, ciphertext } = options.corrupt === true ? spoil(sealed) : sealed;
    return node('enc', { v: '2', type }, ciphertext);
  };
  if (route.group === undefined) return [toNode(await pairwise(message))];
  const self = phone.jid(route.addressing, deviceId);
  const { sealed, senderKey } = await device.sealForGroup(route.group, self, address, message);
  if (senderKey === undefined) return [toNode(sealed)];
  const key = await pairwise(senderKey);
  return [node('enc', { v: '2', type: key.type }, key.ciphertext), toNode(sealed)];
}

/** A byte of the code that proves it is wrong; a group's message, which has none that is checked, is cut short. */
function spoil({ type, ciphertext }: Sealed): Sealed {
  const bytes = Buffer.from(ciphertext);
  if (type === 'skmsg') return { type, ciphertext: bytes.subarray(0, bytes.length >> 1) };
  const at = bytes.length - 12;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return { type, ciphertext: bytes };
}
