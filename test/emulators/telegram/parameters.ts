/**
 * Parameters of a call. They come by query string, form, multipart or JSON, and numbers, booleans and objects may come
 * as text in each of them.
 */
import { parseMultipart } from '../kit/multipart.js';
import { badRequest } from './api-error.js';

export type Parameters = Readonly<Record<string, unknown>>;

export interface UploadedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface DecodedRequest {
  readonly params: Parameters;
  /** By the name of their form field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** Parameters whose value is an object or a list. */
const JSON_PARAMETERS: ReadonlySet<string> = new Set([
  'allowed_updates',
  'caption_entities',
  'commands',
  'entities',
  'link_preview_options',
  'media',
  'message_ids',
  'reaction',
  'reply_markup',
  'reply_parameters',
  'scope',
]);

export function decodeRequest(query: URLSearchParams, contentType: string, body: Buffer): DecodedRequest {
  const params: Record<string, unknown> = Object.fromEntries(query);
  const files = new Map<string, UploadedFile>();
  if (body.length > 0) {
    if (contentType.startsWith('multipart/form-data')) readMultipart(body, contentType, params, files);
    else if (contentType.startsWith('application/json'))
      Object.assign(params, readJsonObject(decodeUtf8(body)));
    else if (contentType.startsWith('application/x-www-form-urlencoded')) {
      Object.assign(params, Object.fromEntries(new URLSearchParams(decodeUtf8(body))));
    }
  }
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string') params[name] = decodeText(name, value);
  }
  return { params, files };
}

function readMultipart(
  body: Buffer,
  contentType: string,
  params: Record<string, unknown>,
  files: Map<string, UploadedFile>,
): void {
  try {
    for (const part of parseMultipart(body, contentType)) {
      if (part.fileName === undefined) {
        params[part.name] = decodeUtf8(part.bytes);
        continue;
      }
      files.set(part.name, { fileName: part.fileName, mimeType: part.mimeType, bytes: part.bytes });
      params[part.name] = { fileName: part.fileName, sizeBytes: part.bytes.length, mimeType: part.mimeType };
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest("can't parse multipart form data");
    throw error;
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badRequest('strings must be encoded in UTF-8');
  }
}

function readJsonObject(text: string): Record<string, unknown> {
  const value = parseJson(text, 'request');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest("can't parse JSON object");
  return { ...value };
}

function decodeText(name: string, value: string): unknown {
  if (name === 'chat_id' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return JSON_PARAMETERS.has(name) && value !== '' ? parseJson(value, name) : value;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`);
  }
}

/** Numbers and booleans given for text are taken as written. Absent, null and objects are undefined. */
export function textParameter(params: Parameters, name: string): string | undefined {
  const value = params[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Text that is no whole number counts as 0, as the server's own reader has it. */
export function integerParameter(params: Parameters, name: string): number | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'number' ? value : Number(value);
  return Number.isSafeInteger(number) ? number : 0;
}

export function booleanParameter(params: Parameters, name: string): boolean {
  const value = params[name];
  if (typeof value === 'string') return ['true', 'yes', '1'].includes(value.toLowerCase());
  return value === true || value === 1;
}

export function objectParameter(params: Parameters, name: string): Parameters | undefined {
  const value = params[name];
  // An object from JSON can be read as a bag of unknown fields.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Parameters)
    : undefined;
}

export function listParameter(params: Parameters, name: string): readonly unknown[] | undefined {
  const value = params[name];
  return Array.isArray(value) ? value : undefined;
}
