/**
 * A device of the account that is a client of this server: its keys as it registered them, the stanzas that wait for it,
 * and its connection while there is one. What it has not acknowledged comes again when it logs in.
 */
import type { Link } from './link.js';
import { attribute, type BinaryNode, bytesOf, child, children, node, uint, uintOf } from './nodes.js';
import { type KeyBundle, prefixed } from './signal-device.js';

interface PublicKey {
  readonly id: number;
  readonly value: Buffer;
}

interface SignedKey extends PublicKey {
  readonly signature: Buffer;
}

export class LinkedDevice {
  readonly id: number;
  readonly noiseKey: Buffer;
  identity: Buffer | undefined;
  registrationId = 0;
  signedPreKey: SignedKey | undefined;
  preKeys: PublicKey[] = [];
  link: Link | undefined;
  /** It has asked for what waited, so what comes now is new. */
  isCaughtUp = false;
  /** It was told what a new device is told once. */
  isWelcomed = false;
  /** Stanzas by class and id, until they are acknowledged. */
  readonly waiting = new Map<string, BinaryNode>();
  readonly #touched: () => void;

  constructor(id: number, noiseKey: Buffer, touched: () => void) {
    this.id = id;
    this.noiseKey = noiseKey;
    this.#touched = touched;
  }

  /** From what a client says of its keys when it registers. */
  register(registrationId: number, identity: Buffer, signedPreKey: SignedKey): void {
    this.registrationId = registrationId;
    this.identity = identity;
    this.signedPreKey = signedPreKey;
  }

  /** Takes an `<iq type="set" xmlns="encrypt">` with one-time keys. */
  upload(stanza: BinaryNode): void {
    const signed = child(stanza, 'skey');
    this.register(uintOf(stanza, 'registration'), bytesOf(stanza, 'identity'), {
      id: uintOf(signed, 'id'),
      value: bytesOf(signed, 'value'),
      signature: bytesOf(signed, 'signature'),
    });
    const keys = children(child(stanza, 'list'), 'key');
    this.preKeys.push(...keys.map((key) => ({ id: uintOf(key, 'id'), value: bytesOf(key, 'value') })));
  }

  rotate(signed: BinaryNode): void {
    this.signedPreKey = {
      id: uintOf(signed, 'id'),
      value: bytesOf(signed, 'value'),
      signature: bytesOf(signed, 'signature'),
    };
  }

  /** Uses up one of its one-time keys. Throws before the device has told its keys. */
  takeBundle(): KeyBundle {
    const { identity, signedPreKey } = this;
    if (identity === undefined || signedPreKey === undefined)
      throw new Error(`device ${this.id} has not told its keys yet`);
    const preKey = this.preKeys.shift();
    return {
      registrationId: this.registrationId,
      identityKey: prefixed(identity),
      signedPreKey: {
        keyId: signedPreKey.id,
        publicKey: prefixed(signedPreKey.value),
        signature: signedPreKey.signature,
      },
      ...(preKey === undefined ? {} : { preKey: { keyId: preKey.id, publicKey: prefixed(preKey.value) } }),
    };
  }

  /** The same as stanza content. */
  bundleNodes(): BinaryNode[] {
    const { registrationId, identityKey, signedPreKey, preKey } = this.takeBundle();
    const raw = (key: Uint8Array): Uint8Array => key.subarray(1);
    return [
      node('registration', {}, uint(registrationId)),
      node('type', {}, Buffer.from([5])),
      node('identity', {}, raw(identityKey)),
      node('skey', {}, [
        node('id', {}, uint(signedPreKey.keyId, 3)),
        node('value', {}, raw(signedPreKey.publicKey)),
        node('signature', {}, signedPreKey.signature),
      ]),
      ...(preKey === undefined
        ? []
        : [
            node('key', {}, [
              node('id', {}, uint(preKey.keyId, 3)),
              node('value', {}, raw(preKey.publicKey)),
            ]),
          ]),
    ];
  }

  /** Sends it, or keeps it until the device comes. */
  deliver(stanza: BinaryNode): void {
    this.waiting.set(`${stanza.tag} ${attribute(stanza, 'id')}`, stanza);
    if (this.isCaughtUp) this.link?.send(stanza);
    this.#touched();
  }

  /** Everything that waits, marked as such; gives how much it was. */
  sendWaiting(): number {
    const stanzas = [...this.waiting.values()];
    stanzas.forEach((stanza, index) => {
      this.link?.send({ ...stanza, attrs: { ...stanza.attrs, offline: String(index) } });
    });
    return stanzas.length;
  }

  acknowledge(tag: string, ids: readonly string[]): void {
    for (const id of ids) this.waiting.delete(`${tag} ${id}`);
    this.#touched();
  }
}
