/** Puts a note in front of a message that is already encoded. Pure. */
import type { MessageEntity } from 'grammy/types';
import { INDENT_GUARD, type Piece, pieceText, splitPieces } from '../kit/split.js';
import { TEXT_LIMIT_UNITS, type TelegramText } from './encode.js';
import { CAPTION_LIMIT_UNITS } from './encode-parts.js';
import type { TelegramMessage } from './payload.js';

const endOf = (entity: MessageEntity): number => entity.offset + entity.length;

const shift = (entity: MessageEntity, by: number): MessageEntity => ({
  ...entity,
  offset: entity.offset + by,
});

/** The part of a message that a piece covers, with the entities that reach into it. */
const cutOut = ({ text, entities }: TelegramText, piece: Piece): TelegramText => {
  const textStart = piece.start - (piece.indented ? INDENT_GUARD.length : 0);
  const clipped = entities
    .filter((entity) => endOf(entity) > piece.start && entity.offset < piece.end)
    .map((entity) => {
      const start = Math.max(entity.offset, piece.start);
      return { ...entity, offset: start - textStart, length: Math.min(endOf(entity), piece.end) - start };
    });
  return { text: pieceText(text, piece), entities: clipped };
};

const rangesOf = (entities: readonly MessageEntity[], types: readonly MessageEntity['type'][]) =>
  entities
    .filter((entity) => types.includes(entity.type))
    .map((entity) => ({ start: entity.offset, end: endOf(entity) }));

/** The note stands on a line of its own; a second message follows where the first would become too long. */
export const annotateText = (message: TelegramText, note: string): readonly TelegramText[] => {
  const prefix = `${note}\n`;
  const pieces = splitPieces(message.text, {
    limitUnits: TEXT_LIMIT_UNITS - prefix.length,
    codeBlocks: rangesOf(message.entities, ['pre']),
    wholes: rangesOf(message.entities, ['text_link', 'code']),
  });
  return pieces.map((piece, index) => {
    const part = cutOut(message, piece);
    if (index > 0) return part;
    return {
      text: prefix + part.text,
      entities: part.entities.map((entity) => shift(entity, prefix.length)),
    };
  });
};

/** Files keep their place; a caption that becomes too long with the note follows them as a message. Buttons stay beneath the last. */
export const annotateMessage = (message: TelegramMessage, note: string): readonly TelegramMessage[] => {
  const { text, entities, files, keyboard } = message;
  if (files.length === 0)
    return annotateText({ text, entities }, note).map((one, index, all) => ({
      ...one,
      files,
      ...(keyboard !== undefined && index === all.length - 1 && { keyboard }),
    }));
  const alone = { text: note, entities: [], files };
  if (text === '') return [alone];
  const [first, second] = annotateText({ text, entities }, note);
  if (first !== undefined && second === undefined && first.text.length <= CAPTION_LIMIT_UNITS)
    return [{ ...first, files }];
  return [alone, { text, entities, files: [] }];
};
