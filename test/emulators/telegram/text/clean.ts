/** Characters the server changes or removes, and the trimming of a text together with its entities. */
import { type Entity, keepsWhitespace, sortEntities } from './entity.js';

export interface TextWithEntities {
  readonly text: string;
  readonly entities: readonly Entity[];
}

// Removed: carriage returns, line and paragraph separators with the direction overrides, and the combining lines that
// were used to draw over neighbouring text.
const REMOVED = /\r|[\u2028-\u202e]|\u0333|\u033f|\u030a/g;
// Every other control character, tabs among them, becomes a space. New lines stay.
const SPACED = /(?![\n\r\u007f-\u009f])\p{Cc}/gu;

/** Entities must lie inside the text. */
export function cleanText(input: TextWithEntities): TextWithEntities {
  const spaced = input.text.replace(SPACED, ' ');
  const removedAt: number[] = [];
  const text = spaced.replace(REMOVED, (_match, at: number) => {
    removedAt.push(at);
    return '';
  });
  if (removedAt.length === 0) return { text, entities: input.entities };
  const shift = (at: number): number => at - removedAt.filter((removed) => removed < at).length;
  const entities = input.entities.map((entity) => {
    const offset = shift(entity.offset);
    return { ...entity, offset, length: shift(entity.offset + entity.length) - offset };
  });
  return { text, entities };
}

/** Drops entities over white space only and takes white space off the front of the others. */
export function dropBlankEntities(input: TextWithEntities): Entity[] {
  const kept: Entity[] = [];
  for (const entity of input.entities) {
    if (entity.length <= 0) continue;
    if (keepsWhitespace(entity.type)) {
      kept.push(entity);
      continue;
    }
    const covered = input.text.slice(entity.offset, entity.offset + entity.length);
    const blanks = /^[ \n]*/.exec(covered)?.[0].length ?? 0;
    if (blanks < entity.length)
      kept.push({ ...entity, offset: entity.offset + blanks, length: entity.length - blanks });
  }
  return sortEntities(kept);
}

/** Trims both ends. At the front only up to the first entity, so that an indented code block keeps its indentation. */
export function trimText(input: TextWithEntities): TextWithEntities {
  const end = input.text.replace(/[ \n]+$/, '').length;
  const inside = input.entities
    .filter((entity) => entity.offset < end)
    .map((entity) => ({ ...entity, length: Math.min(entity.length, end - entity.offset) }));
  const leading = /^[ \n]*/.exec(input.text.slice(0, end))?.[0].length ?? 0;
  const start = Math.min(leading, ...inside.map((entity) => entity.offset));
  const entities = sortEntities(inside.map((entity) => ({ ...entity, offset: entity.offset - start })));
  return { text: input.text.slice(start, end), entities };
}

/** A text of white space and characters without any width shows nothing, so the server takes it for empty. */
export function isBlank(text: string): boolean {
  return /^(?:\s|\p{Default_Ignorable_Code_Point}|\p{Cf})*$/u.test(text);
}
