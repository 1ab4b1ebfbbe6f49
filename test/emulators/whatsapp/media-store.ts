/**
 * Encrypted files: uploads over https, as clients insist, and downloads over https or plain http. The port takes both, so
 * that a client which does not trust the certificate can still be led past TLS.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { getMediaKeys } from '@whiskeysockets/baileys';
import { readBody, sendJson } from '../kit/loopback-server.js';
import type { MediaPart } from './classify.js';
import type { FaultAction, MediaSpec } from './protocol.js';
import { createSelfSigned } from './self-signed.js';
import type { World } from './world.js';

const TLS_HANDSHAKE = 0x16;
const MAC_BYTES = 10;
const DEFAULT_UPLOAD_LIMIT_BYTES = 100 * 1024 * 1024;

interface StoredFile {
  readonly bytes: Buffer;
  readonly status: number;
  readonly isKept: boolean;
  readonly world: World;
}

export interface SealedFile {
  readonly url: string;
  readonly directPath?: string;
  readonly mediaKey: Uint8Array;
  readonly fileSha256: Uint8Array;
  readonly fileEncSha256: Uint8Array;
  readonly fileLength: number;
  readonly mediaKeyTimestamp: number;
}

export class MediaStore {
  readonly certificatePem: string;
  readonly #files = new Map<string, StoredFile>();
  readonly #worlds = new Map<string, World>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#sniff(socket));
  readonly #plain = createHttpServer((request, response) => this.#serve(request, response));
  readonly #tls;
  #port = 0;

  constructor() {
    const { keyPem, certificatePem } = createSelfSigned();
    this.certificatePem = certificatePem;
    this.#tls = createHttpsServer({ key: keyPem, cert: certificatePem }, (request, response) =>
      this.#serve(request, response),
    );
  }

  /** Listens on a free port of 127.0.0.1. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the media have no TCP address');
    this.#port = address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** For `media_conn`, and for the path part of an https address. */
  get tlsHost(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** What a client shows at an upload; it names its world. */
  authOf(world: World): string {
    const known = [...this.#worlds].find(([, other]) => other === world)?.[0];
    const auth = known ?? randomBytes(12).toString('base64url');
    this.#worlds.set(auth, world);
    return auth;
  }

  forget(world: World): void {
    for (const [auth, other] of this.#worlds) if (other === world) this.#worlds.delete(auth);
  }

  /** Encrypts and keeps a file as a phone uploads it. */
  async seal(world: World, type: MediaPart['type'], spec: MediaSpec): Promise<SealedFile> {
    const isOverTls = world.spec.mediaOverTls === true;
    const plain = Buffer.from(spec.contentBase64, 'base64');
    const mediaKey = randomBytes(32);
    const { cipherKey, iv, macKey } = await keysOf(mediaKey, type);
    const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const sealed = Buffer.concat([body, macOf(macKey, iv, body)]);
    const path = this.#keep({
      bytes: spec.spoiled === true ? randomBytes(sealed.length) : sealed,
      status: spec.status ?? 200,
      isKept: spec.kept === true,
      world,
    });
    return {
      url: `${isOverTls ? 'https' : 'http'}://${this.tlsHost}${path}`,
      ...(isOverTls ? { directPath: path } : {}),
      mediaKey,
      fileSha256: sha256(plain),
      fileEncSha256: sha256(sealed),
      fileLength: spec.declaredBytes ?? plain.length,
      mediaKeyTimestamp: Math.floor(Date.now() / 1000),
    };
  }

  /** Makes a file available again under a new path; undefined when its phone does not have it any more. */
  renew({ part }: MediaPart): string | undefined {
    const file = this.#files.get(pathOf(part));
    if (file?.isKept !== true) return undefined;
    return this.#keep({ ...file, status: 200 });
  }

  /** Reads what a message names, as a phone does; undefined when it is not there or not what it is said to be. */
  async open({ type, part }: MediaPart): Promise<Buffer | undefined> {
    const sealed = this.#files.get(pathOf(part))?.bytes;
    if (sealed === undefined || !part.mediaKey) return undefined;
    if (!sha256(sealed).equals(Buffer.from(part.fileEncSha256 ?? []))) return undefined;
    const { cipherKey, iv, macKey } = await keysOf(part.mediaKey, type);
    const body = sealed.subarray(0, -MAC_BYTES);
    if (!macOf(macKey, iv, body).equals(sealed.subarray(-MAC_BYTES))) return undefined;
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
    const plain = Buffer.concat([decipher.update(body), decipher.final()]);
    return sha256(plain).equals(Buffer.from(part.fileSha256 ?? [])) ? plain : undefined;
  }

  #keep(file: StoredFile): string {
    const path = `/v/${randomBytes(12).toString('base64url')}.enc`;
    this.#files.set(path, file);
    return path;
  }

  #sniff(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? this.#tls : this.#plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'https://emulator');
    const answer = request.method === 'POST' ? this.#take(request, response, url) : this.#give(response, url);
    answer.catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: String(error) });
    });
  }

  async #give(response: ServerResponse, url: URL): Promise<void> {
    const file = this.#files.get(url.pathname);
    if (file === undefined) return refuse(response, 404);
    const { record, fault, id } = file.world.begin('GET /v');
    if (fault !== undefined && !(await passes(file.world, fault, id, response))) return;
    if (file.status !== 200) return refuse(response, file.status);
    record.applied = true;
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.bytes.length })
      .end(file.bytes);
  }

  /** `/mms/<kind>/<hash of the bytes>?auth=…`. */
  async #take(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const world = this.#worlds.get(url.searchParams.get('auth') ?? '');
    if (world === undefined) return sendJson(response, 401, { error: 'not authorized' });
    const { record, fault, id } = world.begin(`POST ${url.pathname.replace(/\/[^/]*$/u, '')}`);
    const bytes = await readBody(request, Number.MAX_SAFE_INTEGER);
    if (fault !== undefined && !(await passes(world, fault, id, response))) return;
    if (bytes.length > (world.spec.maxUploadBytes ?? DEFAULT_UPLOAD_LIMIT_BYTES))
      return sendJson(response, 413, { error: 'too large' });
    const hash = decodeURIComponent(url.pathname.replace(/^.*\//u, '')).replace(/=+$/u, '');
    if (sha256(bytes).toString('base64url') !== hash)
      return sendJson(response, 400, { error: 'not the bytes that the hash is of' });
    const path = this.#keep({ bytes, status: 200, isKept: true, world });
    record.applied = true;
    sendJson(response, 200, { url: `https://${this.tlsHost}${path}`, direct_path: path });
  }
}

