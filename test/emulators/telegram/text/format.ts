/**
 * From the text parameters of a call to the text the server stores, in the server's order: decode the markup, check
 * the entities, repair them, clean and trim, measure, and add what is found in plain text.
 */
import { badRequest } from '../api-error.js';
import { cleanText, dropBlankEntities, isBlank, type TextWithEntities, trimText } from './clean.js';
import { findEntities } from './detect.js';
import { type Entity, familyOf, linkOrMention, parseEntities } from './entity.js';
import { addFound, assertBounds, fixEntities, type Warn } from './fix.js';
import { parseHtml } from './html.js';
import { parseMarkdown, parseMarkdownV2 } from './markdown.js';

/** The server keeps this many entities and drops the rest without a word. */
const MAX_ENTITIES = 100;
/** Measured before any markup is read. */
const MAX_SOURCE_BYTES = 32_768;

export interface TextParameters {
  readonly text: string;
  readonly parseMode: string | undefined;
  /** As it came, JSON already decoded. Ignored when a parse mode is given, as the server does. */
  readonly entities: unknown;
}

export interface TextLimit {
  /** UTF-16 units of the stored text. */
  readonly maxLength: number;
  /** What the server says when there is nothing to show; absent where an empty text is fine. */
  readonly emptyReason?: string;
  readonly tooLongReason: string;
}

export function formatText(parameters: TextParameters, limit: TextLimit, warn: Warn): TextWithEntities {
  if (/\p{Surrogate}/u.test(parameters.text)) throw badRequest('strings must be encoded in UTF-8');
  if (limit.emptyReason !== undefined && parameters.text === '') throw badRequest(limit.emptyReason);
  if (Buffer.byteLength(parameters.text) > MAX_SOURCE_BYTES) throw badRequest('text is too long');
  const source = decodeMarkup(parameters, warn);
  assertBounds(source.text, source.entities);
  const stored = normalise(source, warn);
  if (isBlank(stored.text)) {
    if (limit.emptyReason !== undefined) throw badRequest(limit.emptyReason);
    return { text: '', entities: [] };
  }
  if (stored.text.length > limit.maxLength) throw badRequest(limit.tooLongReason);
  return {
    text: stored.text,
    entities: capEntities(addFound(stored.entities, findEntities(stored.text)), warn),
  };
}

/** The same for a text a person typed: never refused, links and commands found. */
export function formatUserText(text: string, given: readonly Entity[] | undefined): TextWithEntities {
  const silent: Warn = () => undefined;
  const stored = normalise({ text, entities: given ?? [] }, silent);
  return { text: stored.text, entities: addFound(stored.entities, findEntities(stored.text)) };
}

function decodeMarkup(parameters: TextParameters, warn: Warn): TextWithEntities {
  switch (parameters.parseMode?.toLowerCase() ?? '') {
    case '':
    case 'none':
      return { text: parameters.text, entities: parseEntities(parameters.entities).map(linkOrMention) };
    case 'markdown':
      return parseMarkdown(parameters.text, warn);
    case 'markdownv2':
      return parseMarkdownV2(parameters.text, warn);
    case 'html':
      return parseHtml(parameters.text, warn);
    default:
      throw badRequest('unsupported parse_mode');
  }
}

function normalise(source: TextWithEntities, warn: Warn): TextWithEntities {
  const silent: Warn = () => undefined;
  const cleaned = cleanText({ text: source.text, entities: fixEntities(source.entities, warn) });
  const visible = dropBlankEntities(cleaned);
  const trimmed = trimText({ text: cleaned.text, entities: fixEntities(visible, silent) });
  return { text: trimmed.text, entities: trimmed.entities };
}

function capEntities(entities: readonly Entity[], warn: Warn): readonly Entity[] {
  if (entities.length <= MAX_ENTITIES) return entities;
  const lost = entities.slice(MAX_ENTITIES).filter((entity) => isFormatting(entity));
  if (lost.length > 0) warn(`entity-limit: ${lost.length} of ${entities.length} dropped`);
  return entities.slice(0, MAX_ENTITIES);
}

function isFormatting(entity: Entity): boolean {
  return (
    familyOf(entity.type) !== 'continuous' || entity.type === 'text_link' || entity.type === 'text_mention'
  );
}
