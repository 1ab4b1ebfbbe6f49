/** Messages that carry a file: an upload, a known file id, or an HTTP address (which is believed, never fetched). */
import { ApiError, badRequest } from '../api-error.js';
import { messageJson } from '../message-json.js';
import {
  integerParameter,
  listParameter,
  objectParameter,
  type Parameters,
  textParameter,
} from '../parameters.js';
import type { StoredFile } from '../world.js';
import { addBotMessage, type Method, type MethodCall, openChat } from './method.js';
import { parseReplyMarkup } from './reply-markup.js';
import { readCaption } from './text-messages.js';

const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

type Kind = 'photo' | 'document' | 'audio' | 'voice' | 'video' | 'animation' | 'video_note' | 'sticker';

const FOLDERS: Readonly<Record<Kind, string>> = {
  photo: 'photos',
  document: 'documents',
  audio: 'music',
  voice: 'voice',
  video: 'videos',
  animation: 'animations',
  video_note: 'video_notes',
  sticker: 'stickers',
};

export function sendFile(kind: Kind): Method {
  return (call) => {
    const { world, params, warn } = call;
    const caption = readCaption(params, warn);
    const markup = parseReplyMarkup(params);
    const file = takeFile(call, kind, params[kind]);
    const place = openChat(call);
    const fields = mediaFields(kind, file, params);
    return messageJson(world, addBotMessage(world, place, { ...caption, markup, media: kind, fields }));
  };
}

export function sendMediaGroup(call: MethodCall): unknown {
  const { world, params, warn } = call;
  const items = listParameter(params, 'media');
  if (items === undefined || items.length < 2 || items.length > 10) {
    throw badRequest('group send failed: the album must have from 2 to 10 items');
  }
  const bodies = items.map((item) => {
    const fields = objectParameter({ item }, 'item') ?? {};
    const kind = albumKind(textParameter(fields, 'type'));
    const caption = readCaption(fields, warn);
    return {
      ...caption,
      markup: undefined,
      media: kind,
      fields: mediaFields(kind, takeFile(call, kind, fields['media']), fields),
    };
  });
  const place = openChat(call);
  const groupId = String(13_000_000_000_000_000 + place.chat.lastMessageId);
  return bodies.map((body) => {
    const fields = { ...body.fields, media_group_id: groupId };
    return messageJson(world, addBotMessage(world, place, { ...body, fields }));
  });
}

function albumKind(type: string | undefined): Kind {
  if (type === 'photo' || type === 'video' || type === 'document' || type === 'audio') return type;
  throw badRequest("can't parse InputMedia: Unsupported type specified");
}

function takeFile({ world, files }: MethodCall, kind: Kind, given: unknown): StoredFile {
  const name =
    typeof given === 'string' && given.startsWith('attach://') ? given.slice('attach://'.length) : kind;
  const upload = files.get(name);
  if (upload !== undefined) {
    checkSize(kind, upload.bytes.length);
    return world.addFile({ ...upload, folder: FOLDERS[kind] });
  }
  if (typeof given !== 'string' || given === '')
    throw badRequest(`there is no ${kind.replace('_', ' ')} in the request`);
  const known = world.files.get(given);
  if (known !== undefined) return known;
  if (/^https?:\/\/[^/]*\./.test(given)) return world.addFile({ folder: FOLDERS[kind] });
  throw badRequest('wrong file identifier/HTTP URL specified');
}

function checkSize(kind: Kind, sizeBytes: number): void {
  if (sizeBytes === 0) throw badRequest('file must be non-empty');
  if (sizeBytes > MAX_UPLOAD_BYTES) throw new ApiError(413, 'Request Entity Too Large');
  if (kind === 'photo' && sizeBytes > MAX_PHOTO_BYTES) {
    throw badRequest(
      `file of size ${sizeBytes} bytes is too big for a photo; the maximum size is ${MAX_PHOTO_BYTES} bytes`,
    );
  }
}

function mediaFields(kind: Kind, file: StoredFile, params: Parameters): Readonly<Record<string, unknown>> {
  const common = {
    file_id: file.fileId,
    file_unique_id: `u${file.fileId.slice(-7)}`,
    file_size: file.sizeBytes,
  };
  if (kind === 'photo') return { photo: [{ ...common, width: 640, height: 480 }] };
  const details: Record<string, unknown> = { ...common, mime_type: file.mimeType };
  if (kind === 'document' || kind === 'audio' || kind === 'video' || kind === 'animation')
    details['file_name'] = file.fileName;
  if (kind !== 'document' && kind !== 'sticker')
    details['duration'] = integerParameter(params, 'duration') ?? 0;
  if (kind === 'video' || kind === 'animation') Object.assign(details, { width: 640, height: 480 });
  // An animation is given twice, so that clients which do not know the kind still see a document.
  return kind === 'animation' ? { animation: details, document: details } : { [kind]: details };
}
