/** The gateway WebSocket, v10, JSON, no compression: identify, resume, heartbeat, and the closes on demand. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { GatewaySession } from './gateway-session.js';
import type { World } from './world.js';

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

const CLOSE = {
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  disallowedIntents: 4014,
};

const INTENT = { members: 1 << 1, presences: 1 << 8, 'message-content': 1 << 15 } as const;

export interface Gateway {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** `/gateway/<bot id>`, which `GET /gateway/bot` names: so each world has a hello of its own. */
export function createGateway(
  findWorld: (botId: string) => World | undefined,
  origin: () => string,
): Gateway {
  const server = new WebSocketServer({ noServer: true });
  return {
    upgrade: (request, socket, head) => {
      const world = findWorld(/^\/gateway\/(\d+)/u.exec(request.url ?? '')?.[1] ?? '');
      if (world === undefined || world.refusesConnections) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, world, origin));
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

interface Packet {
  readonly op?: number;
  readonly d?: unknown;
}

function serve(socket: WebSocket, world: World, origin: () => string): void {
  let session: GatewaySession | undefined;
  const send = (op: number, d: unknown): void => socket.send(JSON.stringify({ op, d }));
  const fields = (d: unknown): Record<string, unknown> =>
    // Whatever else it is has no such fields, and reads as undefined.
    typeof d === 'object' && d !== null ? (d as Record<string, unknown>) : {};

  const identify = (d: unknown): void => {
    const { token, intents } = fields(d);
    if (!world.knows(token)) {
      socket.close(CLOSE.authenticationFailed, 'Authentication failed.');
      return;
    }
    world.identifies += 1;
    const wanted = Number(intents);
    const refused = (Object.keys(INTENT) as (keyof typeof INTENT)[]).some(
      (name) => (wanted & INTENT[name]) !== 0 && !world.privileged.has(name),
    );
    if (refused) {
      socket.close(CLOSE.disallowedIntents, 'Disallowed intent(s).');
      return;
    }
    session = new GatewaySession(world.snowflakes.next(), wanted);
    session.attach(socket);
    world.addSession(session, `${origin().replace(/^http/, 'ws')}/gateway/${world.bot.id}`);
  };

  const resume = (d: unknown): void => {
    const { token, session_id, seq } = fields(d);
    if (!world.knows(token)) {
      socket.close(CLOSE.authenticationFailed, 'Authentication failed.');
      return;
    }
    const found = world.sessions.get(String(session_id));
    const isAccepted = found !== undefined && found.invalid === undefined && Number(seq) <= found.seq;
    world.resumes.push({ sessionId: String(session_id), seq: Number(seq), accepted: isAccepted });
    world.watchers.touch('gateway');
    if (found === undefined || !isAccepted) {
      const canResume = found?.invalid === true;
      if (found !== undefined) found.invalid = undefined;
      if (!canResume) world.sessions.delete(String(session_id));
      send(OP.invalidSession, canResume);
      return;
    }
    session = found;
    session.attach(socket);
    session.replayAfter(Number(seq));
    session.dispatch('RESUMED', {});
    world.watchers.touch('gateway');
  };

  socket.on('message', (data) => {
    let packet: Packet;
    try {
      packet = JSON.parse(String(data)) as Packet;
    } catch {
      socket.close(CLOSE.decodeError, 'Error while decoding payload.');
      return;
    }
    switch (packet.op) {
      case OP.heartbeat:
        world.heartbeats += 1;
        if (!world.isSilent) send(OP.heartbeatAck, null);
        return;
      case OP.identify:
        identify(packet.d);
        return;
      case OP.resume:
        resume(packet.d);
        return;
      case 3:
      case 4:
      case 8:
        return;
      default:
        socket.close(CLOSE.notAuthenticated, 'Not authenticated.');
    }
  });
  socket.on('close', () => {
    session?.detach(socket);
    world.watchers.touch('gateway');
  });
  socket.on('error', () => undefined);
  send(OP.hello, { heartbeat_interval: world.heartbeatIntervalMs, _trace: [] });
}
