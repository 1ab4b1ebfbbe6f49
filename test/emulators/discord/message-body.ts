/** What a new or edited message may contain, and how Discord says no. */
import type { MultipartPart } from '../kit/multipart.js';
import { emptyMessage, entityTooLarge, invalidForm } from './api-error.js';
import type { StoredFile } from './stored.js';
import type { World } from './world.js';

const MAX_CONTENT = 2000;
const MAX_FILES = 10;
const MAX_ROWS = 5;
const MAX_IN_ROW = 5;
const VOICE = 1 << 13;

export interface MessageBody {
  readonly content: string;
  readonly attachments: readonly StoredFile[];
  readonly embeds: readonly unknown[];
  readonly components: readonly unknown[];
  readonly flags: number;
  readonly allowedMentions: unknown;
  readonly replyTo?: string;
  readonly nonce?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  // Anything else has none of the fields that are read.
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Throws the ApiError that Discord answers with. `kept`: what an edit leaves as it is. */
export function readMessageBody(
  world: World,
  body: Fields,
  parts: readonly MultipartPart[],
  kept: { readonly hasFiles: boolean } = { hasFiles: false },
): MessageBody {
  const content = readContent(body['content']);
  const attachments = readFiles(world, body, parts);
  const components = readComponents(body['components']);
  const embeds = listOf(body['embeds']);
  const flags = Number(body['flags'] ?? 0);
  checkMentions(body['allowed_mentions']);
  if ((flags & VOICE) !== 0) checkVoice(content, attachments);
  const isEmpty =
    content.trim() === '' && attachments.length === 0 && embeds.length === 0 && components.length === 0;
  if (isEmpty && !kept.hasFiles) throw emptyMessage();
  const reference = fieldsOf(body['message_reference']);
  const replyTo = typeof reference['message_id'] === 'string' ? reference['message_id'] : undefined;
  const target = replyTo === undefined ? undefined : world.messages.get(replyTo);
  const isGone = replyTo !== undefined && (target === undefined || target.deleted);
  if (isGone && reference['fail_if_not_exists'] !== false)
    throw invalidForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  return {
    content: content.trim(),
    attachments,
    embeds,
    components,
    flags,
    allowedMentions: body['allowed_mentions'],
    ...(replyTo === undefined || isGone ? {} : { replyTo }),
    ...(body['nonce'] === undefined ? {} : { nonce: readNonce(body['nonce']) }),
  };
}

function readContent(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string')
    throw invalidForm('content', 'STRING_TYPE_CONVERT', 'Could not interpret value as string.');
  // Discord counts characters, which are code points.
  if ([...value].length > MAX_CONTENT)
    throw invalidForm('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_CONTENT} or fewer in length.`);
  return value;
}

function readNonce(value: unknown): string {
  const nonce = String(value);
  if (nonce.length > 25)
    throw invalidForm('nonce', 'NONCE_TYPE_TOO_LONG', 'Nonce must be at most 25 characters.');
  return nonce;
}

function readFiles(world: World, body: Fields, parts: readonly MultipartPart[]): readonly StoredFile[] {
  const described = new Map(
    listOf(body['attachments']).map((it) => [String(fieldsOf(it)['id']), fieldsOf(it)]),
  );
  const files = parts.filter(({ name }) => /^files\[\d+\]$/u.test(name));
  if (files.length > MAX_FILES)
    throw invalidForm('attachments', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_FILES} or fewer in length.`);
  return files.map((part) => {
    if (part.bytes.length > world.maxFileBytes) throw entityTooLarge();
    const about = described.get(/\d+/u.exec(part.name)?.[0] ?? '') ?? {};
    const duration = about['duration_secs'];
    const waveform = about['waveform'];
    const file: StoredFile = {
      id: world.snowflakes.next(),
      name: (typeof about['filename'] === 'string' ? about['filename'] : part.fileName) ?? 'unknown',
      size: part.bytes.length,
      contentType: part.mimeType,
      bytes: part.bytes,
      ...(typeof duration === 'number' ? { durationSeconds: duration } : {}),
      ...(typeof waveform === 'string' ? { waveform } : {}),
    };
    world.files.set(file.id, file);
    return file;
  });
}

function checkVoice(content: string, attachments: readonly StoredFile[]): void {
  const [file, second] = attachments;
  if (content !== '' || file === undefined || second !== undefined)
    throw invalidForm(
      'flags',
      'VOICE_MESSAGE_INVALID',
      'Voice messages must have one attachment and no content.',
    );
  const isWhole =
    file.durationSeconds !== undefined && file.durationSeconds > 0 && file.waveform !== undefined;
  if (!isWhole || Buffer.from(file.waveform ?? '', 'base64').length > 256)
    throw invalidForm(
      'attachments.0',
      'VOICE_MESSAGE_METADATA',
      'Voice messages need a duration and a waveform.',
    );
  if (!file.contentType.startsWith('audio/ogg'))
    throw invalidForm('attachments.0', 'VOICE_MESSAGE_TYPE', 'Voice messages must be ogg.');
}

function checkMentions(value: unknown): void {
  const { parse, users, roles } = fieldsOf(value);
  for (const [name, list] of [
    ['users', users],
    ['roles', roles],
  ] as const) {
    if (listOf(list).length > 0 && listOf(parse).includes(name))
      throw invalidForm(
        'allowed_mentions',
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${name}"] and ${name}: [ids...] are mutually exclusive.`,
      );
    if (listOf(list).length > 100)
      throw invalidForm('allowed_mentions', 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer.');
  }
}

function readComponents(value: unknown): readonly unknown[] {
  const rows = listOf(value);
  if (rows.length > MAX_ROWS)
    throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${MAX_ROWS} in length.`);
  const seen = new Set<unknown>();
  for (const [index, row] of rows.entries()) {
    const place = `components.${index}`;
    const inner = listOf(fieldsOf(row)['components']);
    if (fieldsOf(row)['type'] !== 1)
      throw invalidForm(place, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).');
    if (inner.length === 0 || inner.length > MAX_IN_ROW)
      throw invalidForm(place, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${MAX_IN_ROW} in length.`);
    if (inner.length > 1 && inner.some((item) => fieldsOf(item)['type'] === 3))
      throw invalidForm(
        place,
        'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
        'The specified component exceeds the maximum width',
      );
    for (const item of inner) checkComponent(fieldsOf(item), place, seen);
  }
  return rows;
}

