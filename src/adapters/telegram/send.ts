/**
 * From encoded messages to calls to receipts. One try per call: whether to try again is the outbox's business, with
 * one exception that no other place could decide: formatting that Telegram refuses costs the formatting, not the text.
 */
import type { Clock } from '../../core/clock.js';
import { never, PlatformError } from '../../core/errors.js';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Receipt } from '../../core/outbound.js';
import type { EditingFacet, SendRequest, TypingFacet } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import { addressOf, replyOf } from './address.js';
import type { CallFailure, CallResult, TelegramClient } from './client.js';
import type { EditPace } from './edit-pace.js';
import { plainChunks } from './encode.js';
import { isFormattingRefused, isUnchanged, toPartialError, toPlatformError } from './errors.js';
import type { Forums } from './forums.js';
import { GENERAL_THREAD, messageIdOf, numberOf } from './ids.js';
import { fromEncoded, type TelegramMessage } from './payload.js';
import { createFileSender } from './send-files.js';

export interface SenderPorts {
  readonly client: TelegramClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Telegram's own server, whose limits are known. */
  readonly isPublic: boolean;
  readonly forums: Forums;
  readonly pace: EditPace;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

export interface Sender {
  send(request: SendRequest, options: CallOptions): Promise<Receipt>;
  readonly edit: EditingFacet['edit'];
  readonly showTyping: TypingFacet['show'];
}

/** No previews: an answer with a handful of links would carry a picture of an arbitrary one. */
const withoutPreview = { link_preview_options: { is_disabled: true } };

/** A text with the buttons beneath it. */
type ShownText = Pick<TelegramMessage, 'text' | 'entities' | 'keyboard'>;

/** Editing without a keyboard takes the buttons away. */
const bodyOf = ({ text, entities, keyboard }: ShownText) => ({
  text,
  ...(entities.length === 0 ? {} : { entities }),
  ...(keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } }),
  ...withoutPreview,
});

/** The same without formatting; the buttons stay beneath the last. */
const plainTexts = ({ keyboard, ...text }: ShownText): readonly ShownText[] =>
  plainChunks(text).map((chunk, index, all) => ({
    text: chunk,
    entities: [],
    ...(keyboard !== undefined && index === all.length - 1 && { keyboard }),
  }));

export const createSender = ({ client, clock, logger, isPublic, forums, pace }: SenderPorts): Sender => {
  const afterFailure = (failure: CallFailure, { chat }: Route): void => {
    if (failure.kind === 'unanswered') client.renew();
    else if (failure.code === 429) pace.slowDown(chat);
  };

  const post = async (
    route: Route,
    message: ShownText,
    replyTo: MessageId | undefined,
    signal: AbortSignal,
  ): Promise<CallResult<MessageId>> => {
    const payload = { ...addressOf(route), ...bodyOf(message), ...replyOf(replyTo) };
    const result = await client.call('sendMessage', payload, { signal });
    if (result.ok) return { ok: true, value: messageIdOf(result.value.message_id) };
    afterFailure(result.failure, route);
    return result;
  };

  const change = async (
    route: Route,
    message: MessageId,
    text: ShownText,
    signal: AbortSignal,
  ): Promise<CallResult<MessageId>> => {
    const payload = { chat_id: numberOf(route.chat), message_id: numberOf(message), ...bodyOf(text) };
    const result = await client.call('editMessageText', payload, { signal });
    if (result.ok || isUnchanged(result.failure)) return { ok: true, value: message };
    afterFailure(result.failure, route);
    return result;
  };

  /** `first` posts or edits; what a plain version needs beyond one message is posted behind it. */
  const deliver = async (
    route: Route,
    formatted: ShownText,
    first: (text: ShownText) => Promise<CallResult<MessageId>>,
    signal: AbortSignal,
  ): Promise<Receipt> => {
    const result = await first(formatted);
    if (result.ok) return { messages: [result.value], sentAt: clock.now() };
    if (formatted.entities.length === 0 || !isFormattingRefused(result.failure))
      throw toPlatformError(result.failure, route.chat);
    logger.warn(
      { chat: route.chat, error: toPlatformError(result.failure) },
      'formatting refused, sending plain text',
    );
    const messages: MessageId[] = [];
    for (const next of plainTexts(formatted)) {
      const sent = messages.length === 0 ? await first(next) : await post(route, next, undefined, signal);
      if (!sent.ok) {
        const error = toPlatformError(sent.failure, route.chat);
        throw messages.length === 0 ? error : toPartialError(error);
      }
      messages.push(sent.value);
    }
    return { messages, sentAt: clock.now() };
  };

  const sendFiles = createFileSender({
    client,
    logger,
    isPublic,
    postText: (text, { route, replyTo, signal }) => post(route, text, replyTo, signal),
  });

  /** A text cannot become a file: it goes, and the file is to be sent as a message of its own. */
  const clearAway = async (route: Route, message: MessageId, signal: AbortSignal): Promise<never> => {
    const payload = { chat_id: numberOf(route.chat), message_id: numberOf(message) };
    const result = await client.call('deleteMessage', payload, { signal });
    if (!result.ok && result.failure.kind === 'unanswered') {
      afterFailure(result.failure, route);
      throw toPlatformError(result.failure);
    }
    throw new PlatformError({
      code: 'message-gone',
      message: 'the message gave way to a file',
      retry: never,
      outcome: 'none',
    });
  };

  return {
    send: async ({ route, encoded, replyTo }, { signal }) => {
      const message = fromEncoded(encoded);
      if (message.files.length === 0)
        return deliver(route, message, (text) => post(route, text, replyTo, signal), signal);
      return { messages: await sendFiles(message, { route, replyTo, signal }), sentAt: clock.now() };
    },
    edit: async ({ route, encoded, message }, { signal }) => {
      const next = fromEncoded(encoded);
      if (next.files.length > 0) return clearAway(route, message, signal);
      return deliver(route, next, (text) => change(route, message, text, signal), signal);
    },
    async showTyping(route, { signal, activity }) {
      const isGeneral = route.thread === undefined && forums.has(route.chat);
      const general = isGeneral ? { message_thread_id: GENERAL_THREAD } : {};
      const result = await client.call(
        'sendChatAction',
        { ...addressOf(route), ...general, action: activity === 'recording' ? 'record_voice' : 'typing' },
        { signal },
      );
      if (!result.ok) throw toPlatformError(result.failure);
    },
  };
};
