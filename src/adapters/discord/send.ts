/** From an encoded message to calls and their receipt. */
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Clock } from '../../core/clock.js';
import { never, PlatformError } from '../../core/errors.js';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Receipt } from '../../core/outbound.js';
import type { EditingFacet, PlatformAdapter, SendRequest } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import { fieldsOf } from '../kit/fields.js';
import { sizeText } from '../kit/size-text.js';
import type { Calls } from './calls.js';
import type { Channels } from './channels.js';
import type { CallFailure, CallRequest, CallResult, DiscordClient } from './client.js';
import {
  CODE,
  isContentRefused,
  isRefusedWith,
  isTooLarge,
  toPartialError,
  toPlatformError,
} from './errors.js';
import { interactionOf, isSnowflake, messageIdOf } from './ids.js';
import type { AttachedFile, DiscordMessage } from './payload.js';
import { fromEncoded } from './payload.js';

interface SenderPorts {
  readonly client: DiscordClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly channels: Channels;
  readonly calls: Calls;
  /** Whether names of people in our texts notify them. */
  readonly mentionsUsers: boolean;
}

export interface Sender {
  readonly send: PlatformAdapter['send'];
  readonly edit: EditingFacet['edit'];
  showTyping(route: Route, options: { readonly signal: AbortSignal }): Promise<void>;
}

/** No preview pictures of links: an answer with several would carry an arbitrary one. */
const SUPPRESS_EMBEDS = 1 << 2;
/** A voice message, which has one file and nothing else. */
const IS_VOICE = 1 << 13;
const NONCE_LENGTH = 25;

type Blobs = NonNullable<CallRequest['files']>;

/** The same for the same saying, so that Discord answers a repeat with the message that is there already. */
const nonceOf = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, NONCE_LENGTH);

const idIn = (value: unknown): MessageId | undefined => {
  const id = fieldsOf(value)?.['id'];
  return isSnowflake(id) ? messageIdOf(id) : undefined;
};

const soundOf = (voice: DiscordMessage['voice']) =>
  voice === undefined ? {} : { duration_secs: voice.durationMs / 1000, waveform: voice.waveform };

interface Outgoing {
  readonly request: SendRequest;
  readonly content: string;
  readonly components?: DiscordMessage['components'];
  readonly voice?: DiscordMessage['voice'];
  readonly files: Blobs;
  /** Tells the messages of one request apart. */
  readonly part: number;
}

type Sent =
  | { readonly ok: true; readonly id: MessageId }
  | { readonly ok: false; readonly failure: CallFailure };

