/** A message of the bot: every phone it is for decrypts its part, and what they read is kept. */
import { proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import { askAgain } from './ask-again.js';
import { classify, mediaOf } from './classify.js';
import { applyEffect } from './effects.js';
import type { LinkedDevice } from './linked-device.js';
import { attribute, type BinaryNode, child, children, node, secondsNow } from './nodes.js';
import { answerPeer } from './peer.js';
import { type Phone, parseJid } from './phone.js';
import type { SeenMedia } from './protocol.js';
import type { StoredMessage } from './stored.js';
import type { World } from './world.js';

export interface Received {
  /** For the log and for faults. */
  readonly call: string;
  readonly text: string;
  /** Makes it part of the chat. */
  keep(): void;
}

/** To be called for one message at a time, in order: sessions step with each. */
export async function receiveMessage(world: World, bot: LinkedDevice, stanza: BinaryNode): Promise<Received> {
  const to = attribute(stanza, 'recipient') || attribute(stanza, 'to');
  const readers = new Reading(world, bot, stanza);
  await readers.readAll();
  const chat = world.chatOf(to);
  const message = readers.message;
  if (message === undefined) return { call: `message ${chat} unreadable`, text: '', keep: () => undefined };
  const isPeer = attribute(stanza, 'category') === 'peer';
  const stored = isPeer ? undefined : await toStored(world, message, attribute(stanza, 'id'), chat);
  const tellPhone = (): void => {
    answerPeer(world, bot, attribute(stanza, 'id'), message).catch((error: unknown) =>
      world.complain(`peer: ${String(error)}`),
    );
  };
  return {
    call: `message ${chat} ${stored?.kind ?? 'peer'}`,
    text: stored?.text ?? '',
    keep: () => {
      if (stored === undefined) tellPhone();
      else keep(world, bot, stored, to, readers);
    },
  };
}

function keep(world: World, bot: LinkedDevice, fresh: StoredMessage, to: string, readers: Reading): void {
  const known = world.messages.get(fresh.id);
  const stored = known ?? fresh;
  stored.times += 1;
  for (const { phone } of readers.devices) stored.receivedBy.add(phone.number);
  if (known === undefined) {
    world.keep(stored);
    world.sent.push(stored);
    applyEffect(world, stored);
    world.onBotMessage(stored);
  }
  world.touchChat(stored.chat);
  if (world.spec.deliveryReceipts === false) return;
  const group = to.endsWith('@g.us') ? to : undefined;
  const told = new Set<string>([world.account.number]);
  for (const { phone, jid } of readers.devices) {
    if (told.has(phone.number)) continue;
    told.add(phone.number);
    const address = jid.replace(/:\d+/u, '');
    bot.deliver(
      node('receipt', {
        from: group ?? address,
        participant: group === undefined ? undefined : address,
        id: stored.id,
        t: secondsNow(),
      }),
    );
  }
}

async function toStored(
  world: World,
  message: proto.IMessage,
  id: string,
  chat: string,
): Promise<StoredMessage> {
  const reading = classify(message);
  const media = await readMedia(world, message);
  return {
    ...reading,
    mentions: reading.mentions.map((jid) => world.find(jid)?.number ?? jid),
    ...(media === undefined ? {} : { media }),
    id,
    chat,
    from: 'bot',
    proto: message,
    receivedBy: new Set(),
    times: 0,
    edits: 0,
    deleted: false,
    reactions: new Map(),
  };
}

async function readMedia(world: World, message: proto.IMessage): Promise<SeenMedia | undefined> {
  const media = mediaOf(message);
  if (media === undefined) return undefined;
  const bytes = await world.media.open(media);
  return {
    mimetype: media.part.mimetype ?? '',
    bytes: bytes?.length ?? 0,
    ...(media.name === undefined ? {} : { name: media.name }),
    ...(media.seconds === undefined ? {} : { seconds: media.seconds }),
    ...(bytes === undefined ? {} : { contentBase64: bytes.toString('base64') }),
  };
}

interface ReaderDevice {
  readonly phone: Phone;
  readonly deviceId: number;
  readonly jid: string;
}

/** One message and the devices that read it. */
class Reading {
  message: proto.IMessage | undefined;
  readonly devices: ReaderDevice[] = [];
  readonly #world: World;
  readonly #bot: LinkedDevice;
  readonly #stanza: BinaryNode;

  constructor(world: World, bot: LinkedDevice, stanza: BinaryNode) {
    this.#world = world;
    this.#bot = bot;
    this.#stanza = stanza;
  }

  async readAll(): Promise<void> {
    const plain = child(this.#stanza, 'plaintext');
    if (plain?.content instanceof Uint8Array) {
      this.message = proto.Message.decode(plain.content);
      return;
    }
    const parts = children(child(this.#stanza, 'participants'), 'to');
    for (const part of parts) await this.#readPart(attribute(part, 'jid'), child(part, 'enc'));
    const direct = child(this.#stanza, 'enc');
    if (direct === undefined) return;
    if (direct.attrs['type'] === 'skmsg') await this.#readGroup(parts, direct);
    else {
      const participant = attribute(this.#stanza, 'participant');
      await this.#readPart(participant || attribute(this.#stanza, 'to'), direct);
    }
  }

  async #readPart(jid: string, sealed: BinaryNode | undefined): Promise<void> {
    const reader = this.#reader(jid);
    if (reader === undefined) return;
    await this.#attempt(reader, async () => {
      const device = reader.phone.device(reader.deviceId);
      const plain = await device.open(
        this.#address,
        attribute(sealed ?? this.#stanza, 'type'),
        bytes(sealed),
      );
      const outer = proto.Message.decode(unpadRandomMax16(plain));
      const message = outer.deviceSentMessage?.message ?? outer;
      const { senderKeyDistributionMessage: senderKey, ...content } = message;
      if (senderKey) await device.takeSenderKey(this.#address, senderKey);
      return Object.values(content).some(Boolean) ? message : undefined;
    });
  }

  /** Everybody in the group; of a broadcast, everybody who got the key. */
  async #readGroup(parts: readonly BinaryNode[], sealed: BinaryNode): Promise<void> {
    const to = attribute(this.#stanza, 'to');
    const group = this.#world.groups.get(to);
    const addressing = group?.addressing ?? 'lid';
    const jids =
      group === undefined
        ? parts.map((part) => attribute(part, 'jid'))
        : [...group.members, this.#world.account.number].flatMap((number) => {
            const phone = this.#world.phone(number);
            return phone.deviceIds.map((id) => phone.jid(addressing, id));
          });
    for (const jid of jids) {
      const reader = this.#reader(jid);
      if (reader === undefined) continue;
      await this.#attempt(reader, async () => {
        const plain = await reader.phone
          .device(reader.deviceId)
          .openFromGroup(to, this.#address, bytes(sealed));
        return proto.Message.decode(unpadRandomMax16(plain));
      });
    }
  }

  async #attempt(reader: ReaderDevice, read: () => Promise<proto.IMessage | undefined>): Promise<void> {
    try {
      const message = await read();
      if (message === undefined) return;
      this.message ??= message;
      this.devices.push(reader);
    } catch {
      this.#world.undecryptable += 1;
      const to = attribute(this.#stanza, 'to');
      await askAgain(this.#bot, reader.phone, reader.deviceId, {
        id: attribute(this.#stanza, 'id'),
        jid: reader.jid,
        ...(to.endsWith('@g.us') ? { group: to } : {}),
      });
    }
  }

  get #address(): string {
    return this.#world.address(this.#bot);
  }

  /** Nobody for devices that are clients of this server, and for strangers. */
  #reader(jid: string): ReaderDevice | undefined {
    const phone = this.#world.find(jid);
    const { device } = parseJid(jid);
    return phone?.deviceIds.includes(device) === true ? { phone, deviceId: device, jid } : undefined;
  }
}

function bytes(sealed: BinaryNode | undefined): Uint8Array {
  if (sealed?.content instanceof Uint8Array) return sealed.content;
  throw new Error('nothing to decrypt');
}
