/**
 * The control endpoint under `/control/<token>/…`: how a test makes a world, acts as the people in it, reads what the
 * bot did, and puts faults in its way. Trusts its caller: it answers nonsense with 400 and a reason, not with care.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson } from '../kit/loopback-server.js';
import { pushUpdate } from './incoming.js';
import type {
  CallFilter,
  ChatSpec,
  FaultSpec,
  UpdateSpec,
  UserSpec,
  WaitCondition,
  WorldSpec,
} from './protocol.js';
import { waitFor } from './wait.js';
import type { World } from './world.js';

export interface Worlds {
  find(token: string): World | undefined;
  /** Ends the old world of that token, if there is one. */
  create(token: string, spec: WorldSpec): World;
  remove(token: string): void;
}

interface ControlCall {
  readonly world: World;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

type Route = (call: ControlCall, id: string | undefined) => unknown;

// What a test sends is taken at its word: the typed client next door is the check.
const ROUTES: Readonly<Record<string, Route>> = {
  'GET ': ({ world }) => world.state(),
  'POST chats': ({ world, body }) => {
    world.setChat(body as ChatSpec);
    return {};
  },
  'POST users': ({ world, body }) => world.setUser(body as UserSpec),
  'GET chats/messages': ({ world }, id) => {
    const chat = world.chat(Number(id));
    return {
      version: chat.version,
      messages: [...chat.messages.values()].map((message) => world.view(message)),
    };
  },
  'POST updates': ({ world, body }) => pushUpdate(world, body as UpdateSpec),
  'GET calls': ({ world, query }) => {
    const { after, ...filter } = fromQuery(query);
    return { calls: world.log.select(filter as CallFilter, typeof after === 'number' ? after : 0) };
  },
  'DELETE calls': ({ world }) => {
    world.log.clear();
    return {};
  },
  'POST faults': ({ world, body }) => ({ id: world.faults.add(body as FaultSpec) }),
  'GET faults': ({ world }) => ({ faults: world.faults.states() }),
  'DELETE faults': ({ world }, id) => {
    world.faults.remove(id === undefined ? undefined : Number(id));
    return {};
  },
  'POST release': ({ world }, id) => ({
    released: world.faults.release(id === undefined ? undefined : Number(id)),
  }),
  'POST conflict': ({ world, body }) => conflict(world, (body as { times?: number }).times ?? 1),
  'POST deliver': async ({ world }) => {
    await world.webhook.deliver();
    return {};
  },
  'POST tick': ({ world }) => {
    world.tick();
    return {};
  },
  'POST files': ({ world, body }) => addFile(world, body as FileSpec),
  'POST wait': ({ world, body, signal }) =>
    waitFor(world, body as WaitCondition & { timeoutMs?: number }, signal),
  'GET wait': ({ world, query, signal }) =>
    waitFor(world, fromQuery(query) as unknown as WaitCondition & { timeoutMs?: number }, signal),
};

interface FileSpec {
  /** As getFile gives it; absolute, as a server on the bot's host has it. */
  readonly path?: string;
  readonly contentBase64?: string;
  readonly sizeBytes?: number;
  readonly fileName?: string;
  readonly mimeType?: string;
}

export async function handleControl(
  worlds: Worlds,
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const [token = '', ...rest] = path.split('/').map(decodeURIComponent);
  try {
    const bytes = await readBody(request);
    const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
    if (rest.length === 0 && request.method !== 'GET') {
      sendJson(response, 200, changeWorld(worlds, token, request.method, body as WorldSpec));
      return;
    }
    const world = worlds.find(token);
    if (world === undefined)
      throw new Error('unknown token: create its world first with POST /control/<token>');
    const { route, id } = findRoute(request.method ?? 'GET', rest);
    sendJson(response, 200, await route({ world, query, body, signal: left.signal }, id));
  } catch (error) {
    if (!left.signal.aborted)
      sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function changeWorld(worlds: Worlds, token: string, verb: string | undefined, spec: WorldSpec): unknown {
  if (verb === 'DELETE') {
    worlds.remove(token);
    return {};
  }
  return worlds.create(token, spec).state();
}

/** `chats/<id>/messages` and `<name>/<id>`: the id is the second step of the path. */
function findRoute(verb: string, path: readonly string[]): { route: Route; id: string | undefined } {
  const [name = '', id, part] = path;
  const route = ROUTES[`${verb} ${part === undefined ? name : `${name}/${part}`}`];
  if (route === undefined) throw new Error(`no such control: ${verb} ${path.join('/')}`);
  return { route, id };
}

/** As an other instance of the bot would: the waiting poll is cut short, and so are the next ones up to `times`. */
function conflict(world: World, times: number): unknown {
  const left = world.updates.terminate() ? times - 1 : times;
  if (left > 0) {
    world.faults.add({
      method: 'getUpdates',
      times: left,
      action: {
        kind: 'error',
        code: 409,
        description:
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      },
    });
  }
  return {};
}

function addFile(world: World, spec: FileSpec): unknown {
  const bytes = spec.contentBase64 === undefined ? undefined : Buffer.from(spec.contentBase64, 'base64');
  const { fileId, path, sizeBytes } = world.addFile({
    ...(spec.path === undefined ? {} : { path: spec.path }),
    ...(spec.fileName === undefined ? {} : { fileName: spec.fileName }),
    ...(spec.mimeType === undefined ? {} : { mimeType: spec.mimeType }),
    ...(spec.sizeBytes === undefined ? {} : { sizeBytes: spec.sizeBytes }),
    bytes,
  });
  return { fileId, path, sizeBytes };
}

const NUMBERS: ReadonlySet<string> = new Set([
  'after',
  'chatId',
  'count',
  'faultId',
  'threadId',
  'timeoutMs',
  'updateId',
]);

function fromQuery(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...query].map(([name, value]) => {
      if (NUMBERS.has(name)) return [name, Number(value)];
      return [name, value === 'true' ? true : value === 'false' ? false : value];
    }),
  );
}
