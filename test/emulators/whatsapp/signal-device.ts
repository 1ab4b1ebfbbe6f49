/**
 * A device with keys of its own, a phone or a computer linked to one: real Signal sessions, through the repository that
 * Baileys itself uses.
 */
import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeWAMessage,
  generateSignalPubKey,
  initAuthCreds,
  type proto,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';
import { type BinaryNode, node, uint } from './nodes.js';

type Repository = ReturnType<typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository>;
type Logger = Parameters<typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository>[1];

/** What a device tells others about itself, so that they can begin a session. */
export type KeyBundle = Parameters<Repository['injectE2ESession']>[0]['session'];

export interface Sealed {
  readonly type: 'pkmsg' | 'msg' | 'skmsg';
  readonly ciphertext: Uint8Array;
}

const nothing = (): void => undefined;
const silent: Logger = {
  level: 'silent',
  child: () => silent,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

export class SignalDevice {
  readonly creds = initAuthCreds();
  readonly #keys = addTransactionCapability(memoryKeys(), silent, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  });
  readonly #repository: Repository;
  /** Groups by device that has the sender key of this one. */
  readonly #told = new Set<string>();

  constructor() {
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
      { creds: this.creds, keys: this.#keys },
      silent,
    );
  }

  async hasSession(jid: string): Promise<boolean> {
    return (await this.#repository.validateSession(jid)).exists;
  }

  async begin(jid: string, session: KeyBundle): Promise<void> {
    await this.#repository.injectE2ESession({ jid, session });
  }

  async seal(jid: string, message: proto.IMessage): Promise<Sealed> {
    return this.#repository.encryptMessage({ jid, data: encodeWAMessage(message) });
  }

  /** Plain bytes with their padding. Throws when they do not decrypt. */
  async open(jid: string, type: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    if (type !== 'pkmsg' && type !== 'msg') throw new Error(`no session message: ${type}`);
    return this.#repository.decryptMessage({ jid, type, ciphertext: Buffer.from(ciphertext) });
  }

  /** The message for a group; with it the sender key, if `receiver` does not have it yet. */
  async sealForGroup(
    group: string,
    self: string,
    receiver: string,
    message: proto.IMessage,
  ): Promise<{ readonly sealed: Sealed; readonly senderKey?: proto.IMessage }> {
    const { ciphertext, senderKeyDistributionMessage } = await this.#repository.encryptGroupMessage({
      group,
      meId: self,
      data: encodeWAMessage(message),
    });
    const sealed: Sealed = { type: 'skmsg', ciphertext };
    const pair = `${group} ${receiver}`;
    if (this.#told.has(pair)) return { sealed };
    this.#told.add(pair);
    return {
      sealed,
      senderKey: {
        senderKeyDistributionMessage: {
          groupId: group,
          axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage,
        },
      },
    };
  }

  /** What makes the next group messages of this device readable. */
  async senderKey(group: string, self: string): Promise<proto.IMessage> {
    const key = await this.#repository.getSenderKeyDistributionMessage({ group, meId: self });
    return {
      senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: key },
    };
  }

  async openFromGroup(group: string, author: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.#repository.decryptGroupMessage({ group, authorJid: author, msg: Buffer.from(ciphertext) });
  }

  async takeSenderKey(author: string, item: proto.Message.ISenderKeyDistributionMessage): Promise<void> {
    await this.#repository.processSenderKeyDistributionMessage({ authorJid: author, item });
  }

  /** Forgets the session, so that the next message begins a new one. */
  async forget(jid: string): Promise<void> {
    await this.#repository.deleteSession([jid]);
  }

  /** With a one-time key that nobody else gets. */
  async bundleNodes(): Promise<BinaryNode[]> {
    const { registrationId, signedIdentityKey, signedPreKey } = this.creds;
    const id = this.creds.nextPreKeyId;
    this.creds.nextPreKeyId += 1;
    const pair = Curve.generateKeyPair();
    await this.#keys.set({ 'pre-key': { [id]: pair } });
    return [
      node('registration', {}, uint(registrationId)),
      node('type', {}, Buffer.from([5])),
      node('identity', {}, signedIdentityKey.public),
      node('skey', {}, [
        node('id', {}, uint(signedPreKey.keyId, 3)),
        node('value', {}, signedPreKey.keyPair.public),
        node('signature', {}, signedPreKey.signature),
      ]),
      node('key', {}, [node('id', {}, uint(id, 3)), node('value', {}, pair.public)]),
    ];
  }
}

export function prefixed(key: Uint8Array): Uint8Array {
  return generateSignalPubKey(key);
}

function memoryKeys(): SignalKeyStore {
  const values = new Map<string, unknown>();
  return {
    get: (type, ids) => {
      const found: Record<string, unknown> = {};
      for (const id of ids) {
        const value = values.get(`${type} ${id}`);
        if (value !== undefined) found[id] = value;
      }
      // Only what `set` was given under the same type comes out again.
      return found as never;
    },
    set: (data) => {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries ?? {})) {
          if (value === null || value === undefined) values.delete(`${type} ${id}`);
          else values.set(`${type} ${id}`, value);
        }
      }
    },
  };
}
