/**
 * Files on their way out. What one form of sending is refused for, the next may pass: an album piece by piece, a photo,
 * video or voice message as a file. What passes in none is named in a notice: the words beside it are never lost.
 */
import { stat } from 'node:fs/promises';
import type { MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import { sizeText } from '../kit/size-text.js';
import type { CallFailure, CallResult, TelegramClient } from './client.js';
import { plainChunks, type TelegramText } from './encode.js';
import { CAPTION_LIMIT_UNITS } from './encode-parts.js';
import {
  isContentRefused,
  isFormattingRefused,
  isTooLarge,
  isVoiceForbidden,
  toPartialError,
  toPlatformError,
} from './errors.js';
import type { ShownKind } from './media-kind.js';
import type { ShownFile, TelegramMessage } from './payload.js';
import { type UploadRequest, uploadAlbum, uploadOne } from './upload.js';

export type FileRequest = Omit<UploadRequest, 'caption'>;

interface FileSenderPorts {
  readonly client: TelegramClient;
  readonly logger: Logger;
  /** Telegram's own server, whose limit is known. */
  readonly isPublic: boolean;
  postText(text: TelegramText, request: FileRequest): Promise<CallResult<MessageId>>;
}

/** Sends the files with their text; gives every message that came of it. Rejects with a PlatformError. */
export type FileSender = (message: TelegramMessage, request: FileRequest) => Promise<readonly MessageId[]>;

type Sent = CallResult<readonly MessageId[]>;

const noText: TelegramText = { text: '', entities: [] };

/** What to try after a form was refused; a document is the last. */
const simpler: Readonly<Record<ShownKind, ShownKind | undefined>> = {
  photo: 'document',
  video: 'document',
  animation: 'document',
  voice: 'audio',
  audio: 'document',
  document: undefined,
};

const nextForm = ({ kind }: ShownFile, failure: CallFailure): ShownKind | undefined => {
  // The limit for photos is below that for files; every other limit is the same in every form.
  if (isTooLarge(failure) && kind !== 'photo') return undefined;
  if (isVoiceForbidden(failure)) return kind === 'voice' ? 'audio' : 'document';
  return isContentRefused(failure) ? simpler[kind] : undefined;
};

const append = ({ text, entities }: TelegramText, notice: string): TelegramText => ({
  text: text === '' ? notice : `${text}\n\n${notice}`,
  entities,
});

const nameOf = ({ fileName, sizeBytes }: ShownFile): string => `“${fileName}” (${sizeText(sizeBytes)})`;

export const createFileSender = ({ client, logger, isPublic, postText }: FileSenderPorts): FileSender => {
  const noticeOf = (file: ShownFile, failure: CallFailure): string => {
    const why = isTooLarge(failure)
      ? isPublic
        ? 'Telegram takes files of at most 50 MB from bots'
        : 'it is over the limit of the Telegram server I use (50 MB unless it is a local one)'
      : `Telegram refuses it (${failure.kind === 'refused' ? failure.description : failure.reason})`;
    return `⚠️ I could not send ${nameOf(file)}: ${why}.`;
  };

  const post = async (text: TelegramText, request: FileRequest): Promise<Sent> => {
    const sent = await postText(text, request);
    return sent.ok ? { ok: true, value: [sent.value] } : sent;
  };

  /** With plain text beneath once Telegram has refused the formatting; what then does not fit follows. */
  const captioned = async (
    caption: TelegramText,
    request: FileRequest,
    upload: (request: UploadRequest) => Promise<Sent>,
  ): Promise<Sent> => {
    const first = await upload({ ...request, caption });
    if (first.ok || caption.entities.length === 0 || !isFormattingRefused(first.failure)) return first;
    const [plain = '', ...rest] = plainChunks(caption, CAPTION_LIMIT_UNITS);
    const sent = await upload({ ...request, caption: { text: plain, entities: [] } });
    if (!sent.ok) return sent;
    const messages = [...sent.value];
    for (const text of rest) {
      const followed = await post({ text, entities: [] }, { ...request, replyTo: undefined });
      if (!followed.ok) throw toPartialError(toPlatformError(followed.failure));
      messages.push(...followed.value);
    }
    return { ok: true, value: messages };
  };

  const sendOne = async (file: ShownFile, caption: TelegramText, request: FileRequest): Promise<Sent> => {
    const result = await captioned(caption, request, (upload) => uploadOne(client, file, upload));
    if (result.ok) return result;
    const { failure } = result;
    const kind = nextForm(file, failure);
    const { route } = request;
    if (kind !== undefined) {
      logger.info(
        { chat: route.chat, from: file.kind, to: kind, failure },
        'file refused, trying another form',
      );
      return sendOne({ ...file, kind }, caption, request);
    }
    if (!isTooLarge(failure) && !isContentRefused(failure)) return result;
    logger.warn({ chat: route.chat, sizeBytes: file.sizeBytes, failure }, 'file refused for good');
    return post(append(caption, noticeOf(file, failure)), request);
  };

  const sendEach = async (
    files: readonly ShownFile[],
    caption: TelegramText,
    request: FileRequest,
  ): Promise<Sent> => {
    const messages: MessageId[] = [];
    for (const [index, file] of files.entries()) {
      const isFirst = index === 0;
      const sent = await sendOne(file, isFirst ? caption : noText, {
        ...request,
        replyTo: isFirst ? request.replyTo : undefined,
      });
      if (!sent.ok) {
        if (isFirst) return sent;
        throw toPartialError(toPlatformError(sent.failure));
      }
      messages.push(...sent.value);
    }
    return { ok: true, value: messages };
  };

  const sendAll = async (
    files: readonly ShownFile[],
    caption: TelegramText,
    request: FileRequest,
  ): Promise<Sent> => {
    if (files.length === 0) return post(caption, request);
    if (files.length === 1) return sendEach(files, caption, request);
    const result = await captioned(caption, request, (upload) => uploadAlbum(client, files, upload));
    const isHopeless = !result.ok && (isContentRefused(result.failure) || isTooLarge(result.failure));
    return isHopeless ? sendEach(files, caption, request) : result;
  };

  return async ({ text, entities, files }, request) => {
    const present: ShownFile[] = [];
    let caption: TelegramText = { text, entities };
    let trouble: string[] = [];
    for (const file of files) {
      const found = await stat(file.path).catch(() => undefined);
      if (found?.isFile() !== true) trouble.push(`“${file.fileName}”: the file is no longer there`);
      else if (found.size === 0) trouble.push(`“${file.fileName}”: the file is empty`);
      else present.push({ ...file, sizeBytes: found.size });
    }
    const notices = trouble.map((what) => `⚠️ I could not send ${what}.`).join('\n');
    if (present.length === 0) {
      caption = append(caption, notices);
      trouble = [];
    }
    const sent = await sendAll(present, caption, request);
    if (!sent.ok) throw toPlatformError(sent.failure, request.route.chat);
    if (trouble.length === 0) return sent.value;
    const told = await post({ text: notices, entities: [] }, { ...request, replyTo: undefined });
    if (!told.ok) throw toPartialError(toPlatformError(told.failure));
    return [...sent.value, ...told.value];
  };
};
