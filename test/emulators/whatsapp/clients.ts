/** What happens on the connections of a world: logging in, catching up, and each stanza in turn. */
import { endLink, endWithCode, refuseLogin } from './endings.js';
import { answerQuery, errorAnswer } from './iq.js';
import type { Link, LinkEvents } from './link.js';
import type { LinkedDevice } from './linked-device.js';
import { answerMediaRetry } from './media-retry.js';
import {
  attribute,
  type BinaryNode,
  child,
  children,
  firstChild,
  node,
  SERVER,
  secondsNow,
} from './nodes.js';
import { beginPairing, completePairing } from './pairing.js';
import { receiveMessage } from './receive.js';
import { resend } from './resend.js';
import { welcome } from './welcome.js';
import { nameOf, type World } from './world.js';

export function clientEvents(world: World): LinkEvents {
  return {
    opened: (link) => {
      world.links.add(link);
      open(world, link);
    },
    stanza: (link, stanza) => {
      take(world, link, stanza).catch((error: unknown) => {
        world.complain(
          `${stanza.tag}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      });
    },
    closed: (link) => {
      world.links.delete(link);
      const device = deviceOf(world, link);
      if (device !== undefined) {
        device.link = undefined;
        device.isCaughtUp = false;
      }
      world.watchers.touch('links');
    },
    failed: (_, error) =>
      world.complain(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  };
}

function deviceOf(world: World, link: Link): LinkedDevice | undefined {
  return [...world.devices.values()].find((device) => device.link === link);
}

function open(world: World, link: Link): void {
  if (world.refusal?.reason !== undefined) refuseLogin(link, world.refusal.reason);
  else if (link.payload.devicePairingData) beginPairing(world, link);
  else logIn(world, link);
}

function logIn(world: World, link: Link): void {
  const { username, device: id } = link.payload;
  const isOurs = String(username) === world.account.number && typeof id === 'number';
  const known = isOurs ? world.devices.get(id) : undefined;
  const isNew = isOurs && known === undefined && world.spec.anyDevice === true;
  const device = isNew ? world.linkDevice(link.noiseKey, id) : known;
  if (device === undefined || !device.noiseKey.equals(link.noiseKey)) {
    refuseLogin(link, 401);
    return;
  }
  if (isNew) device.isWelcomed = true;
  const older = device.link;
  device.link = link;
  device.isCaughtUp = false;
  if (older !== undefined && older !== link) endLink(older, 'conflict');
  world.logins += 1;
  link.send(
    node('success', {
      t: secondsNow(),
      lid: world.account.jid('lid', device.id),
      display_name: world.account.name,
      companion_enc_static: '',
      location: 'emu',
    }),
  );
  world.watchers.touch('links');
}

async function take(world: World, link: Link, stanza: BinaryNode): Promise<void> {
  const device = deviceOf(world, link);
  switch (stanza.tag) {
    case 'iq':
      if (child(stanza, 'pair-device-sign') !== undefined) return completePairing(world, link, stanza);
      if (attribute(stanza, 'xmlns') === '') return;
      if (world.isSilent) return;
      return carryOut(world, link, nameOf(world, stanza), '', {
        apply: () => answerQuery({ world, link, device }, stanza),
        refuse: (code, text) => errorAnswer(stanza, code, text),
      });
    case 'message':
      if (device === undefined) return;
      return takeMessage(world, link, device, stanza);
    case 'receipt':
      if (device === undefined) return;
      return carryOut(world, link, nameOf(world, stanza), '', {
        apply: async () => takeReceipt(world, device, stanza),
        refuse: () => undefined,
      });
    case 'ack':
      world.begin(nameOf(world, stanza));
      device?.acknowledge(attribute(stanza, 'class'), [attribute(stanza, 'id')]);
      return;
    case 'ib':
      if (device !== undefined && firstChild(stanza)?.tag === 'offline_batch') catchUp(world, link, device);
      return;
    default:
      world.begin(nameOf(world, stanza));
  }
}

function catchUp(world: World, link: Link, device: LinkedDevice): void {
  const count = device.sendWaiting();
  link.send(node('ib', { from: SERVER }, [node('offline', { count: String(count) })]));
  device.isCaughtUp = true;
  world.watchers.touch('links', 'waiting');
  if (device.isWelcomed) return;
  device.isWelcomed = true;
  welcome(world, device).catch((error: unknown) => world.complain(`welcome: ${String(error)}`));
}

async function takeMessage(
  world: World,
  link: Link,
  device: LinkedDevice,
  stanza: BinaryNode,
): Promise<void> {
  const received = await world.inOrder(() => receiveMessage(world, device, stanza));
  const to = attribute(stanza, 'to');
  const attributes = { class: 'message', id: attribute(stanza, 'id'), from: to, t: secondsNow() };
  await carryOut(world, link, received.call, received.text, {
    apply: async () => {
      received.keep();
      return node('ack', attributes);
    },
    refuse: (code) => node('ack', { ...attributes, error: String(code) }),
  });
}

async function takeReceipt(world: World, device: LinkedDevice, stanza: BinaryNode): Promise<BinaryNode> {
  const type = attribute(stanza, 'type');
  const ids = [
    attribute(stanza, 'id'),
    ...children(firstChild(stanza), 'item').map(({ attrs }) => attrs['id'] ?? ''),
  ];
  if (type === 'retry') {
    // It comes again, so what waits stays until that is acknowledged.
    if (world.spec.answersRetries !== false) await resend(world, device, stanza);
  } else if (type === 'server-error') answerMediaRetry(world, device, stanza);
  else device.acknowledge('message', ids);
  world.receipts.push({ type, chat: world.chatOf(attribute(stanza, 'to')), ids });
  return node('ack', {
    class: 'receipt',
    id: attribute(stanza, 'id'),
    from: attribute(stanza, 'to'),
    type: type || undefined,
    participant: stanza.attrs['participant'],
    t: secondsNow(),
  });
}

interface Deed {
  /** Does it and gives the answer, if there is one. */
  apply(): Promise<BinaryNode | undefined>;
  /** The answer when it is not to be done. */
  refuse(code: number, text: string | undefined): BinaryNode | undefined;
}

/** Does what was asked, unless a fault is due. */
async function carryOut(world: World, link: Link, call: string, text: string, deed: Deed): Promise<void> {
  const { record, fault, id } = world.begin(call, text);
  const isApplied = fault === undefined || ('applied' in fault && fault.applied);
  const answer = isApplied ? await deed.apply() : undefined;
  record.applied = isApplied;
  switch (fault?.kind) {
    case undefined:
      if (answer !== undefined) link.send(answer);
      break;
    case 'answer': {
      const refusal = deed.refuse(fault.code, fault.text);
      if (refusal !== undefined) link.send(refusal);
      break;
    }
    case 'cut':
      link.terminate();
      break;
    case 'hold':
      await world.faults.hold(id, link.signal);
      if (answer !== undefined) link.send(answer);
      break;
    case 'silence':
      break;
    case 'stream-error':
      endWithCode(link, fault.code);
      break;
    default:
      throw new Error(`unknown fault: ${JSON.stringify(fault satisfies never)}`);
  }
}
