/**
 * From an encoded message to calls and their receipt. A message's id is made from its key, and WhatsApp shows one message
 * of an id: a repeat is harmless.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Clock } from '../../core/clock.js';
import { isAbort, never, PlatformError } from '../../core/errors.js';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Receipt } from '../../core/outbound.js';
import type {
  EditingFacet,
  PlatformAdapter,
  ReactingFacet,
  Reaction,
  TypingFacet,
} from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import { sizeText } from '../kit/size-text.js';
import { withTimeLimit } from '../kit/time-limit.js';
import type { AnyMessageContent, WAMessage, WhatsAppSocket } from './client.js';
import type { Connection } from './connection.js';
import { TEXT_LIMIT_UNITS } from './encode.js';
import { toPlatformError, transferStatusOf } from './errors.js';
import type { Groups } from './groups.js';
import type { Identities } from './identities.js';
import { isGroup, type Jid, jidOf, messageIdOf, splitMessageId } from './ids.js';
import { fromEncoded, type ShownFile, type WhatsAppMessage } from './payload.js';
import type { Recent } from './recent.js';
import type { SentStore } from './sent-store.js';

interface SenderPorts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identities: Identities;
  readonly sent: SentStore;
  readonly recent: Recent;
  readonly groups: Groups;
}

export interface Sender {
  readonly send: PlatformAdapter['send'];
  readonly edit: EditingFacet['edit'];
  readonly react: ReactingFacet['react'];
  readonly showTyping: TypingFacet['show'];
}

/** What an acknowledgement may take; a file's upload has its size's time besides. */
const ACK_LIMIT_MS = 30_000;
/** Slower than 32 KB a second counts as no connection. */
const SLOWEST_BYTES_PER_MS = 32;
/** WhatsApp lets a message be changed for 15 minutes; the last of them may be lost on the way. */
const EDITABLE_MS = 14 * 60_000;
const MS_PER_SECOND = 1_000;

const emojis = { working: '👀', done: '✅', failed: '❌' } as const satisfies Record<Reaction, string>;

/** Of the form that WhatsApp Web's own ids have: the same for the same saying. */
const idOf = (key: string): string =>
  `3EB0${createHash('sha256').update(key).digest('hex').slice(0, 18).toUpperCase()}`;

const contentOf = ({ content, file }: WhatsAppMessage): AnyMessageContent => {
  if (file === undefined) return { text: content, linkPreview: null };
  const media = { url: file.path };
  const caption = content === '' ? {} : { caption: content };
  const seconds =
    file.durationMs === undefined
      ? {}
      : { seconds: Math.max(1, Math.round(file.durationMs / MS_PER_SECOND)) };
  switch (file.kind) {
    case 'image':
      return { image: media, mimetype: file.mimeType, ...caption };
    case 'video':
      return { video: media, mimetype: file.mimeType, ...caption, ...seconds };
    case 'voice':
    case 'audio':
      return {
        audio: media,
        mimetype: file.mimeType,
        ptt: file.kind === 'voice',
        ...seconds,
        ...waveformOf(file),
      };
    case 'file':
      return { document: media, mimetype: file.mimeType, fileName: file.fileName, ...caption };
    default:
      return file.kind satisfies never;
  }
};

const waveformOf = ({ waveform }: ShownFile): { waveform?: Uint8Array } => {
  if (waveform === undefined) return {};
  // WhatsApp draws heights from 0 to 100.
  return {
    waveform: Uint8Array.from(Buffer.from(waveform, 'base64'), (height) => Math.round((height * 100) / 255)),
  };
};

const refused = (message: string): PlatformError =>
  new PlatformError({ code: 'refused', message, retry: never, outcome: 'none' });

const gone = (message: string): PlatformError =>
  new PlatformError({ code: 'message-gone', message, retry: never, outcome: 'none' });

