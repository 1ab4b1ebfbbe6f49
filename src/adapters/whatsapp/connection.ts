/**
 * The one connection of the linked device.
 *
 * 1. There is one socket at a time, whoever asks for it: two would close each other.
 * 2. What follows a close is decided by its code alone (closings.ts). Nothing but WhatsApp's own word that the device is
 *    unlinked moves credentials aside, and nothing deletes them.
 * 3. It is held by whoever receives; a send without one opens it, and it is closed soon after the last of them.
 */
import type { CancelTimer, Clock } from '../../core/clock.js';
import { isAbort, later, PlatformError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { ConnectionStatus } from '../../core/platform.js';
import { type Backoff, createBackoff } from '../kit/backoff.js';
import type { Closed, Creds, SocketOptions, WhatsAppSocket } from './client.js';
import { closingOf, relinkAdvice } from './closings.js';
import type { SessionFiles } from './session-files.js';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Closes in a row that say that the session is bad, after which it is believed. */
const MAX_BAD_SESSIONS = 5;
/** A send without a receiver leaves the connection open for so long, for the next one. */
const IDLE_MS = 500;

type Opener = (options: Pick<SocketOptions, 'creds' | 'listener'>) => WhatsAppSocket;

export interface ConnectionPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: SessionFiles<Creds>;
  readonly open: Opener;
  onMessages: SocketOptions['listener']['messages'];
  onGroupChanged: SocketOptions['listener']['groupChanged'];
}

interface Waiter {
  resolve(socket: WhatsAppSocket): void;
  reject(error: unknown): void;
}

const notLinked = `Not linked to an account of WhatsApp. ${relinkAdvice}`;

export class Connection {
  readonly #ports: ConnectionPorts;
  readonly #pause: Backoff;
  readonly #waiters = new Set<Waiter>();
  #report: ((status: ConnectionStatus) => void) | undefined;
  #status: ConnectionStatus = { state: 'starting' };
  #socket: WhatsAppSocket | undefined;
  #isOpen = false;
  /** Receivers and sends that need the connection now. */
  #holders = 0;
  #loop: Promise<void> | undefined;
  #stop = new AbortController();
  #cancelIdle: CancelTimer | undefined;
  #badSessions = 0;
  /** The loop is not to begin again by itself meanwhile. */
  #isRenewing = false;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#pause = createBackoff({ clock: ports.clock, firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  }

  /** The open socket, if there is one now. */
  get socket(): WhatsAppSocket | undefined {
    return this.#isOpen ? this.#socket : undefined;
  }

  /** Keeps the connection until the signal aborts, then resolves. */
  async hold(report: (status: ConnectionStatus) => void, signal: AbortSignal): Promise<void> {
    this.#report = report;
    report(this.#status);
    const release = this.#take();
    try {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      this.#report = undefined;
      release();
    }
  }

  /** Works with an open socket. Rejects with a PlatformError where there is none to be had now. */
  async using<Result>(
    signal: AbortSignal,
    work: (socket: WhatsAppSocket) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const release = this.#take();
    try {
      return await work(this.socket ?? (await this.#untilOpen(signal)));
    } finally {
      release();
    }
  }

  /** The status is not that of the connection but of what is done with its messages. */
  trouble(detail: string): void {
    this.#tell({ state: 'unhealthy', detail });
  }

  /** What was told as trouble is over. */
  recovered(): void {
    if (this.#isOpen) this.#tell({ state: 'connected' });
  }

  /** Credentials are new: the old socket goes, and the next one has them. */
  async renew(change: () => Promise<void>): Promise<void> {
    const release = this.#take();
    this.#isRenewing = true;
    try {
      this.#stop.abort(new Error('other credentials'));
      await this.#loop;
      await change();
      this.#ports.files.forget();
      this.#badSessions = 0;
      this.#status = { state: 'starting' };
    } finally {
      this.#isRenewing = false;
      this.#begin();
      release();
    }
  }

  #take(): () => void {
    this.#holders += 1;
    this.#cancelIdle?.();
    this.#begin();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0)
        this.#cancelIdle = this.#ports.clock.after(IDLE_MS, () => {
          if (this.#holders === 0) this.#stop.abort(new Error('nobody needs the connection'));
        });
    };
  }

  #begin(): void {
    if (this.#loop !== undefined || this.#isRenewing) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#loop = this.#run(signal).finally(() => {
      this.#loop = undefined;
      this.#isOpen = false;
      this.#socket = undefined;
      // Somebody came while it ended.
      if (this.#holders > 0 && !this.#isRenewing) this.#begin();
    });
  }