/** Whether the call goes on: an error was answered, the connection cut, or it was held until now. */
async function passes(
  world: World,
  fault: FaultAction,
  id: number,
  response: ServerResponse,
): Promise<boolean> {
  if (fault.kind === 'answer') refuse(response, fault.code);
  else if (fault.kind === 'hold') {
    const left = new AbortController();
    response.once('close', () => left.abort());
    await world.faults.hold(id, left.signal);
    return !left.signal.aborted;
  } else response.destroy();
  return false;
}

function refuse(response: ServerResponse, status: number): void {
  sendJson(response, status, { error: 'refused' });
}

function pathOf({ directPath, url }: MediaPart['part']): string {
  return directPath || new URL(url || 'http://none/').pathname;
}

interface Keys {
  readonly cipherKey: Buffer;
  readonly iv: Buffer;
  readonly macKey: Buffer;
}

async function keysOf(mediaKey: Uint8Array, type: MediaPart['type']): Promise<Keys> {
  const { cipherKey, iv, macKey } = await getMediaKeys(Buffer.from(mediaKey), type);
  if (macKey === undefined || macKey === null) throw new Error('no key for the code of a file');
  return { cipherKey: Buffer.from(cipherKey), iv: Buffer.from(iv), macKey: Buffer.from(macKey) };
}

function macOf(key: Buffer, iv: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(iv).update(body).digest().subarray(0, MAC_BYTES);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
