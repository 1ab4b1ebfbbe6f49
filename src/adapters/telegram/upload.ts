/** One call that uploads files. */
import type { MessageId } from '../../core/ids.js';
import type { Route } from '../../core/route.js';
import { addressOf, replyOf } from './address.js';
import { type CallLimits, type CallResult, type TelegramClient, uploadOf } from './client.js';
import type { TelegramText } from './encode.js';
import { messageIdOf } from './ids.js';
import type { ShownFile } from './payload.js';

export interface UploadRequest {
  readonly route: Route;
  readonly caption: TelegramText;
  readonly replyTo: MessageId | undefined;
  readonly signal: AbortSignal;
}

/** What an answer may take beside the upload itself. */
const ANSWER_LIMIT_MS = 60_000;
/** Slower than 32 KB a second counts as no connection. */
const SLOWEST_BYTES_PER_MS = 32;

const limitsOf = (files: readonly ShownFile[], signal: AbortSignal): CallLimits => {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { signal, limitMs: ANSWER_LIMIT_MS + Math.ceil(sizeBytes / SLOWEST_BYTES_PER_MS) };
};

const captionOf = ({ text, entities }: TelegramText) => ({
  ...(text === '' ? {} : { caption: text }),
  ...(entities.length === 0 ? {} : { caption_entities: entities }),
});

const durationOf = ({ seconds }: ShownFile) => (seconds === undefined ? {} : { duration: seconds });

const callFor = (client: TelegramClient, file: ShownFile, request: UploadRequest) => {
  const { route, caption, replyTo, signal } = request;
  const common = { ...addressOf(route), ...captionOf(caption), ...replyOf(replyTo) };
  const limits = limitsOf([file], signal);
  const upload = uploadOf(file.path, file.fileName);
  const duration = durationOf(file);
  switch (file.kind) {
    case 'photo':
      return client.call('sendPhoto', { ...common, photo: upload }, limits);
    case 'video':
      return client.call(
        'sendVideo',
        { ...common, ...duration, video: upload, supports_streaming: true },
        limits,
      );
    case 'animation':
      return client.call('sendAnimation', { ...common, ...duration, animation: upload }, limits);
    case 'audio':
      return client.call('sendAudio', { ...common, ...duration, audio: upload }, limits);
    case 'voice':
      return client.call('sendVoice', { ...common, ...duration, voice: upload }, limits);
    case 'document':
      // Left to itself the server would turn a picture that is meant as a file into a shown one.
      return client.call(
        'sendDocument',
        { ...common, document: upload, disable_content_type_detection: true },
        limits,
      );
    default:
      return file.kind satisfies never;
  }
};

export const uploadOne = async (
  client: TelegramClient,
  file: ShownFile,
  request: UploadRequest,
): Promise<CallResult<readonly MessageId[]>> => {
  const result = await callFor(client, file, request);
  return result.ok ? { ok: true, value: [messageIdOf(result.value.message_id)] } : result;
};

/** Files of one album sort; what is written beneath the first is shown beneath the album. */
export const uploadAlbum = async (
  client: TelegramClient,
  files: readonly ShownFile[],
  request: UploadRequest,
): Promise<CallResult<readonly MessageId[]>> => {
  const { route, caption, replyTo, signal } = request;
  const media = files.map((file, index) => {
    const common = { media: uploadOf(file.path, file.fileName), ...(index === 0 ? captionOf(caption) : {}) };
    switch (file.kind) {
      case 'photo':
        return { type: 'photo' as const, ...common };
      case 'video':
        return { type: 'video' as const, ...common, ...durationOf(file), supports_streaming: true };
      case 'audio':
        return { type: 'audio' as const, ...common, ...durationOf(file) };
      default:
        return { type: 'document' as const, ...common, disable_content_type_detection: true };
    }
  });
  // The SDK's type wants albums of one sort spelled out one by one; `encode` has seen to it that they are.
  const payload = { ...addressOf(route), ...replyOf(replyTo), media: media as never };
  const result = await client.call('sendMediaGroup', payload, limitsOf(files, signal));
  return result.ok
    ? { ok: true, value: result.value.map(({ message_id }) => messageIdOf(message_id)) }
    : result;
};