  #untilOpen(signal: AbortSignal): Promise<WhatsAppSocket> {
    if (this.#status.state === 'stopped' || this.#status.state === 'unhealthy')
      return Promise.reject(this.#unavailable());
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        resolve: (socket) => {
          end();
          resolve(socket);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #unavailable(): PlatformError {
    const { state, detail = 'WhatsApp cannot be reached.' } = this.#status;
    return new PlatformError({
      code: state === 'stopped' ? 'unauthorized' : 'unavailable',
      message: detail,
      // Who links anew wants what waits to be sent.
      retry: later,
      outcome: 'none',
    });
  }

  #tell(status: ConnectionStatus): void {
    this.#status = status;
    this.#report?.(status);
    if (status.state === 'connected' || status.state === 'starting') return;
    for (const waiter of [...this.#waiters]) waiter.reject(this.#unavailable());
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) await this.#cycle(signal);
    } catch (error) {
      if (isAbort(error, signal)) return;
      this.#ports.logger.error({ error }, 'the connection to WhatsApp failed in an unexpected way');
      this.#tell({ state: 'unhealthy', detail: 'The connection failed in an unexpected way, see the log.' });
      await this.#pause.wait({ signal }).catch(() => undefined);
    } finally {
      for (const waiter of [...this.#waiters]) waiter.reject(this.#unavailable());
    }
  }

  async #cycle(signal: AbortSignal): Promise<void> {
    const session = await this.#ports.files.load();
    signal.throwIfAborted();
    if (session.kind === 'none') return this.#rest(notLinked, signal);
    if (session.kind === 'damaged') {
      this.#ports.logger.error({ reason: session.reason }, 'the credentials for WhatsApp cannot be read');
      const { folder } = this.#ports.files;
      return this.#rest(
        `The credentials in ${folder} cannot be read, and neither can their backup. Put a copy of yours there, or link anew: \`hermes whatsapp login --again\`.`,
        signal,
      );
    }
    if (this.#status.state !== 'connected') this.#tell({ state: 'starting' });
    const closed = await this.#connect(session.creds, signal);
    signal.throwIfAborted();
    await this.#afterClose(closed, signal);
  }

  async #connect(creds: Creds, signal: AbortSignal): Promise<Closed> {
    const { open, onMessages, onGroupChanged } = this.#ports;
    const socket = open({
      creds,
      listener: {
        open: () => this.#onOpen(socket),
        // A device that is linked is shown no code.
        qr: () => undefined,
        linked: () => undefined,
        messages: onMessages,
        groupChanged: onGroupChanged,
      },
    });
    this.#socket = socket;
    const onAbort = (): void => socket.end();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await socket.closed;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#isOpen = false;
      this.#socket = undefined;
    }
  }

  #onOpen(socket: WhatsAppSocket): void {
    this.#isOpen = true;
    this.#pause.reset();
    this.#badSessions = 0;
    this.#ports.logger.info({}, 'WhatsApp is connected');
    this.#tell({ state: 'connected' });
    for (const waiter of [...this.#waiters]) waiter.resolve(socket);
  }

  async #afterClose({ code, reason }: Closed, signal: AbortSignal): Promise<void> {
    const { logger, files, clock } = this.#ports;
    logger.info({ code, reason }, 'the connection to WhatsApp was closed');
    const closing = closingOf(code);
    switch (closing.kind) {
      case 'at-once':
        return this.#tell({ state: 'starting' });
      case 'relink':
        await files.setAside(`unlinked-${clock.now()}`);
        return this.#rest(closing.detail, signal);
      case 'stop':
        return this.#rest(closing.detail, signal);
      case 'bounded':
        this.#badSessions += 1;
        if (this.#badSessions >= MAX_BAD_SESSIONS) return this.#rest(closing.detail, signal);
        break;
      default:
    }
    this.#tell({ state: 'unhealthy', detail: closing.detail });
    await this.#pause.wait({ signal });
    this.#tell({ state: 'starting' });
  }

  /** Nothing is tried until somebody links anew or the gateway starts again. */
  async #rest(detail: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#tell({ state: 'stopped', detail });
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