export const createSender = ({
  client,
  clock,
  logger,
  channels,
  calls,
  mentionsUsers,
}: SenderPorts): Sender => {
  const mentions = { parse: mentionsUsers ? ['users'] : [], replied_user: false };

  const bodyOf = ({
    request,
    content,
    components,
    voice,
    files,
    part,
  }: Outgoing): Record<string, unknown> => {
    const { replyTo, idempotencyKey } = request;
    const isWritten = replyTo !== undefined && interactionOf(replyTo) === undefined && part === 0;
    return {
      ...(voice === undefined && { content }),
      allowed_mentions: mentions,
      flags: voice === undefined ? SUPPRESS_EMBEDS : IS_VOICE,
      nonce: nonceOf(`${idempotencyKey}#${part}`),
      enforce_nonce: true,
      ...(isWritten && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
      ...(components !== undefined && { components }),
      ...(files.length > 0 && {
        attachments: files.map(({ name }, id) => ({ id, filename: name, ...soundOf(voice) })),
      }),
    };
  };

  /** For what is not posted in a channel: an edit, a forum's first message. */
  const bodyWithoutNonce = (outgoing: Outgoing): Record<string, unknown> => {
    const { nonce: _nonce, enforce_nonce: _enforced, ...body } = bodyOf(outgoing);
    return body;
  };

  const toSent = (result: CallResult, call: string): Sent => {
    if (!result.ok) return result;
    const id = idIn(result.value) ?? idIn(fieldsOf(result.value)?.['message']);
    return id === undefined
      ? {
          ok: false,
          failure: { kind: 'unanswered', call, reason: 'the answer names no message', wasSent: true },
        }
      : { ok: true, id };
  };

  const postIn = async (channel: string, outgoing: Outgoing, signal: AbortSignal): Promise<Sent> => {
    const path = `/channels/${channel}/messages` as const;
    const result = await client.call(
      { verb: 'POST', path, body: bodyOf(outgoing), files: outgoing.files },
      { signal },
    );
    return toSent(result, `POST ${path}`);
  };

  /** The first answer to a command fills its acknowledgement. Undefined: nothing waits for this one. */
  const answerCall = async (outgoing: Outgoing, signal: AbortSignal): Promise<Sent | undefined> => {
    const call = calls.find(outgoing.request.replyTo);
    if (call === undefined || call.isAnswered || outgoing.part > 0) return undefined;
    if (!(await call.isAcknowledged)) return undefined;
    const path = `/webhooks/${call.application}/${call.token}/messages/@original` as const;
    const result = await client.call(
      { verb: 'PATCH', path, body: bodyWithoutNonce(outgoing), files: outgoing.files, isOpen: true },
      { signal },
    );
    // An edit may be repeated: it shows one message however often it is made.
    if (result.ok || toPlatformError(result.failure).retry.kind !== 'never') {
      if (result.ok) call.isAnswered = true;
      return toSent(result, 'PATCH @original');
    }
    logger.info({ failure: result.failure }, 'a command is answered in the channel');
    calls.forget(call);
    return undefined;
  };

  const postInForum = async (outgoing: Outgoing, signal: AbortSignal): Promise<Sent> => {
    const { route } = outgoing.request;
    const body = bodyWithoutNonce(outgoing);
    return toSent(await channels.post(channels.of(route), body, outgoing.content, signal), 'POST thread');
  };

  const post = async (outgoing: Outgoing, signal: AbortSignal): Promise<Sent> => {
    const { route } = outgoing.request;
    const answered = await answerCall(outgoing, signal);
    if (answered !== undefined) return answered;
    if (channels.isForum(route)) return postInForum(outgoing, signal);
    const first = await postIn(channels.of(route), outgoing, signal);
    // Without a connection we know of no forum until it says so.
    if (!first.ok && isRefusedWith(first.failure, CODE.notText)) return postInForum(outgoing, signal);
    if (first.ok || !isRefusedWith(first.failure, CODE.unknownChannel)) return first;
    const opened = await channels.open(route, outgoing.content, signal);
    return opened === undefined ? first : postIn(opened, outgoing, signal);
  };

  /** Undefined for what is no voice message, and for one that Discord takes as a plain file only. */
  const postVoice = async (
    { voice }: DiscordMessage,
    files: Blobs,
    request: SendRequest,
    signal: AbortSignal,
  ): Promise<MessageId | undefined> => {
    if (voice === undefined || files.length !== 1) return undefined;
    const sent = await post({ request, content: '', voice, files, part: 0 }, signal);
    if (sent.ok) return sent.id;
    const { failure } = sent;
    // Some servers do not let everybody send them, which is said like any other missing permission.
    if (!isContentRefused(failure) && !isRefusedWith(failure, CODE.missingPermissions))
      throw toPlatformError(failure);
    logger.info({ failure }, 'voice message refused, sending a plain file');
    return undefined;
  };

  /** Files together; one that is too large alone, and then a line in its place. */
  const postFiles = async (
    message: DiscordMessage,
    request: SendRequest,
    signal: AbortSignal,
  ): Promise<readonly MessageId[]> => {
    const { blobs, missing } = await readFiles(message);
    const content = [message.content, ...missing].filter(Boolean).join('\n\n');
    const voiced = await postVoice(message, blobs, request, signal);
    if (voiced !== undefined) return [voiced];
    const { components } = message;
    const shown = components === undefined ? {} : { components };
    const whole = await post({ request, content, ...shown, files: blobs, part: 0 }, signal);
    if (whole.ok) return [whole.id];
    const isHopeless = blobs.length > 0 && (isTooLarge(whole.failure) || isContentRefused(whole.failure));
    if (!isHopeless) throw toPlatformError(whole.failure);
    logger.info({ failure: whole.failure, files: blobs.length }, 'files refused, trying one by one');
    return postEach(content, blobs, request, signal);
  };

  const postEach = async (
    content: string,
    blobs: Blobs,
    request: SendRequest,
    signal: AbortSignal,
  ): Promise<readonly MessageId[]> => {
    const ids: MessageId[] = [];
    let text = content;
    for (const [index, file] of blobs.entries()) {
      // One file alone was tried already.
      const sent =
        blobs.length === 1
          ? undefined
          : await post({ request, content: text, files: [file], part: index + 1 }, signal);
      if (sent?.ok === true) {
        ids.push(sent.id);
        text = '';
        continue;
      }
      if (sent !== undefined && !isTooLarge(sent.failure) && !isContentRefused(sent.failure))
        throw ids.length === 0
          ? toPlatformError(sent.failure)
          : toPartialError(toPlatformError(sent.failure));
      const notice = `⚠️ I could not send “${file.name}” (${sizeText(file.bytes.size)}): Discord does not take it here, most likely because of its size.`;
      text = text === '' ? notice : `${text}\n\n${notice}`;
    }
    if (text === '') return ids;
    const told = await post({ request, content: text, files: [], part: blobs.length + 1 }, signal);
    if (!told.ok)
      throw ids.length === 0 ? toPlatformError(told.failure) : toPartialError(toPlatformError(told.failure));
    return [...ids, told.id];
  };

  return {
    async send(request, { signal }): Promise<Receipt> {
      const messages = await postFiles(fromEncoded(request.encoded), request, signal);
      return { messages, sentAt: clock.now() };
    },
    async edit({ route, message, encoded }, { signal }) {
      const { content, components = [] } = fromEncoded(encoded);
      const result = await client.call(
        {
          verb: 'PATCH',
          path: `/channels/${channels.of(route)}/messages/${message}`,
          body: { content, components, allowed_mentions: mentions, flags: SUPPRESS_EMBEDS },
        },
        { signal },
      );
      if (result.ok) return { messages: [message], sentAt: clock.now() };
      // What stands in an archived thread can no longer be changed, but the thread takes new messages.
      if (isRefusedWith(result.failure, CODE.archivedThread)) {
        const reason = 'the message stands in an archived thread';
        throw new PlatformError({ code: 'message-gone', message: reason, retry: never, outcome: 'none' });
      }
      throw toPlatformError(result.failure);
    },
    async showTyping(route, { signal }) {
      const path = `/channels/${channels.of(route)}/typing` as const;
      const result = await client.call({ verb: 'POST', path }, { signal });
      // A thread that is opened with the answer is not there yet, which is no failure.
      if (!result.ok && !isRefusedWith(result.failure, CODE.unknownChannel))
        throw toPlatformError(result.failure);
    },
  };
};

const gone = ({ fileName }: Pick<AttachedFile, 'fileName'>): string =>
  `⚠️ I could not send “${fileName}”: the file is no longer there, or it is empty.`;

const readFiles = async (
  message: DiscordMessage,
): Promise<{ readonly blobs: Blobs; readonly missing: readonly string[] }> => {
  const blobs: { name: string; bytes: Blob }[] = [];
  const missing: string[] = [];
  for (const file of message.files) {
    const found = await stat(file.path).catch(() => undefined);
    const bytes =
      found?.isFile() === true && found.size > 0
        ? await openAsBlob(file.path, { type: file.mimeType }).catch(() => undefined)
        : undefined;
    if (bytes === undefined) missing.push(gone(file));
    else blobs.push({ name: file.fileName, bytes });
  }
  if (message.longText !== undefined) {
    const { fileName, text } = message.longText;
    blobs.push({ name: fileName, bytes: new Blob([text], { type: 'text/markdown' }) });
  }
  return { blobs, missing };
};
