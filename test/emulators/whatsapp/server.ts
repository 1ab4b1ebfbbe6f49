/** The emulator as a server: `/ws/<world>` (WebSocket), and `/control/<world>/<verb>`; media have a port of their own. */
import { WebSocketServer } from 'ws';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../kit/loopback-server.js';
import { trustRoot } from './certificate.js';
import { clientEvents } from './clients.js';
import { handleControl, type Worlds } from './control-api.js';
import { Link } from './link.js';
import { MediaStore } from './media-store.js';
import type { WorldSpec } from './protocol.js';
import { type MessageListener, World } from './world.js';

export interface WhatsAppEmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Makes a world at its first use. Default false: a world is unknown until it is reset. */
  readonly anyWorld?: boolean;
  readonly defaults?: WorldSpec;
  /** Told of every message of a bot as it comes. */
  readonly onBotMessage?: MessageListener;
}

export interface WhatsAppEmulator extends LoopbackServer {
  /** Base64, for `platforms.whatsapp.trust_root`; the same at every start. */
  readonly trustRoot: string;
  /** PEM, for `NODE_EXTRA_CA_CERTS` or an agent's `ca`; new at every start. */
  readonly mediaCertificate: string;
}

export async function startWhatsAppEmulator(
  options: WhatsAppEmulatorOptions = {},
): Promise<WhatsAppEmulator> {
  const media = new MediaStore();
  await media.listen();
  const byName = new Map<string, World>();
  const remove = (name: string): void => {
    const world = byName.get(name);
    if (world === undefined) return;
    world.close();
    media.forget(world);
    byName.delete(name);
  };
  const create = (name: string, spec: WorldSpec): World => {
    remove(name);
    const world = new World({ ...options.defaults, ...spec }, media, options.onBotMessage);
    byName.set(name, world);
    return world;
  };
  const find = (name: string): World | undefined =>
    byName.get(name) ?? (options.anyWorld === true ? create(name, {}) : undefined);
  const worlds: Worlds = { create, find, remove };
  const server = await startLoopbackServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://emulator');
    if (pathname.startsWith('/control/'))
      return handleControl(worlds, pathname.slice('/control/'.length), request, response);
    return sendJson(response, 404, { error: 'nothing here' });
  }, options.port);
  const sockets = new WebSocketServer({ noServer: true });
  server.onUpgrade((request, socket, head) => {
    const name = /^\/ws\/([^/?]+)/u.exec(request.url ?? '')?.[1];
    const world = name === undefined ? undefined : find(decodeURIComponent(name));
    const status = world === undefined ? 404 : world.refusal?.status;
    if (world === undefined || status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      new Link(webSocket, world.certificate, clientEvents(world));
    });
  });
  return {
    ...server,
    trustRoot,
    mediaCertificate: media.certificatePem,
    close: async () => {
      for (const name of [...byName.keys()]) remove(name);
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      await Promise.all([server.close(), media.close()]);
    },
  };
}
