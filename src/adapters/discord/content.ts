/** What a message holds besides its text: files, embeds of other bots, stickers, polls, forwarded messages. Pure. */
import type { InboundMediaPart, InboundPart, MediaKind } from '../../core/parts.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf, numberOf, shorten } from '../kit/fields.js';

const VOICE = 1 << 13;
/** An embed can hold 6000 characters; what is worth telling is at its beginning. */
const MAX_EMBED_LENGTH = 2_000;

const kindOf = (mimeType: string | undefined, isVoice: boolean): MediaKind => {
  if (isVoice) return 'voice';
  const family = mimeType?.split('/', 1)[0];
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'file';
};

const words: Readonly<Record<MediaKind, string>> = {
  image: 'a picture',
  video: 'a video',
  audio: 'a sound file',
  voice: 'a voice message',
  file: 'a file',
};

const decodeAttachment = (value: unknown, isVoice: boolean): InboundMediaPart | undefined => {
  const file = fieldsOf(value);
  const url = nameOf(file?.['url']);
  if (file === undefined || url === undefined) return undefined;
  const fileName = nameOf(file['filename']);
  const mimeType = nameOf(file['content_type']);
  const sizeBytes = integerOf(file['size']);
  const seconds = numberOf(file['duration_secs']);
  const kind = kindOf(mimeType, isVoice);
  return {
    type: 'media',
    kind,
    handle: { url },
    description: fileName === undefined ? words[kind] : `${words[kind]} “${fileName}”`,
    ...(fileName !== undefined && { fileName }),
    ...(mimeType !== undefined && { mimeType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(seconds !== undefined && { durationMs: Math.round(seconds * 1000) }),
  };
};

const linesOfEmbed = (embed: Fields): string => {
  const fields = listOf(embed['fields']).map((value) => {
    const field = fieldsOf(value);
    return [nameOf(field?.['name']), nameOf(field?.['value'])].filter(Boolean).join(': ');
  });
  const title = [nameOf(embed['title']), nameOf(embed['url'])].filter(Boolean).join(' ');
  const author = nameOf(fieldsOf(embed['author'])?.['name']);
  const footer = nameOf(fieldsOf(embed['footer'])?.['text']);
  return [author, title, nameOf(embed['description']), ...fields, footer].filter(Boolean).join('\n');
};

/** `rich` embeds are what a bot wrote; the others are previews that Discord makes of a link in the text. */
const decodeEmbed = (value: unknown): InboundPart | undefined => {
  const embed = fieldsOf(value);
  if (embed === undefined || (embed['type'] ?? 'rich') !== 'rich') return undefined;
  const text = linesOfEmbed(embed);
  return text === ''
    ? undefined
    : { type: 'described', description: `an embed: ${shorten(text, MAX_EMBED_LENGTH)}` };
};

const decodeSticker = (value: unknown): InboundPart => ({
  type: 'described',
  description: `a sticker “${nameOf(fieldsOf(value)?.['name']) ?? 'without a name'}”`,
});

const decodePoll = (value: unknown): InboundPart | undefined => {
  const poll = fieldsOf(value);
  const question = nameOf(fieldsOf(poll?.['question'])?.['text']);
  if (question === undefined) return undefined;
  const answers = listOf(poll?.['answers']).map((answer) =>
    nameOf(fieldsOf(fieldsOf(answer)?.['poll_media'])?.['text']),
  );
  return { type: 'described', description: `a poll: ${question} (${answers.filter(Boolean).join(' / ')})` };
};

/** `read` makes the tags of a forwarded text readable. */
export const decodeContent = (message: Fields, read: (text: string) => string): readonly InboundPart[] => {
  const isVoice = ((integerOf(message['flags']) ?? 0) & VOICE) !== 0;
  const own = [
    ...listOf(message['attachments']).map((file) => decodeAttachment(file, isVoice)),
    ...listOf(message['embeds']).map(decodeEmbed),
    ...listOf(message['sticker_items']).map(decodeSticker),
    decodePoll(message['poll']),
  ];
  const forwarded = listOf(message['message_snapshots']).flatMap((value) => {
    const inner = fieldsOf(fieldsOf(value)?.['message']);
    if (inner === undefined) return [];
    const text = read(nameOf(inner['content']) ?? '');
    const said: readonly InboundPart[] =
      text === '' ? [] : [{ type: 'described', description: `a forwarded message: ${text}` }];
    return [...said, ...decodeContent({ ...inner, message_snapshots: [] }, read)];
  });
  return [...own, ...forwarded].filter((part) => part !== undefined);
};
