/** `POST /control/<world>/<verb>` with JSON in and out: what people and misfortune do. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../kit/loopback-server.js';
import { askAgain } from './ask-again.js';
import { plan } from './conditions.js';
import { linkWithoutPairing } from './credentials.js';
import { sendFromPhone } from './deliver.js';
import { endLink, endWithCode } from './endings.js';
import { tellGroupChange } from './group-news.js';
import { node, secondsNow } from './nodes.js';
import { scan } from './pairing.js';
import { enterCode } from './pairing-code.js';
import type {
  Content,
  Ending,
  FaultSpec,
  GroupSpec,
  PhoneSpec,
  SendOptions,
  WaitCondition,
  WorldSpec,
} from './protocol.js';
import { see } from './stored.js';
import type { World } from './world.js';

export interface Worlds {
  find(name: string): World | undefined;
  create(name: string, spec: WorldSpec): World;
  remove(name: string): void;
}

/** Shapes are those of protocol.ts: the caller is our own typed client. */
type Verb = (world: World, body: never, signal: AbortSignal) => unknown;

interface Signal {
  readonly from: string;
  readonly chat?: string;
  readonly messageIds: readonly string[];
}

const verbs: Readonly<Record<string, Verb>> = {
  state: (world) => world.state(),
  phone: (world, spec: PhoneSpec) => void world.setPhone(spec),
  group: (world, spec: GroupSpec) => {
    const before = world.groups.get(spec.id);
    world.groups.set(spec.id, spec);
    tellGroupChange(world, before, spec);
  },
  credentials: (world) => linkWithoutPairing(world),
  scan: (world, { qr }: { readonly qr: string }) => scan(world, qr),
  code: (world, { code }: { readonly code: string }) => enterCode(world, code),
  send: (
    world,
    {
      from,
      content,
      options,
    }: { readonly from: string; readonly content: Content; readonly options?: SendOptions },
  ) => sendFromPhone(world, from, content, options ?? {}),
  redeliver: (world, { messageId }: { readonly messageId: string }) => {
    const stanza = world.stanzas.get(messageId);
    if (stanza === undefined) throw new Error(`nobody sent ${messageId}`);
    for (const bot of world.devices.values()) bot.deliver(stanza);
  },
  read: (world, spec: Signal & { readonly type: string }) => tellReceipt(world, spec, spec.type),
  'ask-again': (world, { from, messageIds }: Signal) => {
    const phone = world.phone(from);
    const message = world.message(messageIds[0] ?? '');
    const group = message.chat.endsWith('@g.us') ? world.group(message.chat) : undefined;
    const addressing = group === undefined ? phone.addressing : (group.addressing ?? 'lid');
    return askAgain(world.device, phone, 0, {
      id: message.id,
      jid: phone.jid(addressing),
      ...(group === undefined ? {} : { group: group.id }),
    }).then(() => ({}));
  },
  typing: (
    world,
    { from, chat, on }: { readonly from: string; readonly chat?: string; readonly on: boolean },
  ) => {
    const jid = world.phone(from).jid(world.phone(from).addressing);
    world.device.link?.send(
      node('chatstate', { from: chat ?? jid, participant: chat === undefined ? undefined : jid }, [
        node(on ? 'composing' : 'paused'),
      ]),
    );
  },
  stanza: (world, { stanza }: { readonly stanza: Parameters<typeof node> }) =>
    world.device.link?.send(node(...stanza)),
  messages: (world, { chat }: { readonly chat: string }) => ({
    messages: world.inChat(chat).map(see),
    version: world.versionOf(chat),
  }),
  sent: (world) => ({ messages: world.sent.map(see), version: world.versionOf('') }),
  receipts: (world) => ({ receipts: world.receipts }),
  calls: (world, { call }: { readonly call: string }) => ({ calls: world.log.select(call) }),
  'clear-calls': (world) => world.log.clear(),
  fault: (world, spec: FaultSpec) => ({ id: world.faults.add(spec) }),
  'remove-faults': (world) => world.faults.remove(),
  release: (world) => ({ released: world.faults.release() }),
  end: (world, { ending, code }: { readonly ending?: Ending; readonly code?: number }) => {
    if (ending === 'revoked') world.devices.clear();
    for (const link of [...world.links]) {
      if (code !== undefined) endWithCode(link, code);
      else endLink(link, ending ?? 'cut');
    }
  },
  refuse: (world, refusal: { readonly status?: number; readonly reason?: number }) => {
    const isLifted = refusal.status === undefined && refusal.reason === undefined;
    world.refusal = isLifted ? undefined : refusal;
  },
  silence: (world, { on }: { readonly on: boolean }) => {
    world.isSilent = on;
  },
  wait: (world, condition: WaitCondition & { readonly timeoutMs?: number }, signal: AbortSignal) =>
    waitFor(world, condition, signal),
};

function tellReceipt(world: World, { from, chat, messageIds }: Signal, type: string): void {
  const phone = world.phone(from);
  const [id = '', ...others] = messageIds;
  const group = chat?.endsWith('@g.us') === true ? world.group(chat) : undefined;
  const jid = phone.jid(group === undefined ? phone.addressing : (group.addressing ?? 'lid'));
  world.device.deliver(
    node(
      'receipt',
      {
        from: group?.id ?? jid,
        participant: group === undefined ? undefined : jid,
        id,
        type,
        t: secondsNow(),
      },
      others.length === 0
        ? undefined
        : [
            node(
              'list',
              {},
              others.map((other) => node('item', { id: other })),
            ),
          ],
    ),
  );
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** The one place a test spends real time, bounded by the caller's time-out. */
async function waitFor(
  world: World,
  condition: WaitCondition & { readonly timeoutMs?: number },
  signal: AbortSignal,
): Promise<{ readonly met: boolean }> {
  const timeout = AbortSignal.timeout(condition.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const { topic, probe } = plan(world, condition);
  const value = await world.watchers.wait(
    [topic],
    () => (probe() ? true : undefined),
    AbortSignal.any([timeout, signal]),
  );
  return { met: value === true };
}

export async function handleControl(
  worlds: Worlds,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const [name = '', verb = ''] = path.split('/').map(decodeURIComponent);
  try {
    const bytes = await readBody(request);
    const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
    if (verb === 'reset') return sendJson(response, 200, worlds.create(name, body as WorldSpec).state());
    if (verb === 'remove') {
      worlds.remove(name);
      return sendJson(response, 200, {});
    }
    const world = worlds.find(name);
    const run = verbs[verb];
    if (world === undefined || run === undefined) throw new Error(`no such world or verb: ${verb}`);
    sendJson(response, 200, (await run(world, body as never, left.signal)) ?? {});
  } catch (error) {
    if (!left.signal.aborted)
      sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}
