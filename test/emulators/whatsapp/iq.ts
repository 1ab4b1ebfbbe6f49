/** Queries of a client and their answers, by namespace. */

import { endLink } from './endings.js';
import type { Link } from './link.js';
import type { LinkedDevice } from './linked-device.js';
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
import { answerPairingCode } from './pairing-code.js';
import { parseJid } from './phone.js';
import type { GroupSpec } from './protocol.js';
import type { World } from './world.js';

export interface Asker {
  readonly world: World;
  readonly link: Link;
  /** Absent until the client is linked and has logged in. */
  readonly device: LinkedDevice | undefined;
}

/** An error answer, by the code that WhatsApp uses. */
class QueryError extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

type Answer = (asker: Asker, query: BinaryNode) => Promise<BinaryNode[]> | BinaryNode[];

const nothing: Answer = () => [];

const answers: Readonly<Record<string, Answer>> = {
  'w:p': nothing,
  'w:stats': nothing,
  'urn:xmpp:whatsapp:dirty': nothing,
  status: nothing,
  disappearing_mode: nothing,
  encrypt: (asker, query) => answerKeys(asker, query),
  usync: ({ world }, query) => [answerUsync(world, query)],
  passive: ({ link }, query) => {
    // Whoever is active gets what waited for it; before, its keys were not complete.
    if (firstChild(query)?.tag === 'active')
      setImmediate(() => link.send(node('ib', { from: SERVER }, [node('offline_preview', { count: '0' })])));
    return [];
  },
  'w:g2': ({ world }, query) => [answerGroups(world, query)],
  'w:m': ({ world }) => [
    node(
      'media_conn',
      { auth: world.media.authOf(world), ttl: '3600', auth_ttl: '21600', max_buckets: '12' },
      [node('host', { hostname: world.media.tlsHost, maxContentLengthBytes: '104857600' })],
    ),
  ],
  privacy: (_, query) =>
    firstChild(query)?.tag === 'tokens'
      ? []
      : [node('privacy', {}, [node('category', { name: 'readreceipts', value: 'all' })])],
  abt: () => [node('props', { protocol: '1', hash: 'none' }, [])],
  blocklist: () => [node('list', {}, [])],
  'w:sync:app:state': (_, query) => [
    node(
      'sync',
      {},
      children(child(query, 'sync'), 'collection').map(({ attrs }) =>
        node('collection', { name: attrs['name'], version: attrs['version'] ?? '0', type: 'result' }),
      ),
    ),
  ],
  'w:mex': () => [
    node(
      'result',
      {},
      Buffer.from(JSON.stringify({ data: { xwa2_fetch_account_reachout_timelock: { is_active: false } } })),
    ),
  ],
  'w:profile:picture': () => {
    throw new QueryError(404, 'item-not-found');
  },
  md: (asker, query) => answerDevices(asker, query),
};

export async function answerQuery(asker: Asker, query: BinaryNode): Promise<BinaryNode | undefined> {
  const id = attribute(query, 'id');
  if (attribute(query, 'type') === 'result' || attribute(query, 'type') === 'error') return undefined;
  const answer = answers[attribute(query, 'xmlns')];
  try {
    if (answer === undefined) throw new QueryError(501, 'feature-not-implemented');
    return node('iq', { from: SERVER, id, type: 'result' }, await answer(asker, query));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    if (error.code === 501) asker.world.complain(`no answer to ${attribute(query, 'xmlns')}`);
    return errorAnswer(query, error.code, error.message);
  }
}

export function errorAnswer(query: BinaryNode, code: number, text = 'refused'): BinaryNode {
  return node('iq', { from: SERVER, id: attribute(query, 'id'), type: 'error' }, [
    node('error', { code: String(code), text }),
  ]);
}

async function answerKeys({ world, device }: Asker, query: BinaryNode): Promise<BinaryNode[]> {
  if (device === undefined) throw new QueryError(401, 'not-authorized');
  const what = firstChild(query);
  switch (what?.tag) {
    case 'count':
      return [node('count', { value: String(device.preKeys.length) })];
    case 'digest':
      return [node('digest', {}, [])];
    case 'rotate': {
      const signed = child(what, 'skey');
      if (signed === undefined) throw new QueryError(400, 'bad-request');
      device.rotate(signed);
      return [];
    }
    case 'key':
      return [node('list', {}, await Promise.all(children(what, 'user').map((user) => keysOf(world, user))))];
    default:
      device.upload(query);
      world.watchers.touch('waiting');
      return [];
  }
}

