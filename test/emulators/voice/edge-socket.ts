/** The read-aloud socket of Edge: frames of headers and content, one request at a time. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VoiceFault } from './server.js';

interface EdgeSocketOptions {
  /** Told of each request's text and voice; says what goes wrong with it. */
  onRequest(text: string, voice: string): VoiceFault;
  sound(): Buffer;
}

const CHUNK_BYTES = 720;
const INVALID_PAYLOAD = 1007;

const textFrame = (id: string, path: string, type: string, body: string): string =>
  `X-RequestId:${id}\r\nContent-Type:${type}; charset=utf-8\r\nPath:${path}\r\n\r\n${body}`;

/** Two bytes with the length of the headers, the headers, the sound. */
const audioFrame = (id: string, sound: Buffer): Buffer => {
  const head = Buffer.from(`X-RequestId:${id}\r\nContent-Type:audio/mpeg\r\nPath:audio\r\n`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(head.length);
  return Buffer.concat([length, head, sound]);
};

/** What is between the tags, with its entities read; undefined for what is no XML. */
const spokenText = (ssml: string): string | undefined => {
  const inner = ssml.replace(/<\/?(?:speak|voice|prosody)(?:\s[^<>]*)?>/gu, '');
  if (/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/u.test(inner) || /(?![\t\n\r])\p{Cc}/u.test(inner))
    return undefined;
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return inner.replace(/&(\w+);/gu, (_, name: string) => entities[name] ?? '').trim();
};

const answer = (socket: WebSocket, id: string, fault: VoiceFault, sound: Buffer): void => {
  if (fault === 'hang') return;
  if (typeof fault === 'object') {
    socket.close(1011, `fault ${fault.status}`);
    return;
  }
  socket.send(textFrame(id, 'turn.start', 'application/json', '{"context":{}}'));
  socket.send(textFrame(id, 'response', 'application/json', '{"audio":{"type":"inline"}}'));
  const whole = fault === 'zero-bytes' ? Buffer.alloc(0) : sound;
  for (let at = 0; at < whole.length; at += CHUNK_BYTES) {
    if (fault === 'early-close' && at > 0) {
      socket.terminate();
      return;
    }
    socket.send(audioFrame(id, whole.subarray(at, at + CHUNK_BYTES)));
  }
  socket.send(textFrame(id, 'turn.end', 'application/json', '{}'));
};

export const createEdgeSocket = ({ onRequest, sound }: EdgeSocketOptions) => {
  const server = new WebSocketServer({ noServer: true });
  server.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '/', 'ws://loopback').searchParams;
    if (query.get('TrustedClientToken') === null || !/^[0-9A-F]{64}$/u.test(query.get('Sec-MS-GEC') ?? ''))
      return socket.close(1008, 'forbidden');
    let isConfigured = false;
    socket.on('message', (data) => {
      const frame = String(data);
      if (/Path:speech\.config/u.test(frame)) {
        isConfigured = /"outputFormat": "audio-/u.test(frame);
        return;
      }
      const [, id] = /X-RequestId:(\S+)/u.exec(frame) ?? [];
      const text = spokenText(frame.slice(frame.indexOf('\r\n\r\n') + 4));
      const [, voice = ''] = /<voice name="([^"]*)"/u.exec(frame) ?? [];
      if (!isConfigured || id === undefined || text === undefined || voice === '')
        return socket.close(INVALID_PAYLOAD, 'SSML parsing error');
      answer(socket, id, onRequest(text, voice), sound());
    });
  });
  return {
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      server.handleUpgrade(request, socket, head, (one) => server.emit('connection', one, request)),
    close: (): void => {
      for (const one of server.clients) one.terminate();
      server.close();
    },
  };
};
