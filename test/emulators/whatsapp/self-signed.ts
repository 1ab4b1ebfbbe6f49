/** A certificate for 127.0.0.1 and localhost that signs itself, made at start: media go over https only. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SelfSigned {
  readonly keyPem: string;
  readonly certificatePem: string;
}

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  bytes: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const ECDSA_SHA256 = der(TAG.sequence, der(TAG.oid, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = Buffer.from('550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('551d11', 'hex');

export function createSelfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(
    TAG.sequence,
    der(
      TAG.set,
      der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from('WhatsApp emulator'))),
    ),
  );
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    der(
      TAG.sequence,
      der(TAG.time, Buffer.from('20200101000000Z')),
      der(TAG.time, Buffer.from('20991231235959Z')),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(TAG.sequence, authority(), names())),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(TAG.sequence, body, ECDSA_SHA256, der(TAG.bits, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/gu) ?? [];
  return {
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** So that it can be trusted as a root. */
function authority(): Buffer {
  const isAuthority = der(TAG.sequence, der(TAG.boolean, Buffer.from([0xff])));
  return der(
    TAG.sequence,
    der(TAG.oid, BASIC_CONSTRAINTS),
    der(TAG.boolean, Buffer.from([0xff])),
    der(TAG.bytes, isAuthority),
  );
}

function names(): Buffer {
  const list = der(TAG.sequence, der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  return der(TAG.sequence, der(TAG.oid, ALTERNATIVE_NAMES), der(TAG.bytes, list));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}
