/**
 * The parts of one saying to WhatsApp messages: files with what is written beside them. Pure.
 *
 * 1. One file a message. A short text is the caption of the picture, video or document after it, or else before it.
 * 2. A sound takes no caption: what is written beside it is a message of its own.
 */
import type { OutboundMediaPart, OutboundPart } from '../../core/parts.js';
import type { MarkedText } from '../kit/fit-marked.js';
import { encodeMarkdown, TEXT_LIMIT_UNITS } from './encode.js';
import type { ShownFile, WhatsAppMessage } from './payload.js';

/** WhatsApp's clients take no longer caption. */
const CAPTION_LIMIT_UNITS = 1_024;

const opusType = 'audio/ogg; codecs=opus';

/** Only what every phone plays in its bubble is sent as a voice message. */
const toFile = ({ kind, file }: OutboundMediaPart): ShownFile => {
  const isVoice = kind === 'voice' && file.mimeType.startsWith('audio/ogg');
  return {
    kind: kind === 'voice' && !isVoice ? 'audio' : kind,
    path: file.path,
    fileName: file.fileName,
    mimeType: isVoice ? opusType : file.mimeType,
    ...(file.durationMs !== undefined && { durationMs: file.durationMs }),
    ...(file.waveform !== undefined && { waveform: file.waveform }),
  };
};

const takesCaption = (file: ShownFile | undefined): boolean =>
  file !== undefined && file.kind !== 'voice' && file.kind !== 'audio';

const captionOf = (texts: readonly MarkedText[]): MarkedText | undefined => {
  const [first, second] = texts;
  return first !== undefined && second === undefined && first.content.length <= CAPTION_LIMIT_UNITS
    ? first
    : undefined;
};

export const encodeParts = (parts: readonly OutboundPart[]): readonly WhatsAppMessage[] => {
  const messages: WhatsAppMessage[] = [];
  let written = '';
  const flush = (file?: ShownFile): void => {
    const texts = encodeMarkdown(written);
    written = '';
    const caption = takesCaption(file) ? captionOf(texts) : undefined;
    if (caption === undefined) messages.push(...texts);
    if (file !== undefined) messages.push({ text: '', content: '', ...caption, file });
  };
  for (const part of parts) {
    if (part.type === 'text') written = written === '' ? part.text : `${written}\n\n${part.text}`;
    if (part.type === 'media') flush(toFile(part));
  }
  const last = messages.at(-1);
  const caption = captionOf(encodeMarkdown(written));
  if (last !== undefined && last.content === '' && takesCaption(last.file) && caption !== undefined)
    messages[messages.length - 1] = { ...last, ...caption };
  else flush();
  return messages;
};

/** The same message beginning with `note`; more than one where it no longer fits. */
export const annotateMessage = (message: WhatsAppMessage, note: string): readonly WhatsAppMessage[] => {
  const { text, content, file } = message;
  const alone = { text: note, content: note };
  if (file !== undefined && !takesCaption(file)) return [alone, message];
  if (content === '') return [{ ...message, ...alone }];
  const whole = `${note}\n${content}`;
  const limit = file === undefined ? TEXT_LIMIT_UNITS : CAPTION_LIMIT_UNITS;
  return whole.length <= limit
    ? [{ ...message, text: `${note}\n${text}`, content: whole }]
    : [alone, message];
};
