/** A device that is linked already, for tests that are not about linking: the credentials that Baileys would have kept. */
import {
  BufferJSON,
  Curve,
  initAuthCreds,
  type KeyPair,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from '@whiskeysockets/baileys';
import type { Credentials } from './protocol.js';
import type { World } from './world.js';

/** More than the few at which a client makes new ones, which would cost each test their making. */
const PRE_KEYS = 30;

export function linkWithoutPairing(world: World): Credentials {
  const creds = initAuthCreds();
  const device = world.linkDevice(Buffer.from(creds.noiseKey.public));
  const { keyId, keyPair, signature } = creds.signedPreKey;
  device.register(creds.registrationId, Buffer.from(creds.signedIdentityKey.public), {
    id: keyId,
    value: Buffer.from(keyPair.public),
    signature: Buffer.from(signature),
  });
  device.isWelcomed = true;
  const preKeys: Record<string, KeyPair> = {};
  for (let id = 1; id <= PRE_KEYS; id += 1) {
    const pair = Curve.generateKeyPair();
    preKeys[id] = pair;
    device.preKeys.push({ id, value: Buffer.from(pair.public) });
  }
  const linked = {
    ...creds,
    registered: true,
    accountSyncCounter: 1,
    nextPreKeyId: PRE_KEYS + 1,
    firstUnuploadedPreKeyId: PRE_KEYS + 1,
    account: signAccount(world.account.device(0).creds.signedIdentityKey, creds.signedIdentityKey),
    me: {
      id: world.account.jid('pn', device.id),
      lid: world.account.jid('lid', device.id),
      name: world.account.name,
    },
    platform: 'android',
  };
  return { creds: toJson(linked), preKeys: toJson(preKeys) };
}

function signAccount(account: KeyPair, identity: KeyPair): proto.IADVSignedDeviceIdentity {
  const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: 1, keyIndex: 1 }).finish();
  const own = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identity.public]);
  const theirs = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, identity.public, account.public]);
  return {
    details,
    accountSignatureKey: account.public,
    accountSignature: Curve.sign(account.private, own),
    deviceSignature: Curve.sign(identity.private, theirs),
  };
}

/** Bytes become `{type: 'Buffer', data}`, as in Baileys' own files. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, BufferJSON.replacer));
}
