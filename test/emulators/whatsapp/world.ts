/**
 * One account and everybody around it. Each world has an address of its own, `/ws/<name>`, and knows nothing of the
 * others.
 */
import { Faults } from '../kit/faults.js';
import { Watchers } from '../kit/watchers.js';
import { CallLog } from './call-log.js';
import { createCertificate, type ServerCertificate, trustRoot } from './certificate.js';
import type { Outgoing } from './deliver.js';
import type { Link } from './link.js';
import { LinkedDevice } from './linked-device.js';
import type { MediaStore } from './media-store.js';
import { attribute, type BinaryNode } from './nodes.js';
import { Phone, parseJid } from './phone.js';
import type {
  CallRecord,
  FaultAction,
  FaultSpec,
  GroupSpec,
  PhoneSpec,
  SeenReceipt,
  WorldSpec,
  WorldState,
} from './protocol.js';
import type { StoredMessage } from './stored.js';

export type MessageListener = (message: StoredMessage) => void;

export class World {
  readonly spec: WorldSpec;
  readonly certificate: ServerCertificate;
  readonly account: Phone;
  readonly phones = new Map<string, Phone>();
  readonly #byLid = new Map<string, Phone>();
  readonly groups = new Map<string, GroupSpec>();
  readonly devices = new Map<number, LinkedDevice>();
  readonly links = new Set<Link>();
  /** Connections that show a QR code or wait for a pairing code, by reference. */
  readonly pairings = new Map<string, Link>();
  readonly media: MediaStore;
  readonly watchers = new Watchers();
  readonly log = new CallLog();
  readonly faults: Faults<FaultSpec, CallRecord>;
  /** By id, whoever wrote it; made by `keep`. */
  readonly messages = new Map<string, StoredMessage>();
  readonly #chats = new Map<string, StoredMessage[]>();
  /** What phones sent, by message id, to send it again: as it was, and sealed as it was. */
  readonly outgoing = new Map<string, Outgoing>();
  readonly stanzas = new Map<string, BinaryNode>();
  readonly sent: StoredMessage[] = [];
  readonly receipts: SeenReceipt[] = [];
  readonly complaints: string[] = [];
  undecryptable = 0;
  logins = 0;
  /** Each new connection is refused so: an HTTP status at the door, or a failure after the handshake. */
  refusal: { readonly status?: number; readonly reason?: number } | undefined;
  isSilent = false;
  readonly onBotMessage: MessageListener;
  readonly #versions = new Map<string, number>();
  #nextDevice: number;
  #nextId = 1;
  #work: Promise<unknown> = Promise.resolve();

  constructor(spec: WorldSpec, media: MediaStore, onBotMessage: MessageListener = () => undefined) {
    this.spec = spec;
    this.media = media;
    this.onBotMessage = onBotMessage;
    this.certificate = createCertificate(spec.certificate === 'forged');
    const { number = '15550109999', lid, name = 'Hermes', device = 7 } = spec.account ?? {};
    this.account = this.setPhone({ number, name, ...(lid === undefined ? {} : { lid }) });
    this.#nextDevice = device;
    for (const phone of spec.phones ?? []) this.setPhone(phone);
    for (const group of spec.groups ?? []) this.groups.set(group.id, group);
    this.faults = new Faults(
      ({ call, text }, fault) =>
        new RegExp(fault.call, 'u').test(call) &&
        (fault.contains === undefined || text.includes(fault.contains)),
      () => this.watchers.touch('held'),
    );
  }

  setPhone(spec: PhoneSpec): Phone {
    const phone = new Phone(spec);
    this.phones.set(phone.number, phone);
    this.#byLid.set(phone.lid, phone);
    return phone;
  }

  /** Whose jid it is, by number or hidden id. */
  find(jid: string): Phone | undefined {
    const { user } = parseJid(jid);
    return this.phones.get(user) ?? this.#byLid.get(user);
  }

  phone(number: string): Phone {
    const phone = this.phones.get(number);
    if (phone === undefined) throw new Error(`nobody has the number ${number}`);
    return phone;
  }

  group(id: string): GroupSpec {
    const group = this.groups.get(id);
    if (group === undefined) throw new Error(`no group ${id}`);
    return group;
  }

