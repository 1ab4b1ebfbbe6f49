/**
 * What the control endpoint takes and gives. People are named by their number, digits only; groups, channels and
 * broadcast lists by their whole id, as in `120363000000000001@g.us`. Message ids are WhatsApp's.
 */

export type Addressing = 'lid' | 'pn';

export interface PhoneSpec {
  readonly number: string;
  readonly name?: string;
  /** The hidden id, digits only. Default: one that is made from the number. */
  readonly lid?: string;
  /** Which id its messages carry first. Default `lid`, with the number beside it. */
  readonly addressing?: Addressing;
  /** Default `[0]`, the phone alone; others are computers linked to it. */
  readonly devices?: readonly number[];
}

export interface GroupSpec {
  readonly id: string;
  readonly subject?: string;
  /** Numbers. The bot is a member unless `withoutBot`. */
  readonly members: readonly string[];
  readonly admins?: readonly string[];
  readonly withoutBot?: boolean;
  readonly addressing?: Addressing;
  /** Messages disappear after this. Default: never. */
  readonly ephemeralSeconds?: number;
}

export interface WorldSpec {
  /** The account that the bot is linked to. */
  readonly account?: {
    readonly number?: string;
    readonly lid?: string;
    readonly name?: string;
    /** Device number of the first one that is linked; the next gets the next. Default 7. */
    readonly device?: number;
  };
  readonly phones?: readonly PhoneSpec[];
  readonly groups?: readonly GroupSpec[];
  /** `forged`: the chain is not signed by the root that is to be trusted. Default `valid`. */
  readonly certificate?: 'valid' | 'forged';
  /** How many QR codes a client gets before it must connect anew. Default 6. */
  readonly qrRefs?: number;
  /** Largest upload. Default 100 MiB. */
  readonly maxUploadBytes?: number;
  /** Media come with an https address and a path, as the real ones, not with a plain http address. Default false. */
  readonly mediaOverTls?: boolean;
  /** False: nobody sends a message again that the bot could not decrypt. */
  readonly answersRetries?: boolean;
  /** False: nobody tells that a message has come or been read. */
  readonly deliveryReceipts?: boolean;
  /** True: a device that is not known here is taken as linked, as after a restart of the emulator. */
  readonly anyDevice?: boolean;
}

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'image' | 'video'; readonly caption?: string } & MediaSpec)
  | ({ readonly kind: 'audio' | 'voice'; readonly seconds?: number } & MediaSpec)
  | ({ readonly kind: 'document'; readonly name: string; readonly caption?: string } & MediaSpec)
  | ({ readonly kind: 'sticker' } & MediaSpec)
  | {
      readonly kind: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
    }
  | { readonly kind: 'contact'; readonly name: string; readonly vcard: string }
  /** An empty emoji takes the reaction back. */
  | { readonly kind: 'reaction'; readonly messageId: string; readonly emoji: string }
  | { readonly kind: 'edit'; readonly messageId: string; readonly text: string }
  | { readonly kind: 'delete'; readonly messageId: string }
  | { readonly kind: 'poll'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'vote'; readonly messageId: string; readonly options: readonly string[] }
  /** A `proto.Message` as an object; bytes as base64. */
  | { readonly kind: 'raw'; readonly message: Readonly<Record<string, unknown>> };

export interface MediaSpec {
  readonly contentBase64: string;
  readonly mimetype?: string;
  /** What the message says of its size. Default: the truth. */
  readonly declaredBytes?: number;
  /** What a download is answered with. Default 200. */
  readonly status?: number;
  /** The phone has the file still and uploads it anew when it is asked to. Default false. */
  readonly kept?: boolean;
  /** The bytes that come are not those that were sent. */
  readonly spoiled?: boolean;
}

/** What a message is put into, the first outermost. `unknown` is a wrapper that no client knows. */
export type Wrapper =
  | 'ephemeral'
  | 'view-once'
  | 'view-once-v2'
  | 'view-once-v2-extension'
  | 'document-with-caption'
  | 'edited'
  | 'unknown';

export interface SendOptions {
  /**
   * Where to. Default: the private chat with the bot. Else a group, `status@broadcast`, a broadcast list, a channel; the
   * account's own phone also writes to a number, its own for the chat with itself.
   */
  readonly chat?: string;
  readonly id?: string;
  /** Epoch ms. Default: now. */
  readonly sentAt?: number;
  readonly quote?: string;
  /** Numbers, or ids as they shall stand in the message. */
  readonly mentions?: readonly string[];
  readonly wrap?: readonly Wrapper[];
  /** Which of the sender's devices. Default 0. */
  readonly device?: number;
  readonly addressing?: Addressing;
  /** The chat's messages disappear after this, says the message. */
  readonly ephemeralSeconds?: number;
  /** Marked as one that had waited, which a client takes as history (`append`). */
  readonly append?: boolean;
  /** Spoiled on its way: it does not decrypt. */
  readonly corrupt?: boolean;
  /** Without its content, which linked devices do not get: they may ask the account's phone for it. */
  readonly unavailable?: 'view_once' | 'hosted_unavailable_fanout';
  /** The same stanza comes twice. */
  readonly twice?: boolean;
  /** A new Signal session is begun for it. */
  readonly freshSession?: boolean;
}

