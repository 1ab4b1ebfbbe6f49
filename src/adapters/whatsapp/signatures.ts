/**
 * Checks the signatures that Baileys leaves unchecked: libsignal answers with false for a wrong one, and Baileys waits
 * for an exception that never comes. Signal's signatures are Ed25519 under the Edwards form of a Curve25519 key.
 */
import { createPublicKey, verify } from 'node:crypto';

const P = 2n ** 255n - 19n;
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

const fromLittleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = base % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
};

/** `publicKey`: 32 bytes, or 33 with Signal's type byte in front. Never throws. */
export const isSignedBy = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  const key = publicKey.length === KEY_BYTES + 1 ? publicKey.subarray(1) : publicKey;
  if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const u = fromLittleEndian(key) & ((1n << 255n) - 1n);
  if ((u + 1n) % P === 0n) return false;
  // The sign of the Edwards point travels in the signature's last bit.
  const y = ((u - 1n + P) * power(u + 1n, P - 2n)) % P;
  const point = Buffer.from(y.toString(16).padStart(KEY_BYTES * 2, '0'), 'hex').reverse();
  const last = signature[SIGNATURE_BYTES - 1] ?? 0;
  point[KEY_BYTES - 1] = (point[KEY_BYTES - 1] ?? 0) | (last & 0x80);
  const plain = Buffer.from(signature);
  plain[SIGNATURE_BYTES - 1] = last & 0x7f;
  try {
    const edwards = createPublicKey({ key: Buffer.concat([DER_HEAD, point]), format: 'der', type: 'spki' });
    return verify(null, message, edwards, plain);
  } catch {
    return false;
  }
};
