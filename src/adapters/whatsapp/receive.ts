/**
 * From what the connection gives to the sink.
 *
 * 1. One message after the other, in the order they came; each is offered until it is stored.
 * 2. What is older than a day gets no answer: after a long time away WhatsApp gives what was said meanwhile.
 * 3. Both ids of a person are brought together before anything is decided by one of them.
 */
import type { Clock } from '../../core/clock.js';
import { isAbort, StoreError } from '../../core/errors.js';
import type { IdSource } from '../../core/ids.js';
import type { InboundEdit, InboundMessage, InboundSink } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { RunOptions } from '../../core/platform.js';
import { type Backoff, createBackoff } from '../kit/backoff.js';
import { fieldsOf } from '../kit/fields.js';
import { remember } from '../kit/remember.js';
import type { WAMessage } from './client.js';
import type { Connection } from './connection.js';
import { type DecodeContext, decodeMessage, sentAtOf } from './decode.js';
import type { Groups } from './groups.js';
import type { Held } from './held.js';
import type { Identities } from './identities.js';
import { chatIdOf, isGroup, isLid, toPlainJid } from './ids.js';
import type { Recent } from './recent.js';
import type { SentStore } from './sent-store.js';

const MAX_AGE_MS = 24 * 3_600_000;
const MAX_KINDS = 100;
const MAX_LIDS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export interface ReceiverPorts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly identities: Identities;
  readonly groups: Groups;
  readonly recent: Recent;
  readonly sent: SentStore;
  readonly held: Held;
  readonly isSelfChat: boolean;
  readonly marksRead: boolean;
}

interface Receiving {
  readonly sink: InboundSink;
  readonly options: RunOptions;
}

interface Arrived {
  readonly message: WAMessage;
  /** It had waited, or it is old. */
  readonly isHistory: boolean;
}

export class Receiver {
  readonly #ports: ReceiverPorts;
  readonly #storePause: Backoff;
  #receiving: Receiving | undefined;
  #queue: Arrived[] = [];
  #work: Promise<void> | undefined;
  readonly #unknownKinds = new Map<string, true>();
  /** Private chats that were offered under a hidden id, as no number was known. */
  readonly #hidden = new Map<string, true>();

  constructor(ports: ReceiverPorts) {
    this.#ports = ports;
    this.#storePause = createBackoff({ clock: ports.clock, firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  }

  /** Receives until the signal aborts, then resolves. */
  async run(sink: InboundSink, options: RunOptions): Promise<void> {
    const { connection, held } = this.#ports;
    this.#receiving = { sink, options };
    try {
      const waiting = await held.all();
      this.#queue.unshift(...waiting.map((message) => ({ message, isHistory: true })));
      this.#begin();
      await connection.hold(options.report, options.signal);
    } finally {
      this.#receiving = undefined;
      await this.#work;
    }
  }

  /** Takes messages as they come; without a receiver they wait for the next. */
  take(messages: readonly WAMessage[], isHistory: boolean): void {
    this.#queue.push(...messages.map((message) => ({ message, isHistory })));
    this.#begin();
  }

  #begin(): void {
    if (this.#receiving === undefined || this.#work !== undefined) return;
    this.#work = this.#drain(this.#receiving).finally(() => {
      this.#work = undefined;
      if (this.#queue.length > 0) this.#begin();
    });
  }

