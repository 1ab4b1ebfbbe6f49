/** What a message holds: its text, and parts for its files and for what words can give. Pure. */
import type { JsonValue } from '../../core/json.js';
import type { InboundMediaPart, InboundPart, MediaKind } from '../../core/parts.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf, numberOf, textOf } from '../kit/fields.js';
import { kindsOf } from './unwrap.js';

/** What the SDK calls the kind of a file, from which its keys are derived. */
export type SdkMediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** What the media facet fetches a file by. */
export interface FileHandle {
  readonly kind: SdkMediaKind;
  readonly url?: string;
  readonly directPath?: string;
  /** Base64. */
  readonly mediaKey: string;
  /** Names the message, to ask the sender's phone for the file once it has expired. */
  readonly key: { readonly remoteJid: string; readonly id: string; readonly participant?: string };
}

export interface Content {
  readonly text: string;
  readonly parts: readonly InboundPart[];
}

/** A 64-bit number of a protobuf, as a number, a string or an object that writes itself as digits. */
export const countOf = (value: unknown): number | undefined => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') return integerOf(value);
  const number = Number(String(value));
  return Number.isSafeInteger(number) ? number : undefined;
};

const base64Of = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array && value.length > 0 ? Buffer.from(value).toString('base64') : undefined;
};

interface Look {
  readonly kind: MediaKind;
  readonly sdk: SdkMediaKind;
  readonly words: string;
  readonly isSpoken?: true;
}

const lookOf = (name: string, file: Fields): Look | undefined => {
  switch (name) {
    case 'imageMessage':
      return { kind: 'image', sdk: 'image', words: 'a picture' };
    case 'videoMessage':
      return {
        kind: 'video',
        sdk: 'video',
        words: file['gifPlayback'] === true ? 'an animation' : 'a video',
      };
    case 'ptvMessage':
      return { kind: 'video', sdk: 'video', words: 'a video note', isSpoken: true };
    case 'audioMessage':
      return file['ptt'] === true
        ? { kind: 'voice', sdk: 'audio', words: 'a voice message' }
        : { kind: 'audio', sdk: 'audio', words: 'a sound file' };
    case 'documentMessage':
      return { kind: 'file', sdk: 'document', words: 'a file' };
    case 'stickerMessage':
      return { kind: 'image', sdk: 'sticker', words: 'a sticker' };
    default:
      return undefined;
  }
};

