/**
 * From a message of the SDK to our event. Pure, and total: any message gives an event or undefined, never an exception.
 *
 * 1. Chats, senders and quotes are called by what `Identities` resolves them to, so that both ids of a person are one.
 * 2. Nobody is answered in public: status posts, channels and broadcast lists give nothing.
 * 3. What is from us gives nothing, but for what the owner writes to themselves in self-chat mode.
 */
import type { CorrelationId } from '../../core/ids.js';
import type { Addressed, InboundEdit, InboundMessage, QuotedMessage, Sender } from '../../core/inbound.js';
import type { InboundPart } from '../../core/parts.js';
import type { Origin } from '../../core/route.js';
import { type Fields, fieldsOf, listOf, nameOf, shorten } from '../kit/fields.js';
import { type Content, countOf, decodeContent } from './content.js';
import type { Identities } from './identities.js';
import {
  chatIdOf,
  digitsOf,
  isGroup,
  type Jid,
  linkedAccount,
  messageIdOf,
  nameOfJid,
  toPlainJid,
  userIdOf,
  whatsappId,
} from './ids.js';
import { kindsOf, unwrap } from './unwrap.js';

export interface DecodeContext {
  readonly identities: Identities;
  readonly isSelfChat: boolean;
  readonly correlation: CorrelationId;
  readonly receivedAt: number;
  /** A group's name, where it is known. */
  groupTitle(group: Jid): string | undefined;
  /** Told of content of a kind that nobody knows here, by its name. */
  unknown(kind: string): void;
}

/** `MESSAGE_EDIT` of a protocol message. */
const EDIT = 14;
const MAX_QUOTE_LENGTH = 1_000;
/** The client takes 65,536; what is longer than our own messages was cut by hand, if at all. */
const CONTINUES_FROM_UNITS = 65_000;

/** Says something about another message, or to the device: no content of its own, and no kind of ours. */
const silent: ReadonlySet<string> = new Set([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'secretEncryptedMessage',
  'albumMessage',
  'placeholderMessage',
  'stickerSyncRmrMessage',
  'encEventResponseMessage',
  'encCommentMessage',
]);

interface Place {
  readonly chat: Jid;
  readonly group?: Jid;
  readonly sender: Jid;
  readonly id: string;
  readonly isFromUs: boolean;
  /** As WhatsApp wants it back, in a quote or a reaction. */
  readonly key: { readonly remoteJid: string; readonly id: string; readonly participant?: string };
}

/** Where a message stands and who wrote it; undefined where nobody is to be answered. */
const placeOf = (message: Fields, { identities }: DecodeContext): Place | undefined => {
  const key = fieldsOf(message['key']) ?? {};
  const id = nameOf(key['id']);
  const chat = toPlainJid(key['remoteJid']);
  if (id === undefined || chat === undefined) return undefined;
  const isFromUs = key['fromMe'] === true;
  if (!isGroup(chat)) {
    const person = identities.resolve(chat);
    return { chat: person, sender: person, id, isFromUs, key: { remoteJid: chat, id } };
  }
  const participant = toPlainJid(key['participant']);
  if (participant === undefined) return undefined;
  const sender = identities.resolve(participant);
  return { chat, group: chat, sender, id, isFromUs, key: { remoteJid: chat, id, participant } };
};

const contextOf = (message: Fields): Fields => {
  for (const kind of kindsOf(message)) {
    const context = fieldsOf(fieldsOf(message[kind])?.['contextInfo']);
    if (context !== undefined) return context;
  }
  return {};
};

const mentionedIn = (context: Fields): readonly Jid[] =>
  listOf(context['mentionedJid'])
    .map(toPlainJid)
    .filter((jid) => jid !== undefined);

const decodeQuote = (quote: Fields, place: Place, identities: Identities): QuotedMessage | undefined => {
  const id = nameOf(quote['stanzaId']);
  if (id === undefined) return undefined;
  const author = toPlainJid(quote['participant']);
  const { text, parts } = decodeContent(unwrap(quote['quotedMessage']), place.key, (words) => words);
  const described = parts.map((part) => ('description' in part ? part.description : ''));
  const captions = parts.map((part) => (part.type === 'media' ? part.caption : undefined));
  const shown = [...described, ...captions, text].filter(Boolean).join('\n');
  const resolved = author === undefined ? undefined : identities.resolve(author);
  const isOurs = identities.isSelf(author);
  const participant = place.group === undefined || isOurs ? undefined : resolved;
  return {
    message: messageIdOf(id, participant),
    ...(shown !== '' && { text: shorten(shown, MAX_QUOTE_LENGTH) }),
    ...(resolved !== undefined && { senderName: identities.shownName(resolved) }),
  };
};