  message(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (message === undefined) throw new Error(`no message ${id}`);
    return message;
  }

  /** How a chat is called here: a number for a person, the id for everything else. */
  chatOf(jid: string): string {
    return this.find(jid)?.number ?? jid;
  }

  /** Session address of a linked device at the phones: one for both of the account's ids. */
  address(device: LinkedDevice): string {
    return this.account.jid('lid', device.id);
  }

  /** The device that is linked; the newest of several. */
  get device(): LinkedDevice {
    const device = [...this.devices.values()].at(-1);
    if (device === undefined) throw new Error('no device is linked');
    return device;
  }

  linkDevice(noiseKey: Buffer, id = this.#nextDevice): LinkedDevice {
    this.#nextDevice = Math.max(this.#nextDevice, id) + 1;
    const device = new LinkedDevice(id, noiseKey, () => this.watchers.touch('waiting'));
    this.devices.set(id, device);
    return device;
  }

  /** Ids in the form that phones give them. */
  newId(prefix = '3A'): string {
    const id = `${prefix}${(Date.now() % 0x1_0000_0000).toString(16).padStart(10, '0')}${this.#nextId.toString(16).padStart(8, '0')}`;
    this.#nextId += 1;
    return id.toUpperCase();
  }

  /** Runs one after the other what must keep its order: sessions step with each message. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  complain(text: string): void {
    this.complaints.push(text);
    this.watchers.touch('complaints');
  }

  touchChat(chat: string): void {
    this.#versions.set(chat, this.versionOf(chat) + 1);
    this.#versions.set('', this.versionOf('') + 1);
    this.watchers.touch(`chat:${chat}`, 'sent');
  }

  /** Of the whole world with the empty name. */
  versionOf(chat: string): number {
    return this.#versions.get(chat) ?? 0;
  }

  keep(message: StoredMessage): void {
    this.messages.set(message.id, message);
    const chat = this.#chats.get(message.chat) ?? [];
    chat.push(message);
    this.#chats.set(message.chat, chat);
  }

  inChat(chat: string): readonly StoredMessage[] {
    return this.#chats.get(chat) ?? [];
  }

  /** What is due on this call, if anything is. */
  begin(call: string, text = ''): { record: CallRecord; fault: FaultAction | undefined; id: number } {
    const record = this.log.begin(call, text);
    const fired = this.faults.fire(record);
    this.watchers.touch('calls');
    // The registry knows its actions as unknown; only FaultSpec values go in.
    return { record, fault: fired?.action as FaultAction | undefined, id: fired?.id ?? 0 };
  }

  state(): WorldState {
    return {
      account: { number: this.account.number, lid: this.account.lid },
      trustRoot,
      mediaCertificate: this.media.certificatePem,
      linkedDevices: [...this.devices.keys()],
      connections: this.links.size,
      logins: this.logins,
      preKeys: [...this.devices.values()].reduce((sum, { preKeys }) => sum + preKeys.length, 0),
      waiting: [...this.devices.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
      undecryptable: this.undecryptable,
      complaints: this.complaints,
    };
  }

  close(): void {
    this.faults.remove();
    for (const link of this.links) link.terminate();
  }
}

/** For logs: what a stanza is, as faults and tests name it. */
export function nameOf(world: World, stanza: BinaryNode): string {
  const inner = Array.isArray(stanza.content) ? (stanza.content[0]?.tag ?? '') : '';
  const to = world.chatOf(attribute(stanza, 'to'));
  switch (stanza.tag) {
    case 'iq':
      return `iq ${attribute(stanza, 'type')} ${attribute(stanza, 'xmlns')} ${inner}`.trim();
    case 'receipt':
      return `receipt ${attribute(stanza, 'type') || 'delivered'} ${to}`;
    case 'ack':
      return `ack ${attribute(stanza, 'class')} ${attribute(stanza, 'error')}`.trim();
    case 'chatstate':
      return `chatstate ${inner} ${to}`;
    case 'presence':
      return `presence ${attribute(stanza, 'type')}`.trim();
    default:
      return `${stanza.tag} ${inner}`.trim();
  }
}