function checkComponent(item: Fields, place: string, seen: Set<unknown>): void {
  const { type, custom_id: customId, label, style, url, options } = item;
  const isLink = type === 2 && style === 5;
  if (isLink ? typeof url !== 'string' : typeof customId !== 'string' || customId === '')
    throw invalidForm(`${place}.custom_id`, 'BASE_TYPE_REQUIRED', 'This field is required');
  if (String(customId ?? '').length > 100)
    throw invalidForm(`${place}.custom_id`, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
  if (customId !== undefined && seen.has(customId))
    throw invalidForm(
      `${place}.custom_id`,
      'COMPONENT_CUSTOM_ID_DUPLICATED',
      'Component custom id cannot be duplicated',
    );
  seen.add(customId);
  if (type === 2 && String(label ?? '').length > 80)
    throw invalidForm(`${place}.label`, 'BASE_TYPE_MAX_LENGTH', 'Must be 80 or fewer in length.');
  if (type === 3 && (listOf(options).length === 0 || listOf(options).length > 25))
    throw invalidForm(`${place}.options`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 25 in length.');
  if (type === 3) checkOptions(options, place);
}

function checkOptions(value: unknown, place: string): void {
  const options = listOf(value).map(fieldsOf);
  const tooLong = options.some(({ label, value: chosen }) =>
    [label, chosen].some((text) => String(text ?? '').length > 100 || String(text ?? '') === ''),
  );
  if (tooLong)
    throw invalidForm(`${place}.options`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
  if (new Set(options.map((option) => option['value'])).size < options.length)
    throw invalidForm(
      `${place}.options`,
      'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
      'The specified option value is already used',
    );
}
