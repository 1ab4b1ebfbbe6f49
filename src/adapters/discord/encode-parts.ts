/**
 * The parts of one saying to Discord messages: files with what is written beside them. Pure.
 *
 * 1. Up to ten files a message; text that fits goes with the files that follow or precede it.
 * 2. A voice message is alone: Discord takes no text and no second file beside it.
 * 3. An answer of very many messages goes as a file, under its beginning: nobody reads it in a chat.
 */
import type { OutboundMediaPart, OutboundPart } from '../../core/parts.js';
import { toComponents } from './components.js';
import { type DiscordText, encodeMarkdown, TEXT_LIMIT_UNITS } from './encode.js';
import type { AttachedFile, DiscordMessage } from './payload.js';

const MAX_FILES = 10;
/** More messages than this of one text are a file. */
const MAX_MESSAGES = 10;
/** Leaves room for the line that says where the rest is. */
const BEGINNING_UNITS = 1_500;

const toFile = ({ file }: OutboundMediaPart): AttachedFile => ({
  path: file.path,
  fileName: file.fileName,
  mimeType: file.mimeType,
  sizeBytes: file.sizeBytes,
});

type Run =
  | { readonly text: string }
  | { readonly files: readonly AttachedFile[] }
  | { readonly voice: DiscordMessage };

/** Undefined for a sound file that is no voice message: Discord wants to know its length and how it looks. */
const toVoiceMessage = (part: OutboundMediaPart): DiscordMessage | undefined => {
  const { mimeType, durationMs = 0, waveform } = part.file;
  if (part.kind !== 'voice' || !mimeType.startsWith('audio/ogg') || durationMs <= 0 || waveform === undefined)
    return undefined;
  return { text: '', content: '', files: [toFile(part)], voice: { durationMs, waveform } };
};

/** Neighbouring parts of one type. */
const toRuns = (parts: readonly OutboundPart[]): readonly Run[] => {
  const runs: ({ text: string } | { files: AttachedFile[] } | { voice: DiscordMessage })[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    const voice = part.type === 'media' ? toVoiceMessage(part) : undefined;
    if (voice !== undefined) {
      runs.push({ voice });
    } else if (part.type === 'media') {
      if (last !== undefined && 'files' in last && last.files.length < MAX_FILES)
        last.files.push(toFile(part));
      else runs.push({ files: [toFile(part)] });
    } else if (part.type === 'text' && part.text.trim() !== '') {
      if (last !== undefined && 'text' in last) last.text = `${last.text}\n\n${part.text}`;
      else runs.push({ text: part.text });
    }
  }
  return runs;
};

const toMessages = (texts: readonly DiscordText[]): readonly DiscordMessage[] =>
  texts.map((text) => ({ ...text, files: [] }));

const encodeText = (markdown: string): readonly DiscordMessage[] => {
  const texts = encodeMarkdown(markdown);
  if (texts.length <= MAX_MESSAGES) return toMessages(texts);
  const [beginning] = encodeMarkdown(markdown, BEGINNING_UNITS);
  const note = `The whole answer (${markdown.length} characters) is in the file below.`;
  return [
    {
      text: `${beginning?.text ?? ''}\n…\n${note}`,
      content: `${beginning?.content ?? ''}\n…\n*${note}*`,
      files: [],
      longText: { fileName: 'answer.md', text: markdown },
    },
  ];
};

/** Shown where there is nothing else for choices to stand under. */
const bare: DiscordMessage = { text: '…', content: '…', files: [] };

export const encodeParts = (parts: readonly OutboundPart[]): readonly DiscordMessage[] => {
  const messages = encodeContent(parts);
  const choices = parts.flatMap((part) => (part.type === 'choices' ? part.choices : []));
  if (choices.length === 0) return messages;
  const last = messages.at(-1);
  const components = toComponents(choices);
  if (last?.voice !== undefined) return [...messages, { ...bare, components }];
  return [...messages.slice(0, -1), { ...(last ?? bare), components }];
};

const encodeContent = (parts: readonly OutboundPart[]): readonly DiscordMessage[] => {
  const messages: DiscordMessage[] = [];
  for (const run of toRuns(parts)) {
    const last = messages.at(-1);
    if ('voice' in run) {
      messages.push(run.voice);
      continue;
    }
    if ('files' in run) {
      const takesFiles = last !== undefined && last.files.length === 0 && last.longText === undefined;
      // The text just before says what the files are.
      if (takesFiles) messages[messages.length - 1] = { ...last, files: run.files };
      else messages.push({ text: '', content: '', files: run.files });
      continue;
    }
    const texts = encodeText(run.text);
    const [first, second] = texts;
    const isCaption =
      last !== undefined &&
      last.content === '' &&
      last.voice === undefined &&
      first !== undefined &&
      second === undefined;
    if (isCaption && first.longText === undefined)
      messages[messages.length - 1] = { ...first, files: last.files };
    else messages.push(...texts);
  }
  return messages;
};

/** The same message beginning with `note`; more than one where it no longer fits. */
export const annotateMessage = (message: DiscordMessage, note: string): readonly DiscordMessage[] => {
  const { content, text } = message;
  if (message.voice !== undefined) return [{ text: note, content: note, files: [] }, message];
  if (content === '') return [{ ...message, text: note, content: note }];
  const whole = `${note}\n${content}`;
  if (whole.length <= TEXT_LIMIT_UNITS) return [{ ...message, text: `${note}\n${text}`, content: whole }];
  return [{ text: note, content: note, files: [] }, message];
};
