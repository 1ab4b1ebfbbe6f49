/** The emulator as a server: `/api/v10/…`, `/gateway/<bot id>` (WebSocket), `/cdn/…` and `/control/<token>/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../kit/loopback-server.js';
import { handleControl, type Worlds } from './control-api.js';
import { createGateway } from './gateway.js';
import type { WorldSpec } from './protocol.js';
import { handleRest } from './rest.js';
import { type MessageListener, World } from './world.js';

export interface DiscordEmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Takes every token at its first use. Default false: a token is unknown until its world is created. */
  readonly anyToken?: boolean;
  readonly defaults?: WorldSpec;
  /** Told of every message of a bot as it is sent, edited and deleted. */
  readonly onBotMessage?: MessageListener;
}

export async function startDiscordEmulator(options: DiscordEmulatorOptions = {}): Promise<LoopbackServer> {
  const byToken = new Map<string, World>();
  const origin = (): string => server.url;
  const create = (token: string, spec: WorldSpec): World => {
    byToken.get(token)?.close();
    const world = new World(token, { ...options.defaults, ...spec }, origin, options.onBotMessage);
    byToken.set(token, world);
    return world;
  };
  const worlds: Worlds = {
    create,
    find: (token) => byToken.get(token) ?? (options.anyToken === true ? create(token, {}) : undefined),
    remove: (token) => {
      byToken.get(token)?.close();
      byToken.delete(token);
    },
  };
  const findByBot = (id: string): World | undefined => [...byToken.values()].find(({ bot }) => bot.id === id);
  const findByInteraction = (path: string): World | undefined => {
    const token = /^\/(?:interactions|webhooks)\/\d+\/([^/]+)/u.exec(path)?.[1];
    return [...byToken.values()].find(({ interactions }) =>
      [...interactions.values()].some((interaction) => interaction.token === token),
    );
  };
  const gateway = createGateway(findByBot, origin);
  const server = await startLoopbackServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const api = /^\/api\/v10(\/.*)$/u.exec(url.pathname)?.[1];
    if (url.pathname.startsWith('/control/'))
      return handleControl(worlds, url.pathname.slice('/control/'.length), request, response);
    if (url.pathname.startsWith('/cdn/')) return sendFile(findByBot, url.pathname, request, response);
    if (api === undefined) return sendJson(response, 404, { message: '404: Not Found', code: 0 });
    return handleRest(worlds.find, findByInteraction, api, url.searchParams, request, response);
  }, options.port);
  server.onUpgrade(gateway.upgrade);
  return {
    ...server,
    close: async () => {
      for (const world of byToken.values()) world.close();
      gateway.close();
      await server.close();
    },
  };
}

/** `/cdn/<bot id>/attachments/<channel>/<file>/<name>`; open to who knows the address, as Discord's is. */
function sendFile(
  findByBot: (id: string) => World | undefined,
  path: string,
  _request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, bot = '', id = ''] = /^\/cdn\/(\d+)\/attachments\/\d+\/(\d+)\//u.exec(path) ?? [];
  const file = findByBot(bot)?.files.get(id);
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('This content is no longer available.');
    return;
  }
  response
    .writeHead(200, { 'content-type': file.contentType, 'content-length': file.bytes.length })
    .end(file.bytes);
}
