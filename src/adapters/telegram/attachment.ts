/** The file, place, poll … of a message as a part. Pure; any payload gives a part or undefined. */
import type { InboundMediaPart, InboundPart, MediaKind } from '../../core/parts.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf, numberOf } from '../kit/fields.js';
import { type Content, findContent } from './describe.js';

/** Where the file of a message is, and what Telegram leaves unsaid about it. */
interface FileSpec {
  readonly kind: MediaKind;
  readonly mimeType?: string;
  readonly fileName?: string;
  readonly isSpoken?: true;
}

const areaOf = (size: Fields): number => (integerOf(size['width']) ?? 0) * (integerOf(size['height']) ?? 0);

/** Telegram keeps a photo in several sizes. */
const largestOf = (sizes: unknown): Fields | undefined =>
  listOf(sizes)
    .map(fieldsOf)
    .filter((size) => size !== undefined)
    .reduce<Fields | undefined>(
      (best, size) => (best === undefined || areaOf(size) >= areaOf(best) ? size : best),
      undefined,
    );

/** Pictures that models and the cache know as such; drawings and raw formats stay files. */
const picture = /^image\/(?:png|jpe?g|gif|webp)$/u;

const kindOfDocument = (file: Fields): MediaKind => {
  const mimeType = nameOf(file['mime_type'])?.toLowerCase() ?? '';
  if (picture.test(mimeType)) return 'image';
  if (mimeType.startsWith('video/')) return 'video';
  return mimeType.startsWith('audio/') ? 'audio' : 'file';
};

const photo: FileSpec = { kind: 'image', mimeType: 'image/jpeg' };

const isMoving = (sticker: Fields): boolean =>
  sticker['is_animated'] === true || sticker['is_video'] === true;

/** Music has a title rather than a file's name. */
const titled = (file: Fields): { readonly fileName?: string } => {
  const title = [nameOf(file['performer']), nameOf(file['title'])].filter(Boolean).join(' – ');
  return title === '' ? {} : { fileName: title };
};

/** Undefined for a file that nobody here can show: a sticker that moves. */
const specOf = (field: string, file: Fields): FileSpec | undefined => {
  switch (field) {
    case 'photo':
    case 'live_photo':
      return photo;
    case 'sticker':
      return isMoving(file) ? undefined : { kind: 'image', mimeType: 'image/webp', fileName: 'sticker.webp' };
    case 'voice':
      return { kind: 'voice', mimeType: 'audio/ogg' };
    case 'audio':
      return { kind: 'audio', ...titled(file) };
    case 'video_note':
      return { kind: 'video', mimeType: 'video/mp4', isSpoken: true };
    case 'animation':
    case 'video':
      return { kind: 'video', mimeType: 'video/mp4' };
    default:
      return { kind: kindOfDocument(file) };
  }
};

const fileOf = (message: Fields, field: string): Fields | undefined =>
  field === 'photo' || field === 'live_photo' ? largestOf(message['photo']) : fieldsOf(message[field]);

const toMediaPart = (message: Fields, content: Content, caption: string): InboundMediaPart | undefined => {
  const file = fileOf(message, content.field);
  const id = nameOf(file?.['file_id']);
  const spec = file === undefined ? undefined : specOf(content.field, file);
  if (file === undefined || id === undefined || spec === undefined) return undefined;
  const fileName = nameOf(file['file_name']) ?? spec.fileName;
  const mimeType = nameOf(file['mime_type']) ?? spec.mimeType;
  const sizeBytes = integerOf(file['file_size']);
  const seconds = numberOf(file['duration']);
  return {
    type: 'media',
    kind: spec.kind,
    handle: { file_id: id },
    description: content.description,
    ...(spec.isSpoken && { isSpoken: true }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    ...(caption.trim() === '' ? {} : { caption }),
  };
};

/** The parts of a message, with `text` as its words: beneath the file where there is one, else on their own. */
export const decodeContent = (message: Fields, text: string): readonly InboundPart[] => {
  const words: readonly InboundPart[] = text.trim() === '' ? [] : [{ type: 'text', text }];
  const content = findContent(message);
  if (content === undefined) return words;
  const { description } = content;
  const media = content.readable === 'file' ? toMediaPart(message, content, text) : undefined;
  if (media !== undefined) {
    // A sticker means its emoji, and as a picture it would only be a file.
    const meaning = content.field === 'sticker' ? [{ type: 'described' as const, description }] : [];
    return [...meaning, media];
  }
  return [{ type: content.readable === 'words' ? 'described' : 'unsupported', description }, ...words];
};
