/** File names as strangers give them, made harmless. Pure but for the random part of a new name. */
import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { extensionOf, namesType } from './media-types.js';

const MAX_NAME_BYTES = 120;

/** Control and format characters: they hide or turn round what a name says. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

const cut = (text: string, maxBytes: number): string => {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
};

/** One segment, as people see it; never empty, never hidden, never longer than a file system takes. */
export const toShownName = (given: string | undefined, fallback: string): string => {
  const last = (given ?? '').normalize('NFC').replace(unseen, '').split(/[/\\]/u).at(-1) ?? '';
  const name = last.trim().replace(/^\.+/u, '').trim();
  if (name === '') return fallback;
  const extension = extname(name).length <= 12 ? extname(name) : '';
  return `${cut(name.slice(0, name.length - extension.length), MAX_NAME_BYTES)}${extension}`;
};

/** A name that no other file has and nobody can guess, its extension telling the type. */
export const toUniqueName = (shownName: string, mimeType: string): string => {
  const own = extname(shownName);
  const stem = shownName.slice(0, shownName.length - own.length);
  const extension = namesType(shownName, mimeType) ? own : extensionOf(mimeType) || own;
  const plain = stem.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+|[._]+$/gu, '');
  const suffix = extension.toLowerCase().replace(/[^.a-z0-9]/gu, '');
  return `${cut(plain, 60) || 'file'}_${randomBytes(16).toString('hex')}${suffix}`;
};

export const isUniqueName = (name: string): boolean =>
  /^[\p{L}\p{N}._-]+_[0-9a-f]{32}(?:\.[a-z0-9]+)?$/u.test(name);

/** As long results of tools are named, by turn, call and tool. */
export const isSpilledName = (name: string): boolean => /^trn_[\w-]+\.txt$/u.test(name);
