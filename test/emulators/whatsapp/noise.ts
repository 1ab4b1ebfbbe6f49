/** The server's half of the handshake, Noise XX with X25519, AES-GCM and SHA-256, and the two ciphers that it ends in. */
import { createHash, hkdfSync } from 'node:crypto';
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
} from '@whiskeysockets/baileys';
import type { ServerCertificate } from './certificate.js';

const NOTHING = Buffer.alloc(0);

export interface Hello {
  /** An encoded `HandshakeMessage` for the client. */
  readonly reply: Uint8Array;
  /** Takes the client's second message; throws when it does not decrypt. */
  finish(message: Uint8Array): Finished;
}

export interface Finished {
  /** The client's long-lived noise key. */
  readonly noiseKey: Buffer;
  readonly payload: proto.ClientPayload;
  encrypt(plain: Uint8Array): Buffer;
  decrypt(sealed: Uint8Array): Buffer;
}

/** Answers a client's first message, an encoded `HandshakeMessage`. */
export function answerHello(message: Uint8Array, { staticKey, chain }: ServerCertificate): Hello {
  const theirs = proto.HandshakeMessage.decode(message).clientHello?.ephemeral;
  if (theirs?.length !== 32) throw new Error('a first message without an ephemeral key');
  const state = new SymmetricState();
  const ephemeral = Curve.generateKeyPair();
  state.authenticate(NOISE_WA_HEADER);
  state.authenticate(theirs);
  state.authenticate(ephemeral.public);
  state.mixKey(Curve.sharedKey(ephemeral.private, theirs));
  const sealedStatic = state.encrypt(staticKey.public);
  state.mixKey(Curve.sharedKey(staticKey.private, theirs));
  const sealedChain = state.encrypt(chain);
  const reply = proto.HandshakeMessage.encode({
    serverHello: { ephemeral: ephemeral.public, static: sealedStatic, payload: sealedChain },
  }).finish();
  return {
    reply,
    finish: (second) => {
      const last = proto.HandshakeMessage.decode(second).clientFinish;
      if (!last?.static || !last.payload) throw new Error('a second message without key and payload');
      const noiseKey = state.decrypt(last.static);
      state.mixKey(Curve.sharedKey(ephemeral.private, noiseKey));
      const payload = proto.ClientPayload.decode(state.decrypt(last.payload));
      return { noiseKey, payload, ...state.split() };
    },
  };
}

class SymmetricState {
  #hash: Buffer = Buffer.from(NOISE_MODE);
  #salt: Buffer = this.#hash;
  #key: Buffer = this.#hash;
  #counter = 0;

  authenticate(data: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest();
  }

  mixKey(secret: Uint8Array): void {
    [this.#salt, this.#key] = this.#derive(secret);
    this.#counter = 0;
  }

  encrypt(plain: Uint8Array): Buffer {
    const sealed = aesEncryptGCM(plain, this.#key, iv(this.#counter++), this.#hash);
    this.authenticate(sealed);
    return sealed;
  }

  decrypt(sealed: Uint8Array): Buffer {
    const plain = aesDecryptGCM(sealed, this.#key, iv(this.#counter++), this.#hash);
    this.authenticate(sealed);
    return plain;
  }

  split(): Pick<Finished, 'encrypt' | 'decrypt'> {
    const [fromClient, toClient] = this.#derive(NOTHING);
    let read = 0;
    let written = 0;
    return {
      encrypt: (plain) => aesEncryptGCM(plain, toClient, iv(written++), NOTHING),
      decrypt: (sealed) => aesDecryptGCM(sealed, fromClient, iv(read++), NOTHING),
    };
  }

  #derive(secret: Uint8Array): [Buffer, Buffer] {
    const bytes = Buffer.from(hkdfSync('sha256', secret, this.#salt, NOTHING, 64));
    return [bytes.subarray(0, 32), bytes.subarray(32)];
  }
}

function iv(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}
