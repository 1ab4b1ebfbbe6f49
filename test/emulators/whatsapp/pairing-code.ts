/** Linking by a code that the client shows and a person types into the phone: no QR code, the same keys in the end. */
import { hkdfSync, randomBytes } from 'node:crypto';
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  type KeyPair,
} from '@whiskeysockets/baileys';
import type { Link } from './link.js';
import { attribute, type BinaryNode, bytesOf, node, SERVER } from './nodes.js';
import { linkClient } from './pairing.js';
import type { World } from './world.js';

const BUNDLE_INFO = 'link_code_pairing_key_bundle_encryption_key';

interface CodePairing {
  readonly link: Link;
  readonly ref: Buffer;
  readonly wrappedCompanionKey: Buffer;
  /** Ours, once a code was typed, and the client's as that code unwraps it. */
  typed?: { readonly ephemeral: KeyPair; readonly companionKey: Buffer };
  settle?: (device: number | Error) => void;
}

const pairings = new WeakMap<World, CodePairing>();

export async function answerPairingCode(
  world: World,
  link: Link,
  request: BinaryNode,
): Promise<BinaryNode[]> {
  if (attribute(request, 'stage') === 'companion_finish') {
    finish(world, link, request);
    return [];
  }
  const ref = randomBytes(16);
  pairings.set(world, {
    link,
    ref,
    wrappedCompanionKey: bytesOf(request, 'link_code_pairing_wrapped_companion_ephemeral_pub'),
  });
  world.watchers.touch('pairing');
  return [
    node('link_code_companion_reg', { stage: 'companion_hello' }, [node('link_code_pairing_ref', {}, ref)]),
  ];
}

export function awaitsCode(world: World): boolean {
  return pairings.get(world)?.link.isOpen === true;
}

/** A person types the code. Rejects for a wrong one, as the phone says so too. */
export async function enterCode(world: World, code: string): Promise<{ readonly device: number }> {
  const pairing = pairings.get(world);
  if (pairing === undefined || !pairing.link.isOpen) throw new Error('no client waits for a pairing code');
  const wrapped = pairing.wrappedCompanionKey;
  const companionKey = aesDecryptCTR(
    wrapped.subarray(48, 80),
    await derivePairingCodeKey(code, wrapped.subarray(0, 32)),
    wrapped.subarray(32, 48),
  );
  const ephemeral = Curve.generateKeyPair();
  pairing.typed = { ephemeral, companionKey };
  const settled = new Promise<number>((resolve, reject) => {
    pairing.settle = (result) => (result instanceof Error ? reject(result) : resolve(result));
  });
  pairing.link.send(
    node('notification', { from: SERVER, id: world.newId('N'), type: 'link_code_companion_reg' }, [
      node('link_code_companion_reg', { stage: 'primary_hello' }, [
        node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, await wrap(ephemeral.public, code)),
        node('primary_identity_pub', {}, world.account.device(0).creds.signedIdentityKey.public),
        node('link_code_pairing_ref', {}, pairing.ref),
      ]),
    ]),
  );
  return { device: await settled };
}

function finish(world: World, link: Link, request: BinaryNode): void {
  const pairing = pairings.get(world);
  const typed = pairing?.typed;
  if (pairing === undefined || typed === undefined || pairing.link !== link)
    throw new Error('a pairing code is finished that nobody typed');
  const { ephemeral, companionKey } = typed;
  const shared = Curve.sharedKey(ephemeral.private, companionKey);
  const bundle = bytesOf(request, 'link_code_pairing_wrapped_key_bundle');
  const key = Buffer.from(hkdfSync('sha256', shared, bundle.subarray(0, 32), BUNDLE_INFO, 32));
  let plain: Buffer;
  try {
    plain = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), Buffer.alloc(0));
  } catch {
    pairing.settle?.(new Error('this is not the code that the client shows'));
    return;
  }
  const identity = plain.subarray(0, 32);
  const random = plain.subarray(64, 96);
  const account = world.account.device(0).creds.signedIdentityKey;
  const secret = Buffer.concat([shared, Curve.sharedKey(account.private, identity), random]);
  const advSecret = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'adv_secret', 32));
  pairings.delete(world);
  // After the answer to this query, which the client awaits first.
  setImmediate(() => pairing.settle?.(linkClient(world, link, identity, advSecret).device));
}

async function wrap(key: Uint8Array, code: string): Promise<Buffer> {
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  return Buffer.concat([salt, iv, aesEncryptCTR(key, await derivePairingCodeKey(code, salt), iv)]);
}
