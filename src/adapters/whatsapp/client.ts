/** The only file that loads the SDK. */
import {
  type AnyMessageContent,
  type AuthenticationCreds,
  type AuthenticationState,
  BufferJSON,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  decodeMessageNode,
  downloadContentFromMessage,
  type GroupMetadata,
  initAuthCreds,
  type MediaType,
  makeWASocket,
  proto,
  type UserFacingSocketConfig,
  unpadRandomMax16,
  WA_CERT_DETAILS,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { Logger } from '../../core/logger.js';
import { fieldsOf, integerOf, listOf, textOf } from '../kit/fields.js';
import type { Held, HeldCodec } from './held.js';
import { quietSignal } from './quiet-console.js';
import type { Codec, SessionFiles } from './session-files.js';
import { isSignedBy } from './signatures.js';

// Before anything is encrypted: libsignal looks the console up when it prints.
quietSignal(globalThis.console);
Curve.verify = isSignedBy;

export type Creds = AuthenticationCreds;
export type { AnyMessageContent, GroupMetadata, MediaType, WAMessage, WAMessageKey };

export const codec: Codec<Creds> & HeldCodec = {
  toText: (value) => JSON.stringify(value, BufferJSON.replacer),
  fromText: (text) => JSON.parse(text, BufferJSON.reviver),
  toCreds: (value) => {
    const fields = fieldsOf(value);
    const isWhole =
      fieldsOf(fields?.['noiseKey']) !== undefined &&
      fieldsOf(fields?.['signedIdentityKey']) !== undefined &&
      fieldsOf(fields?.['me']) !== undefined;
    // What Baileys wrote itself, as far as its outer form tells.
    return isWhole ? (value as Creds) : undefined;
  },
  fromHeld: (value) => {
    const envelope = fieldsOf(fieldsOf(value)?.['envelope']);
    const contents = listOf(fieldsOf(value)?.['contents']).filter((one) => typeof one === 'string');
    const key = fieldsOf(envelope?.['key']);
    if (envelope === undefined || key === undefined || contents.length === 0) return undefined;
    const messages = contents.map((one) => openContent(Buffer.from(one, 'base64')));
    return { ...envelope, key, message: Object.assign({}, ...messages) };
  },
};

/** What was decrypted, without the copy for one's own devices around it. */
const openContent = (bytes: Uint8Array): proto.IMessage => {
  const message = proto.Message.decode(unpadRandomMax16(bytes));
  return message.deviceSentMessage?.message ?? message;
};

export const freshCreds = (): Creds => initAuthCreds();

/** Told in the order of the happenings; must not throw. */
export interface SocketListener {
  open(): void;
  /** A code to be scanned; the next takes its place. */
  qr(text: string): void;
  /** The phone has taken this device; a close with 515 follows. */
  linked(): void;
  /** `isHistory`: it had waited, or it is old. */
  messages(messages: readonly WAMessage[], isHistory: boolean): void;
  groupChanged(group: string): void;
}

export interface SocketOptions {
  readonly socketUrl: string;
  /** Base64; absent: WhatsApp's own. */
  readonly trustRoot?: string | undefined;
  readonly creds: Creds;
  readonly files: SessionFiles<Creds>;
  /** Absent: nothing is received. */
  readonly held?: Held;
  readonly logger: Logger;
  readonly listener: SocketListener;
  /** A message of ours that somebody could not decrypt and asks for again. */
  sent(id: string): Promise<Uint8Array | undefined>;
  group(id: string): Promise<GroupMetadata | undefined>;
}

/** Why a connection ended. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A message was refused, with WhatsApp's code for it. */
export class AckError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`WhatsApp refuses the message (${code})`);
    this.code = code;
  }
}