const decodeAddressed = (context: Fields, text: string, place: Place, identities: Identities): Addressed => {
  if (place.group === undefined) return 'direct';
  if (identities.isSelf(context['participant']) && nameOf(context['stanzaId']) !== undefined) return 'reply';
  const mentioned = mentionedIn(context);
  if (mentioned.some((jid) => identities.isSelf(jid))) return 'mention';
  return identities.isNamedIn(text) ? 'mention' : 'none';
};

const decodeSender = (message: Fields, { sender }: Place, identities: Identities): Sender => {
  const name = nameOf(message['pushName']) ?? nameOf(message['verifiedBizName']);
  if (name !== undefined) identities.learnName(sender, name);
  return { user: userIdOf(sender), displayName: name ?? identities.shownName(sender), isBot: false };
};

const originOf = (place: Place, sender: Sender, { groupTitle }: DecodeContext): Origin => {
  const title = place.group === undefined ? sender.displayName : groupTitle(place.group);
  return {
    platform: whatsappId,
    account: linkedAccount,
    chat: chatIdOf(place.chat),
    chatKind: place.group === undefined ? 'direct' : 'group',
    ...(title !== undefined && { chatTitle: title }),
  };
};

/** Seconds, as WhatsApp counts. */
export const sentAtOf = (message: Fields): number | undefined => {
  const seconds = countOf(message['messageTimestamp']);
  return seconds === undefined || seconds <= 0 ? undefined : seconds * 1000;
};

const partsOf = ({ text, parts }: Content): readonly InboundPart[] =>
  text.trim() === '' ? parts : [{ type: 'text', text }, ...parts];

const isOursToIgnore = (place: Place, { identities, isSelfChat }: DecodeContext): boolean => {
  if (place.isFromUs) return !(isSelfChat && place.group === undefined && identities.isSelf(place.chat));
  return identities.isSelf(place.sender) && !isSelfChat;
};

/** What a change of a message makes of it, and which one it changes. */
const editIn = (content: Fields): { readonly id: string; readonly content: Fields } | undefined => {
  const protocol = fieldsOf(content['protocolMessage']);
  const id = nameOf(fieldsOf(protocol?.['key'])?.['id']);
  if (protocol === undefined || countOf(protocol['type']) !== EDIT || id === undefined) return undefined;
  return { id, content: unwrap(protocol['editedMessage']) };
};

export const decodeMessage = (
  value: unknown,
  context: DecodeContext,
): InboundMessage | InboundEdit | undefined => {
  const message = fieldsOf(value) ?? {};
  const place = placeOf(message, context);
  if (place === undefined || isOursToIgnore(place, context)) return undefined;
  const { identities, correlation, receivedAt } = context;
  const outer = unwrap(message['message']);
  const edit = editIn(outer);
  const content = edit?.content ?? outer;
  const about = contextOf(content);
  const mentioned = mentionedIn(about);
  const decoded = decodeContent(content, place.key, (text) => identities.readable(text, mentioned));
  const parts = partsOf(decoded);
  if (parts.length === 0) {
    for (const kind of kindsOf(content)) if (!silent.has(kind)) context.unknown(kind);
    return undefined;
  }
  const sender = decodeSender(message, place, identities);
  const common = {
    correlation,
    origin: originOf(place, sender, context),
    sender,
    receivedAt,
    parts,
    addressed: decodeAddressed(about, decoded.text, place, identities),
  };
  const base = `${whatsappId}:${nameOfJid(place.chat)}:${digitsOf(place.sender)}`;
  const participant = place.group === undefined ? undefined : place.sender;
  if (edit !== undefined) {
    const dedupeKey = `${base}:${place.id}:edit`;
    return { ...common, type: 'edit', dedupeKey, message: messageIdOf(edit.id, participant) };
  }
  const replyTo = decodeQuote(about, place, identities);
  return {
    ...common,
    type: 'message',
    dedupeKey: `${base}:${place.id}`,
    message: messageIdOf(place.id, participant),
    sentAt: sentAtOf(message) ?? receivedAt,
    ...(replyTo !== undefined && { replyTo }),
    ...(about['isForwarded'] === true && { isForwarded: true }),
    ...(decoded.text.length >= CONTINUES_FROM_UNITS && { mayContinue: true }),
  };
};