export type MessageKind =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'voice'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contact'
  | 'poll'
  | 'vote'
  | 'reaction'
  | 'edit'
  | 'delete'
  | 'peer'
  | 'other';

export interface SeenMedia {
  readonly mimetype: string;
  readonly name?: string;
  readonly seconds?: number;
  readonly bytes: number;
  /** What was uploaded, decrypted; absent when it is not there or does not match its hashes. */
  readonly contentBase64?: string;
}

/** A message as the people in the chat see it, whoever wrote it. */
export interface SeenMessage {
  readonly id: string;
  /** A number for a private chat, else the whole id. */
  readonly chat: string;
  /** `bot`, or a number. */
  readonly from: string;
  readonly kind: MessageKind;
  /** Text or caption; what a poll asks; what an edit makes of its message. */
  readonly text: string;
  readonly quotedId?: string;
  /** Numbers where they are known, else ids. */
  readonly mentions: readonly string[];
  readonly options?: readonly string[];
  readonly media?: SeenMedia;
  /** Of a reaction, an edit, a deletion, a vote. */
  readonly targetId?: string;
  readonly emoji?: string;
  readonly ephemeralSeconds?: number;
  /** As WhatsApp's protobuf has it, in JSON. */
  readonly message: unknown;
  /** Numbers of those whose phones decrypted it. */
  readonly receivedBy: readonly string[];
  /** How often it was sent: more than once after a request to send it again, or when it was doubled. */
  readonly times: number;
  readonly edits: number;
  readonly deleted: boolean;
  /** Emoji by who reacted. */
  readonly reactions: Readonly<Record<string, string>>;
}

export interface SeenReceipt {
  /** Empty: delivered. */
  readonly type: string;
  readonly chat: string;
  readonly ids: readonly string[];
}

/** A stanza of the client, or an upload or download. */
export interface CallRecord {
  readonly id: number;
  /**
   * As in `iq set w:m media_conn`, `message 15550100001 text`, `receipt read 15550100001`, `chatstate composing …`,
   * `POST /mms/image`, `GET /v`.
   */
  readonly call: string;
  readonly text: string;
  readonly receivedAt: number;
  applied: boolean;
}

export type FaultAction =
  /** An error: in an answer or an acknowledgement, or as the status of an HTTP response. Never carried out. */
  | { readonly kind: 'answer'; readonly code: number; readonly text?: string }
  /** The connection is cut, after or before the call is carried out. */
  | { readonly kind: 'cut'; readonly applied: boolean }
  /** Not answered until it is released; carried out at once or never. */
  | { readonly kind: 'hold'; readonly applied: boolean }
  /** Carried out or not, never answered. */
  | { readonly kind: 'silence'; readonly applied: boolean }
  | { readonly kind: 'stream-error'; readonly code: number; readonly applied: boolean };

export interface FaultSpec {
  /** A regular expression for `CallRecord.call`. */
  readonly call: string;
  /** In the text of a message. */
  readonly contains?: string;
  readonly nth?: number;
  readonly times?: number | 'always';
  readonly action: FaultAction;
}

/** How a connection ends: WhatsApp's way of saying it, and the code that Baileys makes of it. */
export type Ending =
  /** 515 */
  | 'restart'
  /** 440 */
  | 'conflict'
  /** 401, and the device is no longer linked */
  | 'revoked'
  /** 503 */
  | 'unavailable'
  /** 428, said */
  | 'end'
  /** 428, unsaid: the connection is cut */
  | 'cut';

export type WaitCondition =
  | { readonly kind: 'ready' }
  /** A client shows a QR code or waits for a pairing code. */
  | { readonly kind: 'pairing' }
  | { readonly kind: 'logins'; readonly count: number }
  | {
      readonly kind: 'message';
      readonly chat: string;
      readonly contains?: string;
      readonly equals?: string;
    }
  | { readonly kind: 'bot-messages'; readonly chat: string; readonly count: number }
  | { readonly kind: 'calls'; readonly call: string; readonly count: number }
  | { readonly kind: 'chat-changed'; readonly chat: string; readonly after: number }
  | { readonly kind: 'sent-changed'; readonly after: number }
  /** Nothing waits to be acknowledged by the client. */
  | { readonly kind: 'delivered' }
  | { readonly kind: 'held'; readonly count: number };

export interface WorldState {
  readonly account: { readonly number: string; readonly lid: string };
  /** For `platforms.whatsapp.trust_root`. */
  readonly trustRoot: string;
  /** PEM of the certificate behind https addresses of media. */
  readonly mediaCertificate: string;
  readonly linkedDevices: readonly number[];
  readonly connections: number;
  readonly logins: number;
  readonly preKeys: number;
  /** Stanzas that the client has not acknowledged. */
  readonly waiting: number;
  /** Messages of the bot that a phone could not decrypt. */
  readonly undecryptable: number;
  /** What the client said that the emulator does not know or could not take. */
  readonly complaints: readonly string[];
}

/** In the form of Baileys' own files: `JSON.parse(JSON.stringify(…), BufferJSON.reviver)` makes keys of them. */
export interface Credentials {
  readonly creds: unknown;
  /** By id. */
  readonly preKeys: unknown;
}