export interface WhatsAppSocket {
  readonly me: { readonly id: string; readonly lid?: string; readonly name?: string } | undefined;
  readonly closed: Promise<Closed>;
  /**
   * Resolves once WhatsApp has acknowledged the message, with what was sent, for a repeat. Rejects with an AckError, with
   * the signal's reason, or with what the SDK says.
   */
  send(
    jid: string,
    content: AnyMessageContent,
    options: { readonly id: string; readonly quoted?: WAMessage; readonly ephemeralSeconds?: number },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined>;
  showTyping(jid: string, activity: 'composing' | 'recording'): Promise<void>;
  markRead(keys: readonly WAMessageKey[]): Promise<void>;
  numberOfLid(lid: string): Promise<string | undefined>;
  lidOfNumber(jid: string): Promise<string | undefined>;
  groupInfo(jid: string): Promise<GroupMetadata>;
  /** Asks the phone that has the file to upload it once more; gives the message with the new address. */
  renewMedia(message: WAMessage): Promise<WAMessage>;
  requestPairingCode(digits: string): Promise<string>;
  end(): void;
}

const codeOf = (error: unknown): number => {
  const output = fieldsOf(fieldsOf(error)?.['output']);
  return integerOf(output?.['statusCode']) ?? 0;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Only the words: what stands beside them are stanzas, keys and people's messages. */
const toSdkLogger = (logger: Logger): NonNullable<UserFacingSocketConfig['logger']> => {
  const say = (subject: unknown, words?: string): void => {
    const error = fieldsOf(subject)?.['err'] ?? fieldsOf(subject)?.['error'];
    const text = words ?? textOf(subject);
    if (text !== undefined) logger.debug(error instanceof Error ? { reason: error.message } : {}, text);
  };
  const nothing = (): void => undefined;
  const own = { level: 'warn', trace: nothing, debug: nothing, info: nothing, warn: say, error: say };
  return { ...own, child: () => toSdkLogger(logger) };
};

const toAuth = ({ creds, files }: SocketOptions): AuthenticationState => ({
  creds,
  keys: {
    // What `set` was given under the same type comes out again.
    get: async (type, ids) => (await revived(type, await files.readKeys(type, ids))) as never,
    set: (keys) => files.writeKeys(keys),
  },
});

const revived = (type: string, values: Record<string, unknown>): Record<string, unknown> => {
  if (type !== 'app-state-sync-key') return values;
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => [
      id,
      proto.Message.AppStateSyncKeyData.fromObject(fieldsOf(value) ?? {}),
    ]),
  );
};

const CONNECT_LIMIT_MS = 20_000;

export const openSocket = (options: SocketOptions): WhatsAppSocket => {
  const { logger, creds, trustRoot } = options;
  if (trustRoot !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(trustRoot, 'base64');
  const stanzas: Stanzas = new WeakMap();
  const socket: WASocket = makeWASocket({
    waWebSocketUrl: options.socketUrl,
    auth: toAuth(options),
    logger: toSdkLogger(logger),
    browser: DEFAULT_CONNECTION_CONFIG.browser,
    connectTimeoutMs: CONNECT_LIMIT_MS,
    // The phone keeps ringing.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    generateHighQualityLinkPreview: false,
    shouldIgnoreJid: isPublic,
    getMessage: async ({ id }) => {
      const bytes = id == null ? undefined : await options.sent(id);
      return bytes === undefined ? undefined : proto.Message.decode(bytes);
    },
    cachedGroupMetadata: (jid) => options.group(jid),
    makeSignalRepository: (...parts) =>
      holding(DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...parts), options, stanzas),
  });
  socket.ws.on('frame', (frame: unknown) => noteStanza(frame, stanzas));
  const acks = new Map<string, (error: AckError | undefined) => void>();
  const closed = watch(socket, options, acks);
  return {
    get me() {
      const { me } = creds;
      if (me === undefined) return undefined;
      const { id, lid, name } = me;
      return { id, ...(lid !== undefined && { lid }), ...(name !== undefined && { name }) };
    },
    closed,
    send: (...request) => sendAcknowledged(socket, acks, ...request),
    showTyping: (jid, activity) => socket.sendPresenceUpdate(activity, jid),
    markRead: (keys) => socket.readMessages([...keys]),
    numberOfLid: async (lid) => (await socket.signalRepository.lidMapping.getPNForLID(lid)) ?? undefined,
    lidOfNumber: async (jid) => (await socket.signalRepository.lidMapping.getLIDForPN(jid)) ?? undefined,
    groupInfo: (jid) => socket.groupMetadata(jid),
    renewMedia: (message) => socket.updateMediaMessage(message),
    requestPairingCode: (digits) => socket.requestPairingCode(digits),
    end: () => {
      void socket.end(undefined);
    },
  };
};

/** The stanza that some encrypted bytes came in. */
type Stanzas = WeakMap<object, Stanza>;

interface Stanza {
  readonly attributes: Readonly<Record<string, string>>;
  /** What was decrypted of it so far, in base64. */
  readonly contents: string[];
}

const noteStanza = (frame: unknown, stanzas: Stanzas): void => {
  const node = fieldsOf(frame);
  const attributes = fieldsOf(node?.['attrs']);
  if (node?.['tag'] !== 'message' || attributes === undefined) return;
  // Attributes of a stanza are text.
  const stanza = { attributes: attributes as Readonly<Record<string, string>>, contents: [] };
  for (const child of listOf(node['content'])) {
    const bytes = fieldsOf(child)?.['content'];
    if (bytes instanceof Uint8Array) stanzas.set(bytes, stanza);
  }
};