export const createSender = (ports: SenderPorts): Sender => {
  const { connection, clock, logger, identities, sent, recent, groups } = ports;

  const addressOf = async (route: Route, socket: WhatsAppSocket): Promise<Jid> => {
    const jid = jidOf(route.chat);
    const address = await identities.addressOf(jid, socket);
    if (address !== undefined) return address;
    throw new PlatformError({
      code: 'unreachable-chat',
      message: `${route.chat} is no number of WhatsApp`,
      retry: never,
      outcome: 'none',
    });
  };

  /** One call with an open socket, bounded; every failure is a PlatformError or the signal's reason. */
  const call = async <Result>(
    signal: AbortSignal,
    limitMs: number,
    work: (socket: WhatsAppSocket, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await connection.using(signal, (socket) =>
        withTimeLimit({ clock, limitMs, signal }, (inner) => work(socket, inner)),
      );
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      throw toPlatformError(error);
    }
  };

  const quoteOf = (replyTo: MessageId | undefined, jid: Jid): WAMessage | undefined => {
    if (replyTo === undefined) return undefined;
    const known = recent.find(replyTo);
    if (known !== undefined) return known;
    const { id, participant } = splitMessageId(replyTo);
    // What it said is no longer known here; the phone that has it shows it all the same.
    return {
      key: { remoteJid: jid, id, fromMe: false, ...(participant !== undefined && { participant }) },
      message: { conversation: '' },
    };
  };

  const post = (
    route: Route,
    message: WhatsAppMessage,
    request: { readonly id: string; readonly replyTo: MessageId | undefined; readonly limitMs: number },
    signal: AbortSignal,
  ): Promise<void> =>
    call(signal, request.limitMs, async (socket, inner) => {
      const jid = await addressOf(route, socket);
      const quoted = quoteOf(request.replyTo, jid);
      const ephemeralSeconds = isGroup(jid)
        ? await groups.ephemeralSeconds(jid)
        : recent.ephemeralSeconds(route.chat);
      sent.claim(request.id);
      recent.noteSent(route.chat, message.content);
      const bytes = await socket.send(
        jid,
        contentOf(message),
        {
          id: request.id,
          ...(quoted !== undefined && { quoted }),
          ...(ephemeralSeconds !== undefined && { ephemeralSeconds }),
        },
        inner,
      );
      if (bytes !== undefined) await sent.keep(request.id, bytes);
    });

  /** A file that is not there or not taken becomes a line in its place. */
  const postFile = async (
    route: Route,
    message: WhatsAppMessage & { readonly file: ShownFile },
    request: { readonly id: string; readonly replyTo: MessageId | undefined },
    signal: AbortSignal,
  ): Promise<void> => {
    const { file, content } = message;
    const found = await stat(file.path).catch(() => undefined);
    const tell = (notice: string): Promise<void> => {
      const words = [content, notice].filter(Boolean).join('\n\n');
      return post(route, { text: words, content: words }, { ...request, limitMs: ACK_LIMIT_MS }, signal);
    };
    if (found?.isFile() !== true || found.size === 0)
      return tell(`⚠️ I could not send “${file.fileName}”: the file is no longer there, or it is empty.`);
    const limitMs = ACK_LIMIT_MS + Math.ceil(found.size / SLOWEST_BYTES_PER_MS);
    try {
      await post(route, message, { ...request, limitMs }, signal);
    } catch (error) {
      const status = error instanceof PlatformError ? transferStatusOf(error.cause) : undefined;
      const isRefused = error instanceof PlatformError && (error.code === 'refused' || status === 413);
      if (!isRefused) throw error;
      logger.warn({ chat: route.chat, sizeBytes: found.size, error }, 'file refused for good');
      await tell(
        `⚠️ I could not send “${file.fileName}” (${sizeText(found.size)}): WhatsApp does not take it.`,
      );
    }
  };

  return {
    async send({ route, encoded, replyTo, idempotencyKey }, { signal }): Promise<Receipt> {
      signal.throwIfAborted();
      const message = fromEncoded(encoded);
      if (message.content.length > TEXT_LIMIT_UNITS)
        throw refused(`a message of ${message.content.length} characters is longer than ${TEXT_LIMIT_UNITS}`);
      const id = idOf(idempotencyKey);
      const { file } = message;
      if (file === undefined) await post(route, message, { id, replyTo, limitMs: ACK_LIMIT_MS }, signal);
      else await postFile(route, { ...message, file }, { id, replyTo }, signal);
      recent.noteSentAt(id, clock.now());
      return { messages: [messageIdOf(id)], sentAt: clock.now() };
    },

    async edit({ route, message, encoded }, { signal }): Promise<Receipt> {
      signal.throwIfAborted();
      const { content, file } = fromEncoded(encoded);
      const { id } = splitMessageId(message);
      const sentAt = recent.sentAt(id);
      if (file !== undefined) throw gone('a text cannot become a file');
      if (sentAt === undefined || clock.now() - sentAt > EDITABLE_MS)
        throw gone('WhatsApp lets a message be changed for 15 minutes only');
      await call(signal, ACK_LIMIT_MS, async (socket, inner) => {
        const jid = await addressOf(route, socket);
        const edit = { remoteJid: jid, id, fromMe: true };
        const editId = idOf(`${id} ${content} ${clock.now()}`);
        sent.claim(editId);
        await socket.send(jid, { text: content, edit, linkPreview: null }, { id: editId }, inner);
      });
      return { messages: [message], sentAt: clock.now() };
    },

    async react({ route, message }, reaction, { signal }) {
      await call(signal, ACK_LIMIT_MS, async (socket, inner) => {
        const jid = await addressOf(route, socket);
        const { id, participant } = splitMessageId(message);
        const isOurs = await sent.isOurs(id);
        const key = {
          remoteJid: jid,
          id,
          fromMe: isOurs,
          ...(participant !== undefined &&
            !isOurs && { participant: recent.find(message)?.key.participant ?? participant }),
        };
        const text = reaction === undefined ? '' : emojis[reaction];
        const reactionId = idOf(`${id} ${text} ${clock.now()}`);
        sent.claim(reactionId);
        await socket.send(jid, { react: { text, key } }, { id: reactionId }, inner);
      });
    },

    async showTyping(route, { signal, activity }) {
      signal.throwIfAborted();
      // Not worth a connection of its own.
      const { socket } = connection;
      if (socket === undefined) return;
      try {
        const jid = await addressOf(route, socket);
        await socket.showTyping(jid, activity === 'recording' ? 'recording' : 'composing');
      } catch (error) {
        throw toPlatformError(error);
      }
    },
  };
};
