/**
 * The keys that the server shows in its handshake: a root, an intermediate it signed, and the leaf that the intermediate
 * signed. The root comes from a fixed seed, so that a gateway's settings stay right when the emulator starts again; it
 * guards nothing.
 */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { Curve, type KeyPair, proto } from '@whiskeysockets/baileys';

/** DER around a raw X25519 private key. */
const PRIVATE_KEY_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

const root = seededKeyPair('root of the WhatsApp emulator');

/** Base64, 32 bytes: for `platforms.whatsapp.trust_root`. */
export const trustRoot = Buffer.from(root.public).toString('base64');

export interface ServerCertificate {
  readonly staticKey: KeyPair;
  /** An encoded `CertChain`. */
  readonly chain: Uint8Array;
}

/** `isForged`: signed by somebody else, who says that he is the root. */
export function createCertificate(isForged: boolean): ServerCertificate {
  const signer = isForged ? Curve.generateKeyPair() : root;
  const intermediate = Curve.generateKeyPair();
  const staticKey = Curve.generateKeyPair();
  const chain = proto.CertChain.encode({
    intermediate: sign(signer, { serial: 1, issuerSerial: 0, key: intermediate.public }),
    leaf: sign(intermediate, { serial: 2, issuerSerial: 1, key: staticKey.public }),
  }).finish();
  return { staticKey, chain };
}

function sign(
  signer: KeyPair,
  fields: { readonly serial: number; readonly issuerSerial: number; readonly key: Uint8Array },
): proto.CertChain.INoiseCertificate {
  const details = proto.CertChain.NoiseCertificate.Details.encode({
    ...fields,
    notBefore: 1_600_000_000,
    notAfter: 4_100_000_000,
  }).finish();
  return { details, signature: Curve.sign(signer.private, details) };
}

function seededKeyPair(seed: string): KeyPair {
  const secret = createHash('sha256').update(seed).digest();
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_PREFIX, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { private: secret, public: spki.subarray(-32) };
}
