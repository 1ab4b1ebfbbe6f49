import { createHash } from 'node:crypto';
import { basename } from 'node:path';
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
import type { PageMedia } from '../../core/page-log.js';
import type { StoredFile } from '../../core/parts.js';

export const platformId = toPlatformId('web');
/** The page has one account: this gateway. */
export const account: AccountId = toAccountId('local');
/** Whoever may use the page is the owner: the person at this host, or one who knows the token. */
export const owner: UserId = toUserId('owner');

/** As {@link owner} is named beside people of other platforms. */
export const ownerName = `${platformId}:${owner}`;

const sessionShape = /^[A-Za-z0-9._-]{1,128}$/u;

export const sessionRule = 'A session id has 1 to 128 letters, digits, dots, dashes or underscores.';

/** Session ids are chosen by clients. Names of dots alone are refused: a URL cannot carry them. */
export const parseSession = (text: string): ChatId | undefined =>
  sessionShape.test(text) && !/^\.{1,2}$/u.test(text) ? toChatId(text) : undefined;

/** The media store's files are known by the last segment of their paths. */
export const toPageMedia = ({ path, fileName, mimeType }: StoredFile): PageMedia => ({
  id: basename(path),
  name: fileName,
  type: mimeType,
});

const clientKeyShape = /^[\x21-\x7e]{1,200}$/u;

/** The client's own name for a message, by which a resend is recognised. */
export const isClientKey = (text: string): boolean => clientKeyShape.test(text);

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27);

/** The same for every repeat of a send, and for no other. */
export const toSentMessageId = (session: ChatId, idempotencyKey: string): MessageId =>
  toMessageId(`a-${digest(session, idempotencyKey)}`);

export const toReceivedMessageId = (session: ChatId, clientKey: string): MessageId =>
  toMessageId(`u-${digest(session, clientKey)}`);

export const toDedupeKey = (session: ChatId, what: string): string =>
  JSON.stringify([platformId, account, session, what]);

/**
 * Where a client stands in a session's stream: it has every stored message up to `sequence`, and every live event of
 * the daemon life `boot` up to `number`. Both only grow, so one comparison each tells what is missing.
 */
export interface StreamPosition {
  readonly sequence: number;
  readonly boot: string;
  readonly number: number;
}

/** For positions that know stored messages only; no daemon life has this name. */
export const noBoot = '0';

export const formatPosition = ({ sequence, boot, number }: StreamPosition): string =>
  `${sequence}-${boot}-${number}`;

/** Undefined for anything that {@link formatPosition} does not make. */
export const parsePosition = (text: string): StreamPosition | undefined => {
  const [, sequence, boot, number] = /^(\d{1,15})-([0-9a-z]{1,32})-(\d{1,15})$/u.exec(text) ?? [];
  if (sequence === undefined || boot === undefined || number === undefined) return undefined;
  return { sequence: Number(sequence), boot, number: Number(number) };
};
