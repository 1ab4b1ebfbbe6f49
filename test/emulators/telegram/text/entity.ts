/**
 * Message entities as the Bot API gives and takes them, and the families that decide how they may overlap:
 * *splittable* (bold and the like: cut freely), *quote* (block quotes: hold others), *code* (hold nothing, stand in a
 * quote at most), *continuous* (links, mentions: never cut, never nested in one another).
 */
import { badRequest } from '../api-error.js';
import { checkLink, linkUserId } from './link.js';

export interface Entity {
  readonly type: string;
  /** UTF-16 units, as everywhere here. */
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly custom_emoji_id?: string;
}

export type Family = 'splittable' | 'quote' | 'code' | 'continuous';

const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  ['bold', 'splittable'],
  ['italic', 'splittable'],
  ['underline', 'splittable'],
  ['strikethrough', 'splittable'],
  ['spoiler', 'splittable'],
  ['blockquote', 'quote'],
  ['expandable_blockquote', 'quote'],
  ['code', 'code'],
  ['pre', 'code'],
  ['text_link', 'continuous'],
  ['text_mention', 'continuous'],
  ['custom_emoji', 'continuous'],
  ['mention', 'continuous'],
  ['hashtag', 'continuous'],
  ['cashtag', 'continuous'],
  ['bot_command', 'continuous'],
  ['url', 'continuous'],
  ['email', 'continuous'],
  ['phone_number', 'continuous'],
]);

/** Types the server finds by itself; when a bot sends them they are taken and then thrown away. */
const FOUND_BY_SERVER: ReadonlySet<string> = new Set([
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
]);

/** Sort rank among entities with the same bounds: the outer one first. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ['blockquote', 0],
  ['expandable_blockquote', 0],
  ['pre', 10],
  ['code', 20],
  ['text_link', 49],
  ['text_mention', 49],
  ['bold', 90],
  ['italic', 91],
  ['underline', 92],
  ['strikethrough', 93],
  ['spoiler', 94],
  ['custom_emoji', 99],
]);

export function familyOf(type: string): Family {
  return FAMILIES.get(type) ?? 'continuous';
}

/** Kinds that hold data of their own or show white space, so they may cover nothing but white space. */
export function keepsWhitespace(type: string): boolean {
  return type === 'text_link' || type === 'text_mention' || familyOf(type) === 'code';
}

export function sortEntities(entities: readonly Entity[]): Entity[] {
  return [...entities].sort(
    (a, b) =>
      a.offset - b.offset || b.length - a.length || (RANKS.get(a.type) ?? 50) - (RANKS.get(b.type) ?? 50),
  );
}

export function describeEntity(entity: Entity): string {
  return `${entity.type}[${entity.offset},${entity.offset + entity.length})`;
}

/** Reads an `entities` parameter that is already JSON. Throws the API's refusals. */
export function parseEntities(input: unknown): Entity[] {
  if (input === undefined || input === null) return [];
  if (!Array.isArray(input)) throw badRequest('expected an Array of MessageEntity');
  const entities: Entity[] = [];
  for (const item of input) {
    const entity = parseEntity(item);
    if (!FOUND_BY_SERVER.has(entity.type)) entities.push(entity);
  }
  return entities;
}

function parseEntity(input: unknown): Entity {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw badRequest("can't parse MessageEntity: expected an Object");
  }
  // Any JSON object can be read as a bag of unknown fields.
  const fields = input as Readonly<Record<string, unknown>>;
  const offset = integerField(fields, 'offset');
  const length = integerField(fields, 'length');
  if (offset < 0 || offset > 1_000_000) throw badRequest(`receive an entity with incorrect offset ${offset}`);
  if (length < 0 || length > 1_000_000) throw badRequest(`receive an entity with incorrect length ${length}`);
  const type = stringField(fields, 'type');
  if (!FAMILIES.has(type)) throw badRequest("can't parse MessageEntity: Unsupported type specified");
  return { type, offset, length, ...entityData(type, fields) };
}

function entityData(type: string, fields: Readonly<Record<string, unknown>>): Partial<Entity> {
  switch (type) {
    case 'text_link':
      return linkData(stringField(fields, 'url'));
    case 'pre': {
      const language = fields['language'];
      return typeof language === 'string' && language !== '' ? { language } : {};
    }
    case 'text_mention': {
      const user = fields['user'];
      if (typeof user !== 'object' || user === null) {
        throw badRequest('can\'t parse MessageEntity: Can\'t find field "user"');
      }
      return { user: { ...user } };
    }
    case 'custom_emoji': {
      const id = stringField(fields, 'custom_emoji_id');
      if (!/^[1-9]\d*$/.test(id)) throw badRequest('invalid custom emoji identifier specified');
      return { custom_emoji_id: id };
    }
    default:
      return {};
  }
}

function linkData(url: string): Partial<Entity> {
  const checked = checkLink(url);
  if (!checked.ok) throw badRequest(`entity URL '${url}' is invalid: ${checked.reason}`);
  return { url: checked.url };
}

/** A link that names a user is a mention of that user: the type changes with it. */
export function linkOrMention(entity: Entity): Entity {
  const userId = entity.type === 'text_link' && entity.url !== undefined ? linkUserId(entity.url) : undefined;
  if (userId === undefined) return entity;
  const { type: _type, url: _url, ...rest } = entity;
  return { type: 'text_mention', ...rest, user: { id: userId, is_bot: false, first_name: `User ${userId}` } };
}

function integerField(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (value === undefined) throw badRequest(`can't parse MessageEntity: Can't find field "${name}"`);
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    throw badRequest(`can't parse MessageEntity: Field "${name}" must be of type Number`);
  }
  return number;
}

function stringField(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (value === undefined) throw badRequest(`can't parse MessageEntity: Can't find field "${name}"`);
  if (typeof value !== 'string')
    throw badRequest(`can't parse MessageEntity: Field "${name}" must be of type String`);
  return value;
}
