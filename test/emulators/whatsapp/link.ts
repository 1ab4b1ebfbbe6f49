/** One WebSocket of a client: the handshake, then stanzas both ways, in order. */
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import type { ServerCertificate } from './certificate.js';
import { FrameReader, toFrame } from './frames.js';
import { answerHello, type Finished, type Hello } from './noise.js';

export interface LinkEvents {
  /** The handshake is over: who the client says it is. */
  opened(link: Link): void;
  stanza(link: Link, stanza: BinaryNode): void;
  closed(link: Link): void;
  /** What the client sent cannot be understood, or the emulator is at fault. The link is cut. */
  failed(link: Link, error: unknown): void;
}

export class Link {
  /** Aborts when the socket is gone. */
  readonly signal: AbortSignal;
  readonly #socket: WebSocket;
  readonly #events: LinkEvents;
  readonly #certificate: ServerCertificate;
  readonly #frames = new FrameReader();
  #hello: Hello | undefined;
  #session: Finished | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, certificate: ServerCertificate, events: LinkEvents) {
    this.#socket = socket;
    this.#certificate = certificate;
    this.#events = events;
    const gone = new AbortController();
    this.signal = gone.signal;
    socket.on('message', (data: Buffer) => this.#guard(() => this.#read(data)));
    // The close that follows tells what there is to tell.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      gone.abort();
      events.closed(this);
    });
  }

  get noiseKey(): Buffer {
    return this.#opened().noiseKey;
  }

  get payload(): proto.ClientPayload {
    return this.#opened().payload;
  }

  get isOpen(): boolean {
    return this.#session !== undefined && this.#socket.readyState === this.#socket.OPEN;
  }

  /** Nothing happens when the socket is gone. */
  send(stanza: BinaryNode): void {
    if (!this.isOpen) return;
    this.#socket.send(toFrame(this.#opened().encrypt(encodeBinaryNode(stanza))));
  }

  close(): void {
    this.#socket.close();
  }

  /** Cuts the connection as a lost network does. */
  terminate(): void {
    this.#socket.terminate();
  }

  #opened(): Finished {
    if (this.#session === undefined) throw new Error('the handshake is not over');
    return this.#session;
  }

  #read(data: Buffer): void {
    for (const frame of this.#frames.read(data)) {
      if (this.#session !== undefined) this.#readStanza(this.#session.decrypt(frame));
      else if (this.#hello !== undefined) {
        this.#session = this.#hello.finish(frame);
        this.#events.opened(this);
      } else {
        this.#hello = answerHello(frame, this.#certificate);
        this.#socket.send(toFrame(this.#hello.reply));
      }
    }
  }

  /** Decoding may wait for an inflater, so it is queued to keep the order. */
  #readStanza(bytes: Buffer): void {
    this.#reading = this.#reading.then(async () => {
      const stanza = await decodeBinaryNode(bytes);
      this.#guard(() => this.#events.stanza(this, stanza));
    });
    this.#reading.catch((error: unknown) => this.#fail(error));
  }

  /** A client that cannot be understood is cut off, as the real server does. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#events.failed(this, error);
    this.terminate();
  }
}