const decodeFile = (name: string, file: Fields, key: FileHandle['key']): InboundPart | undefined => {
  const look = lookOf(name, file);
  if (look === undefined) return undefined;
  const fileName = name === 'documentMessage' ? nameOf(file['fileName']) : undefined;
  const description = fileName === undefined ? look.words : `${look.words} “${fileName}”`;
  const mediaKey = base64Of(file['mediaKey']);
  const url = nameOf(file['url']);
  const directPath = nameOf(file['directPath']);
  if (mediaKey === undefined || (url === undefined && directPath === undefined))
    return { type: 'unsupported', description: `${description}, which WhatsApp gave no address of` };
  const handle: Record<string, JsonValue> = {
    kind: look.sdk,
    mediaKey,
    key: { ...key },
    ...(url !== undefined && { url }),
    ...(directPath !== undefined && { directPath }),
  };
  const seconds = numberOf(file['seconds']);
  const mimeType = nameOf(file['mimetype']);
  const sizeBytes = countOf(file['fileLength']);
  const caption = nameOf(file['caption']);
  const part: InboundMediaPart = {
    type: 'media',
    kind: look.kind,
    handle,
    description,
    ...(look.isSpoken && { isSpoken: true }),
    ...(fileName !== undefined && { fileName }),
    ...(mimeType !== undefined && { mimeType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(seconds !== undefined && seconds > 0 && { durationMs: Math.round(seconds * 1000) }),
    ...(caption !== undefined && { caption }),
  };
  return part;
};

/** The numbers and addresses in a visiting card. */
const linesOfCard = (card: string): readonly string[] =>
  card.split(/\r?\n/u).flatMap((line) => {
    const [, value] = /^(?:item\d+\.)?(?:TEL|EMAIL)[^:]*:(.+)$/iu.exec(line) ?? [];
    return value === undefined ? [] : [value.trim()];
  });

const decodeContact = (value: unknown): InboundPart => {
  const contact = fieldsOf(value) ?? {};
  const name = nameOf(contact['displayName']) ?? 'without a name';
  const lines = linesOfCard(textOf(contact['vcard']) ?? '');
  return { type: 'described', description: `a contact: ${[name, ...lines].join(', ')}` };
};

const decodePlace = (place: Fields, isLive: boolean): InboundPart => {
  const point = [place['degreesLatitude'], place['degreesLongitude']].map(numberOf).join(', ');
  const words = [nameOf(place['name']), nameOf(place['address']), nameOf(place['url'])].filter(Boolean);
  const described = [`${isLive ? 'a live place' : 'a place'}: ${point}`, ...words].join(', ');
  return { type: 'described', description: described };
};

const decodePoll = (poll: Fields): InboundPart => {
  const options = listOf(poll['options']).map((option) => nameOf(fieldsOf(option)?.['optionName']));
  return {
    type: 'described',
    description: `a poll: ${nameOf(poll['name']) ?? ''} (${options.filter(Boolean).join(' / ')})`,
  };
};

const decodeEvent = (event: Fields): InboundPart => {
  const at = countOf(event['startTime']);
  const time = at === undefined ? undefined : new Date(at * 1000).toISOString();
  const words = [nameOf(event['name']), time, nameOf(event['description'])].filter(Boolean);
  return { type: 'described', description: `an event: ${words.join(', ')}` };
};

const decodeOther = (name: string, value: Fields): readonly InboundPart[] => {
  switch (name) {
    case 'contactMessage':
      return [decodeContact(value)];
    case 'contactsArrayMessage':
      return listOf(value['contacts']).map(decodeContact);
    case 'locationMessage':
      return [decodePlace(value, false)];
    case 'liveLocationMessage':
      return [decodePlace(value, true)];
    case 'pollCreationMessage':
    case 'pollCreationMessageV2':
    case 'pollCreationMessageV3':
      return [decodePoll(value)];
    case 'eventMessage':
      return [decodeEvent(value)];
    case 'groupInviteMessage':
      return [
        {
          type: 'described',
          description: `an invitation to the group “${nameOf(value['groupName']) ?? ''}”`,
        },
      ];
    case 'callLogMesssage':
    case 'call':
      return [{ type: 'unsupported', description: 'a call' }];
    default:
      return [];
  }
};

/** What was written, in whichever of its places. */
const writtenIn = (name: string, value: unknown): string => {
  if (name === 'conversation') return textOf(value) ?? '';
  const fields = fieldsOf(value);
  switch (name) {
    case 'extendedTextMessage':
      return textOf(fields?.['text']) ?? '';
    case 'buttonsResponseMessage':
      return textOf(fields?.['selectedDisplayText']) ?? '';
    case 'templateButtonReplyMessage':
      return textOf(fields?.['selectedDisplayText']) ?? '';
    case 'listResponseMessage':
      return textOf(fields?.['title']) ?? '';
    default:
      return '';
  }
};

/** `read` makes the mentions of a text readable. */
export const decodeContent = (
  message: Fields,
  key: FileHandle['key'],
  read: (text: string) => string,
): Content => {
  const texts: string[] = [];
  const parts: InboundPart[] = [];
  for (const name of kindsOf(message)) {
    const value = message[name];
    const written = writtenIn(name, value);
    if (written !== '') texts.push(read(written));
    const fields = fieldsOf(value);
    if (fields === undefined) continue;
    const file = decodeFile(name, fields, key);
    if (file === undefined) parts.push(...decodeOther(name, fields));
    else
      parts.push(
        file.type === 'media' && file.caption !== undefined ? { ...file, caption: read(file.caption) } : file,
      );
  }
  return { text: texts.join('\n'), parts };
};