/** A message is on the disk before the SDK tells anybody that it has arrived. */
const holding = (
  repository: ReturnType<typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository>,
  { held, creds }: SocketOptions,
  stanzas: Stanzas,
): typeof repository => {
  const hold = async (encrypted: Uint8Array, decrypted: Uint8Array): Promise<Uint8Array> => {
    const stanza = stanzas.get(encrypted);
    if (held === undefined || stanza === undefined) return decrypted;
    stanza.contents.push(Buffer.from(decrypted).toString('base64'));
    const node = { tag: 'message', attrs: { ...stanza.attributes } };
    const { fullMessage } = decodeMessageNode(node, creds.me?.id ?? '', creds.me?.lid ?? '');
    const { key, messageTimestamp, pushName } = fullMessage;
    // What one's own devices tell each other is no message.
    if (fullMessage.category === 'peer') return decrypted;
    await held.keep(
      { chat: key.remoteJid ?? '', participant: key.participant ?? undefined, id: key.id ?? '' },
      { envelope: { key, messageTimestamp, pushName }, contents: stanza.contents },
    );
    return decrypted;
  };
  return {
    ...repository,
    decryptMessage: async (sealed) => hold(sealed.ciphertext, await repository.decryptMessage(sealed)),
    decryptGroupMessage: async (sealed) => hold(sealed.msg, await repository.decryptGroupMessage(sealed)),
  };
};

/** Status posts, channels and broadcast lists: neither decrypted nor acknowledged as read. */
const isPublic = (jid: string): boolean => /@(?:broadcast|newsletter)$/u.test(jid);

const watch = (
  socket: WASocket,
  { listener, files, creds, logger }: SocketOptions,
  acks: Map<string, (error: AckError | undefined) => void>,
): Promise<Closed> => {
  socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
    acks.get(attrs['id'] ?? '')?.(
      attrs['error'] === undefined ? undefined : new AckError(Number(attrs['error'])),
    );
  });
  // Of a connection that is refused at the door the SDK says nothing.
  socket.ws.on('unexpected-response', (_: unknown, response: { statusCode?: number }) => {
    const error = Object.assign(new Error(`HTTP ${response.statusCode}`), {
      output: { statusCode: response.statusCode ?? 0 },
    });
    void socket.end(error);
  });
  return new Promise((resolve) => {
    socket.ev.process((events) => {
      if (events['creds.update'] !== undefined) {
        Object.assign(creds, events['creds.update']);
        if (creds.me !== undefined)
          files
            .saveCreds(creds)
            .catch((error: unknown) => logger.error({ error }, 'credentials could not be kept'));
      }
      const update = events['connection.update'];
      if (update?.qr !== undefined) listener.qr(update.qr);
      if (update?.isNewLogin === true) listener.linked();
      if (update?.connection === 'open') listener.open();
      const upsert = events['messages.upsert'];
      if (upsert !== undefined) listener.messages(upsert.messages, upsert.type === 'append');
      for (const { id } of events['groups.update'] ?? []) if (id !== undefined) listener.groupChanged(id);
      const members = events['group-participants.update'];
      if (members !== undefined) listener.groupChanged(members.id);
      if (update?.connection === 'close') {
        const error = update.lastDisconnect?.error;
        resolve({ code: codeOf(error), reason: error === undefined ? 'ended' : messageOf(error) });
      }
    });
  });
};

const sendAcknowledged = async (
  socket: WASocket,
  acks: Map<string, (error: AckError | undefined) => void>,
  jid: string,
  content: AnyMessageContent,
  { id, quoted, ephemeralSeconds }: Parameters<WhatsAppSocket['send']>[2],
  signal: AbortSignal,
): Promise<Uint8Array | undefined> => {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const acknowledged = new Promise<void>((resolve, reject) => {
    acks.set(id, (error) => (error === undefined ? resolve() : reject(error)));
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  // Read below, or superseded by what the SDK throws.
  acknowledged.catch(() => undefined);
  try {
    const sent = await socket.sendMessage(jid, content, {
      messageId: id,
      ...(quoted !== undefined && { quoted }),
      ...(ephemeralSeconds !== undefined && { ephemeralExpiration: ephemeralSeconds }),
    });
    await acknowledged;
    return sent?.message == null ? undefined : proto.Message.encode(sent.message).finish();
  } finally {
    acks.delete(id);
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
};

export interface MediaAddress {
  readonly kind: MediaType;
  readonly url: string | undefined;
  readonly directPath: string | undefined;
  readonly mediaKey: Uint8Array;
}

/** The decrypted bytes. Rejects with what the SDK says. */
export const downloadMedia = async (
  { kind, url, directPath, mediaKey }: MediaAddress,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> =>
  downloadContentFromMessage({ mediaKey, directPath: directPath ?? null, url: url ?? null }, kind, {
    options: { signal },
  });

/** The HTTP status, or Baileys' code, in an error of the SDK; 0 where there is none. */
export const statusOf = codeOf;