  async #drain(receiving: Receiving): Promise<void> {
    const { signal } = receiving.options;
    while (!signal.aborted) {
      const arrived = this.#queue[0];
      if (arrived === undefined) return;
      try {
        await this.#handle(arrived, receiving);
        await this.#ports.held.release(arrived.message);
      } catch (error) {
        if (isAbort(error, signal)) return;
        // A message that nobody can handle must not stand in the way of all others.
        this.#ports.logger.error({ error }, 'a message of WhatsApp could not be handled');
      }
      this.#queue.shift();
    }
  }

  async #handle({ message, isHistory }: Arrived, { sink, options }: Receiving): Promise<void> {
    const { clock, recent, identities } = this.#ports;
    await this.#identify(message, options);
    if (await this.#isEcho(message, isHistory)) return;
    const sentAt = sentAtOf({ ...message });
    if (sentAt !== undefined && clock.now() - sentAt > MAX_AGE_MS) return;
    const group = toPlainJid(message.key.remoteJid);
    if (group !== undefined && isGroup(group)) await this.#ports.groups.find(group);
    const event = decodeMessage(message, this.#context());
    if (event === undefined) return;
    if (event.type === 'message') recent.noteReceived(event.origin.chat, event.message, message);
    await this.#store(event, sink, options);
    if (group !== undefined && isLid(identities.resolve(group)))
      remember(this.#hidden, group, true, MAX_LIDS);
    if (this.#ports.marksRead && message.key.fromMe !== true) await this.#markRead(message);
  }

  #context(): DecodeContext {
    const { ids, clock, identities, groups, isSelfChat, logger } = this.#ports;
    return {
      identities,
      isSelfChat,
      correlation: ids.next('correlation'),
      receivedAt: clock.now(),
      groupTitle: (group) => groups.title(group),
      unknown: (kind) => {
        if (this.#unknownKinds.has(kind)) return;
        remember(this.#unknownKinds, kind, true, MAX_KINDS);
        logger.warn({ kind }, 'a message of a kind that is not known was left out');
      },
    };
  }

  async #identify({ key }: WAMessage, options: RunOptions): Promise<void> {
    const { identities, connection } = this.#ports;
    const all = fieldsOf(key) ?? {};
    const pairs = [
      [all['remoteJid'], all['remoteJidAlt']],
      [all['remoteJid'], all['senderPn']],
      [all['remoteJid'], all['senderLid']],
      [all['participant'], all['participantAlt']],
      [all['participant'], all['participantPn']],
      [all['participant'], all['participantLid']],
    ] as const;
    for (const [first, second] of pairs) identities.learn(first, second);
    identities.setSelf(connection.socket?.me);
    await identities.lookUp(all['remoteJid'], connection.socket);
    await identities.lookUp(all['participant'], connection.socket);
    for (const lid of this.#hidden.keys()) {
      const number = identities.resolve(lid);
      if (number === lid) continue;
      await options.onMoved?.({ from: chatIdOf(lid), to: chatIdOf(number) });
      this.#hidden.delete(lid);
    }
  }

  /** Ours by its id, or by its words where the phone gives them back under another. */
  async #isEcho({ key, message }: WAMessage, isHistory: boolean): Promise<boolean> {
    if (key.fromMe !== true) return false;
    const { sent, recent, identities } = this.#ports;
    if (await sent.isOurs(key.id ?? '')) return true;
    const chat = toPlainJid(key.remoteJid);
    const words = message?.conversation ?? message?.extendedTextMessage?.text;
    if (!isHistory || chat === undefined || words == null) return false;
    return recent.wasSent(chatIdOf(identities.resolve(chat)), words);
  }

  /** Offers the event until it is stored; meanwhile it is held on the disk. */
  async #store(
    event: InboundMessage | InboundEdit,
    sink: InboundSink,
    { signal }: RunOptions,
  ): Promise<void> {
    const { connection, logger } = this.#ports;
    for (;;) {
      try {
        signal.throwIfAborted();
        const [outcome] = await sink.accept([event]);
        if (outcome === 'refused') logger.debug({ sender: event.sender.user }, 'a message was refused');
        this.#storePause.reset();
        connection.recovered();
        return;
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        const reason = error instanceof StoreError ? error.message : 'an unexpected error, see the log';
        logger.error({ error }, 'a received message could not be stored');
        connection.trouble(
          `Messages cannot be stored: ${reason}. They are held in the home, nothing is lost.`,
        );
        await this.#storePause.wait({ signal });
      }
    }
  }

  async #markRead({ key }: WAMessage): Promise<void> {
    try {
      await this.#ports.connection.socket?.markRead([key]);
    } catch (error) {
      this.#ports.logger.info({ error }, 'a message could not be marked as read');
    }
  }
}
