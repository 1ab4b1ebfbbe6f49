/**
 * The parts of one saying to Telegram messages: files with what is written beside them. Pure.
 *
 * 1. Text that fits is the caption of the files before it if they have none yet, else of those that follow it.
 * 2. Text that does not fit is sent whole, behind the files that it would have been the caption of.
 * 3. Files stand in their order, neighbours of one sort as an album.
 * 4. Choices stand under the last message, or under one of their own where that has files.
 */
import type { Choice, ContentPart, OutboundMediaPart, OutboundPart } from '../../core/parts.js';
import { encodeMarkdown, type TelegramText } from './encode.js';
import { toKeyboard } from './keyboard.js';
import { albumKindOf, shownKindOf } from './media-kind.js';
import type { ShownFile, TelegramMessage } from './payload.js';

/** Bot API limit for a caption after entities parsing, in UTF-16 units. */
export const CAPTION_LIMIT_UNITS = 1024;
const MAX_ALBUM = 10;

const noText: TelegramText = { text: '', entities: [] };

const toShownFile = (part: OutboundMediaPart): ShownFile => {
  const { path, fileName, sizeBytes, durationMs } = part.file;
  const seconds = durationMs === undefined ? {} : { seconds: Math.max(1, Math.round(durationMs / 1000)) };
  return { kind: shownKindOf(part), path, fileName, sizeBytes, ...seconds };
};

const toAlbums = (files: readonly ShownFile[]): readonly (readonly ShownFile[])[] => {
  const albums: ShownFile[][] = [];
  for (const file of files) {
    const album = albums.at(-1);
    const kind = albumKindOf(file.kind);
    const fits = album !== undefined && album.length < MAX_ALBUM && kind !== undefined;
    if (fits && album[0] !== undefined && albumKindOf(album[0].kind) === kind) album.push(file);
    else albums.push([file]);
  }
  return albums;
};

/** Neighbouring parts of one type, as `{text}` or `{files}`. */
type Run = { readonly text: string } | { readonly files: readonly ShownFile[] };

const toRuns = (parts: readonly ContentPart[]): readonly Run[] => {
  const runs: ({ text: string } | { files: ShownFile[] })[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (part.type === 'media') {
      if (last !== undefined && 'files' in last) last.files.push(toShownFile(part));
      else runs.push({ files: [toShownFile(part)] });
    } else if (part.text.trim() !== '') {
      if (last !== undefined && 'text' in last) last.text = `${last.text}\n\n${part.text}`;
      else runs.push({ text: part.text });
    }
  }
  return runs;
};

const captionOf = (messages: readonly TelegramText[]): TelegramText | undefined => {
  const [first, second] = messages;
  return first !== undefined && second === undefined && first.text.length <= CAPTION_LIMIT_UNITS
    ? first
    : undefined;
};

const withoutFiles = (texts: readonly TelegramText[]): readonly TelegramMessage[] =>
  texts.map((text) => ({ ...text, files: [] }));

/** Shown where there is nothing else for choices to stand under. */
const bareText: TelegramText = { text: '…', entities: [] };

const withChoices = (
  messages: readonly TelegramMessage[],
  choices: readonly Choice[],
): readonly TelegramMessage[] => {
  if (choices.length === 0) return messages;
  const last = messages.at(-1);
  const keyboard = toKeyboard(choices);
  return last === undefined || last.files.length > 0
    ? [...messages, { ...bareText, files: [], keyboard }]
    : [...messages.slice(0, -1), { ...last, keyboard }];
};

export const encodeParts = (parts: readonly OutboundPart[]): readonly TelegramMessage[] => {
  const content = parts.filter((part) => part.type !== 'choices');
  const choices = parts.flatMap((part) => (part.type === 'choices' ? part.choices : []));
  return withChoices(encodeContent(content), choices);
};

const encodeContent = (parts: readonly ContentPart[]): readonly TelegramMessage[] => {
  const messages: TelegramMessage[] = [];
  let waiting: readonly TelegramText[] = [];
  /** Where files without a caption begin, if nothing has been said about them. */
  let bare: number | undefined;
  for (const run of toRuns(parts)) {
    if ('files' in run) {
      const caption = captionOf(waiting);
      const albums = toAlbums(run.files).map((files) => ({ ...noText, files }));
      bare = waiting.length === 0 ? messages.length : undefined;
      messages.push(...albums.map((album, index) => (index === 0 ? { ...album, ...caption } : album)));
      if (caption === undefined) messages.push(...withoutFiles(waiting));
      waiting = [];
      continue;
    }
    const texts = encodeMarkdown(run.text);
    const target = bare === undefined ? undefined : messages[bare];
    if (bare === undefined || target === undefined) {
      waiting = texts;
      continue;
    }
    const caption = captionOf(texts);
    if (caption === undefined) messages.push(...withoutFiles(texts));
    else messages[bare] = { ...target, ...caption };
    bare = undefined;
  }
  return [...messages, ...withoutFiles(waiting)];
};
