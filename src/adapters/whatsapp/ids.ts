/**
 * The only place that makes and reads WhatsApp's ids. A person has two: a phone number and a hidden id (LID), each with
 * one device or more. Ours name the person: `+15550100001` where the number is known, else `900100200300@lid`. A group is
 * its own id, `120363…@g.us`. No id of ours names a device.
 */
import {
  type AccountId,
  type ChatId,
  type MessageId,
  toAccountId,
  toChatId,
  toMessageId,
  toPlatformId,
  toUserId,
  type UserId,
} from '../../core/ids.js';

export const whatsappId = toPlatformId('whatsapp');

/** A home is linked to one account, whose number is known only once it is linked, and may change with the next link. */
export const linkedAccount: AccountId = toAccountId('linked');

/** WhatsApp's own form, without a device: `15550100001@s.whatsapp.net`, `900100200300@lid`, `120363…@g.us`. */
export type Jid = string;

const forms = /^(\d{3,20})(?:_\d+)?(?::\d+)?@(s\.whatsapp\.net|c\.us|hosted|lid|hosted\.lid)$/u;
const groupForm = /^\d{5,25}(?:-\d{5,15})?@g\.us$/u;
const servers: Readonly<Record<string, string>> = {
  'c.us': 's.whatsapp.net',
  hosted: 's.whatsapp.net',
  'hosted.lid': 'lid',
};

/** Without device, in one spelling; undefined for what is neither person nor group (status, channels, broadcast lists). */
export const toPlainJid = (value: unknown): Jid | undefined => {
  if (typeof value !== 'string') return undefined;
  if (groupForm.test(value)) return value;
  const [, user, server = ''] = forms.exec(value) ?? [];
  return user === undefined ? undefined : `${user}@${servers[server] ?? server}`;
};

export const isLid = (jid: Jid): boolean => jid.endsWith('@lid');
export const isNumber = (jid: Jid): boolean => jid.endsWith('@s.whatsapp.net');
export const isGroup = (jid: Jid): boolean => jid.endsWith('@g.us');

/** The digits in front of the `@`. */
export const digitsOf = (jid: Jid): string => jid.slice(0, jid.indexOf('@'));

/** How we call whoever has this plain id. */
export const nameOfJid = (jid: Jid): string => (isNumber(jid) ? `+${digitsOf(jid)}` : jid);

/** Back to WhatsApp's form. */
export const jidOf = (id: ChatId | UserId | string): Jid =>
  id.startsWith('+') ? `${id.slice(1)}@s.whatsapp.net` : id;

export const chatIdOf = (jid: Jid): ChatId => toChatId(nameOfJid(jid));
export const userIdOf = (jid: Jid): UserId => toUserId(nameOfJid(jid));

/** In a group a message is quoted and reacted to by its id and its sender. */
export const messageIdOf = (id: string, participant?: Jid): MessageId =>
  toMessageId(participant === undefined ? id : `${id}/${participant}`);

export const splitMessageId = (message: MessageId): { readonly id: string; readonly participant?: Jid } => {
  const at = message.indexOf('/');
  return at < 0 ? { id: message } : { id: message.slice(0, at), participant: message.slice(at + 1) };
};

const typedNumber = /^\+?[\d\s().-]{1,30}$/u;

/**
 * What people write for a person or a group, in our form: `+1 555 0100001`, `15550100001`, any id of WhatsApp's.
 * Undefined for anything else.
 */
export const parseId = (text: string): string | undefined => {
  const trimmed = text.trim();
  const jid = toPlainJid(trimmed);
  if (jid !== undefined) return nameOfJid(jid);
  if (!typedNumber.test(trimmed)) return undefined;
  const digits = trimmed.replace(/\D/gu, '');
  return digits.length === 0 || digits.length > 20 ? undefined : `+${digits}`;
};

export const parseAddress = (name: string): { readonly chat: ChatId } | undefined => {
  const id = parseId(name);
  return id === undefined ? undefined : { chat: toChatId(id) };
};