async function keysOf(world: World, user: BinaryNode): Promise<BinaryNode> {
  const jid = attribute(user, 'jid');
  const phone = world.find(jid);
  const { device } = parseJid(jid);
  if (phone === world.account && device !== 0) {
    const linked = world.devices.get(device);
    if (linked !== undefined) return node('user', { jid }, linked.bundleNodes());
  }
  if (phone === undefined || !phone.deviceIds.includes(device))
    return node('user', { jid }, [node('error', { code: '404', text: 'item-not-found' })]);
  return node('user', { jid, t: secondsNow() }, await phone.device(device).bundleNodes());
}

/** Who is behind which id, and with which devices. */
function answerUsync(world: World, query: BinaryNode): BinaryNode {
  const usync = child(query, 'usync');
  const wanted = child(usync, 'query');
  const users = children(child(usync, 'list'), 'user').map((user) => {
    const asked =
      attribute(user, 'jid') || `${String(child(user, 'contact')?.content ?? '').replace('+', '')}@${SERVER}`;
    const phone = world.find(asked);
    const parts: BinaryNode[] = [];
    if (child(wanted, 'contact') !== undefined)
      parts.push(node('contact', { type: phone === undefined ? 'out' : 'in' }));
    if (phone !== undefined && child(wanted, 'devices') !== undefined)
      parts.push(node('devices', {}, [deviceList(world, phone.number)]));
    // A hidden id is the answer already, so it is not given for itself.
    if (phone !== undefined && child(wanted, 'lid') !== undefined && parseJid(asked).server !== 'lid')
      parts.push(node('lid', { val: phone.jid('lid') }));
    return node('user', { jid: asked }, parts);
  });
  return node('usync', { ...usync?.attrs }, [node('result', {}, []), node('list', {}, users)]);
}

function deviceList(world: World, number: string): BinaryNode {
  const phone = world.phone(number);
  const linked = phone === world.account ? [...world.devices.keys()] : [];
  return node(
    'device-list',
    {},
    [...phone.deviceIds, ...linked].map((id) =>
      node('device', { id: String(id), 'key-index': id === 0 ? undefined : '1' }),
    ),
  );
}

function answerGroups(world: World, query: BinaryNode): BinaryNode {
  const to = attribute(query, 'to');
  if (child(query, 'participating') !== undefined)
    return node(
      'groups',
      {},
      [...world.groups.values()]
        .filter(({ withoutBot }) => withoutBot !== true)
        .map((group) => groupNode(world, group)),
    );
  const group = world.groups.get(to);
  if (group === undefined) throw new QueryError(404, 'item-not-found');
  if (group.withoutBot === true) throw new QueryError(403, 'forbidden');
  return groupNode(world, group);
}

function groupNode(world: World, group: GroupSpec): BinaryNode {
  const addressing = group.addressing ?? 'lid';
  const members = [...group.members, ...(group.withoutBot === true ? [] : [world.account.number])];
  return node(
    'group',
    {
      id: parseJid(group.id).user,
      subject: group.subject ?? 'Group',
      creation: '1700000000',
      s_t: '1700000000',
      addressing_mode: addressing,
      size: String(members.length),
    },
    [
      ...(group.ephemeralSeconds === undefined
        ? []
        : [node('ephemeral', { expiration: String(group.ephemeralSeconds) })]),
      ...members.map((number) => {
        const phone = world.phone(number);
        return node('participant', {
          jid: phone.jid(addressing),
          ...(addressing === 'lid' ? { phone_number: phone.jid('pn') } : { lid: phone.jid('lid') }),
          type: group.admins?.includes(number) === true ? 'admin' : undefined,
        });
      }),
    ],
  );
}

/** The namespace of linking and unlinking. */
async function answerDevices({ world, link, device }: Asker, query: BinaryNode): Promise<BinaryNode[]> {
  const what = firstChild(query);
  if (what?.tag === 'link_code_companion_reg') return answerPairingCode(world, link, what);
  if (what?.tag === 'remove-companion-device' && device !== undefined) {
    world.devices.delete(device.id);
    setImmediate(() => endLink(link, 'revoked'));
    return [];
  }
  throw new QueryError(400, 'bad-request');
}
