/** The emulator as a server: `/bot<token>/<method>`, `/file/bot<token>/<path>` and `/control/<token>/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../kit/loopback-server.js';
import { ApiError } from './api-error.js';
import { errorAnswer, handleBotCall } from './bot-api.js';
import { handleControl, type Worlds } from './control-api.js';
import type { WorldSpec } from './protocol.js';
import { type MessageListener, World } from './world.js';

export interface TelegramEmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Takes every well-formed token at its first use. Default false: a token is unknown until its world is created. */
  readonly anyToken?: boolean;
  /** What a world starts with unless its creation says otherwise. */
  readonly defaults?: WorldSpec;
  /** Told of every message of a bot as it is sent, edited and deleted. */
  readonly onBotMessage?: MessageListener;
}

const WELL_FORMED_TOKEN = /^\d+:[\w-]{20,}$/;

export async function startTelegramEmulator(options: TelegramEmulatorOptions = {}): Promise<LoopbackServer> {
  const worlds = createWorlds(options);
  const server = await startLoopbackServer(
    (request, response) => route(worlds, request, response),
    options.port,
  );
  return {
    ...server,
    close: async () => {
      worlds.closeAll();
      await server.close();
    },
  };
}

type AllWorlds = Worlds & {
  /** Unlike `find`, makes the world of a new token where any token goes. */
  admit(token: string): World | undefined;
  closeAll(): void;
};

function createWorlds(options: TelegramEmulatorOptions): AllWorlds {
  const byToken = new Map<string, World>();
  const create = (token: string, spec: WorldSpec): World => {
    byToken.get(token)?.close();
    const world = new World(token, { ...options.defaults, ...spec }, options.onBotMessage);
    byToken.set(token, world);
    return world;
  };
  const admit = (token: string): World | undefined => {
    const known = byToken.get(token);
    if (known !== undefined || options.anyToken !== true || !WELL_FORMED_TOKEN.test(token)) return known;
    return create(token, {});
  };
  return {
    admit,
    create,
    find: admit,
    remove: (token) => {
      byToken.get(token)?.close();
      byToken.delete(token);
    },
    closeAll: () => {
      for (const world of byToken.values()) world.close();
      byToken.clear();
    },
  };
}

async function route(worlds: AllWorlds, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.url ?? '/';
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1));
  if (path.startsWith('/control/')) {
    await handleControl(worlds, path.slice('/control/'.length), query, request, response);
    return;
  }
  const botCall = /^\/bot([^/]+)\/([^/]+)\/?$/.exec(path);
  const download = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
  const token = decodeURIComponent(botCall?.[1] ?? download?.[1] ?? '');
  if (token === '') {
    answerError(request, response, new ApiError(404, 'Not Found'));
    return;
  }
  const world = worlds.admit(token);
  if (world === undefined) answerError(request, response, new ApiError(401, 'Unauthorized'));
  else if (botCall?.[2] !== undefined) await handleBotCall(world, botCall[2], query, request, response);
  else sendFile(world, decodeURIComponent(download?.[2] ?? ''), request, response);
}

function sendFile(world: World, path: string, request: IncomingMessage, response: ServerResponse): void {
  const file = [...world.files.values()].find((candidate) => candidate.path === path);
  if (file?.bytes === undefined) {
    answerError(request, response, new ApiError(404, 'Not Found'));
    return;
  }
  request.resume();
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
}

function answerError(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  // The body is read away, or the connection could not be used again.
  request.resume();
  const { status, body } = errorAnswer(error);
  sendJson(response, status, body);
}
