/** Linking a device: the QR code's content goes from the client's screen to the account's phone, which signs for it. */
import { createHmac, randomBytes } from 'node:crypto';
import { Curve, proto, WA_ADV_ACCOUNT_SIG_PREFIX, WA_ADV_DEVICE_SIG_PREFIX } from '@whiskeysockets/baileys';
import { endLink } from './endings.js';
import type { Link } from './link.js';
import { type BinaryNode, bytesOf, child, node, SERVER, secondsNow } from './nodes.js';
import type { World } from './world.js';

/** Begins with a client that is not linked: it gets references to show. */
export function beginPairing(world: World, link: Link): void {
  const refs = Array.from(
    { length: world.spec.qrRefs ?? 6 },
    () => `2@${randomBytes(24).toString('base64')}`,
  );
  for (const ref of refs) world.pairings.set(ref, link);
  link.signal.addEventListener('abort', () => {
    for (const ref of refs) world.pairings.delete(ref);
  });
  link.send(
    node('iq', { from: SERVER, type: 'set', id: world.newId('P'), xmlns: 'md' }, [
      node(
        'pair-device',
        {},
        refs.map((ref) => node('ref', {}, Buffer.from(ref))),
      ),
    ]),
  );
  world.watchers.touch('pairing');
}

/** The account's phone reads a QR code. Throws for a text that is none, and for one that is shown no more. */
export function scan(world: World, qr: string): { readonly device: number } {
  const [ref = '', noise = '', identity = '', advSecret = ''] = qr.replace(/^.*#/u, '').split(',');
  const link = world.pairings.get(ref);
  if (link === undefined) throw new Error('no client shows this QR code (any more)');
  const noiseKey = Buffer.from(noise, 'base64');
  if (!noiseKey.equals(link.noiseKey)) throw new Error('the QR code is not that of its connection');
  return linkClient(world, link, Buffer.from(identity, 'base64'), Buffer.from(advSecret, 'base64'));
}

/** Signs for a device and tells it so; it then connects anew and logs in. */
export function linkClient(
  world: World,
  link: Link,
  identity: Buffer,
  advSecret: Buffer,
): { readonly device: number } {
  const registration = link.payload.devicePairingData;
  if (!registration) throw new Error('the client did not come to be linked');
  const device = world.linkDevice(link.noiseKey);
  device.register(readUint(registration.eRegid), identity, {
    id: readUint(registration.eSkeyId),
    value: Buffer.from(registration.eSkeyVal ?? []),
    signature: Buffer.from(registration.eSkeySig ?? []),
  });
  device.link = link;
  link.send(
    node('iq', { from: SERVER, type: 'set', id: world.newId('P'), t: secondsNow() }, [
      node('pair-success', {}, [
        node('device-identity', {}, signedIdentity(world, identity, advSecret)),
        node('platform', { name: 'android' }),
        node('device', { jid: world.account.jid('pn', device.id), lid: world.account.jid('lid', device.id) }),
      ]),
    ]),
  );
  return { device: device.id };
}

/** The client's answer to `pair-success`: its own signature, after which the stream begins anew. */
export function completePairing(world: World, link: Link, answer: BinaryNode): void {
  const identity = [...world.devices.values()].find((device) => device.link === link)?.identity;
  if (identity === undefined) return;
  const account = proto.ADVSignedDeviceIdentity.decode(
    bytesOf(child(answer, 'pair-device-sign'), 'device-identity'),
  );
  const signed = Buffer.concat([
    WA_ADV_DEVICE_SIG_PREFIX,
    account.details ?? Buffer.alloc(0),
    identity,
    world.account.device(0).creds.signedIdentityKey.public,
  ]);
  if (!Curve.verify(identity, signed, account.deviceSignature ?? Buffer.alloc(0)))
    throw new Error('the device signed its identity wrongly');
  endLink(link, 'restart');
}

function signedIdentity(world: World, identity: Buffer, advSecret: Buffer): Uint8Array {
  const account = world.account.device(0).creds.signedIdentityKey;
  const details = proto.ADVDeviceIdentity.encode({
    rawId: 1,
    timestamp: Number(secondsNow()),
    keyIndex: 1,
    deviceType: proto.ADVEncryptionType.E2EE,
    accountType: proto.ADVEncryptionType.E2EE,
  }).finish();
  const accountSignature = Curve.sign(
    account.private,
    Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identity]),
  );
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: account.public,
    accountSignature,
  }).finish();
  return proto.ADVSignedDeviceIdentityHMAC.encode({
    details: signed,
    hmac: createHmac('sha256', advSecret).update(signed).digest(),
  }).finish();
}

function readUint(bytes: Uint8Array | null | undefined): number {
  const buffer = Buffer.from(bytes ?? []);
  return buffer.length === 0 ? 0 : buffer.readUIntBE(0, buffer.length);
}
