/** Telegram's messages as the outbox keeps them. A stored payload may be of an older version: it is read with care. */
import type { MessageEntity } from 'grammy/types';
import type { JsonValue } from '../../core/json.js';
import type { EncodedMessage } from '../../core/outbound.js';
import { fieldsOf, integerOf, listOf, nameOf } from '../kit/fields.js';
import type { TelegramText } from './encode.js';
import type { Button, Keyboard } from './keyboard.js';
import { type ShownKind, shownKinds } from './media-kind.js';

export interface ShownFile {
  readonly kind: ShownKind;
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly seconds?: number;
}

/** A text, or up to ten files of one sort with a text beneath them. */
export interface TelegramMessage extends TelegramText {
  readonly files: readonly ShownFile[];
  /** Buttons beneath a text without files. */
  readonly keyboard?: Keyboard;
}

export const toEncoded = ({ text, entities, files, keyboard }: TelegramMessage): EncodedMessage => {
  // The entities that encode makes are flat objects of strings and numbers.
  const plain = entities as unknown as readonly JsonValue[];
  const rows = keyboard?.map((row) => row.map((button) => ({ ...button })));
  const common = { entities: plain, ...(rows !== undefined && { keyboard: rows }) };
  if (files.length === 0) return { text, payload: common };
  const stored = files.map(({ seconds, ...file }) => ({
    ...file,
    ...(seconds !== undefined && { seconds }),
  }));
  return { text, payload: { ...common, files: stored }, files: files.map(({ path }) => path) };
};

const isShownKind = (kind: unknown): kind is ShownKind => shownKinds.some((known) => known === kind);

const toShownFile = (value: unknown): ShownFile | undefined => {
  const fields = fieldsOf(value) ?? {};
  const { kind } = fields;
  const path = nameOf(fields['path']);
  const fileName = nameOf(fields['fileName']);
  if (!isShownKind(kind) || path === undefined || fileName === undefined) return undefined;
  const seconds = integerOf(fields['seconds']);
  const file = { kind, path, fileName, sizeBytes: integerOf(fields['sizeBytes']) ?? 0 };
  return seconds === undefined ? file : { ...file, seconds };
};

const toButton = (value: unknown): Button | undefined => {
  const text = nameOf(fieldsOf(value)?.['text']);
  const data = nameOf(fieldsOf(value)?.['callback_data']);
  return text === undefined || data === undefined ? undefined : { text, callback_data: data };
};

const keyboardOf = (payload: unknown): { readonly keyboard?: Keyboard } => {
  const rows = listOf(fieldsOf(payload)?.['keyboard']).map((row) =>
    listOf(row)
      .map(toButton)
      .filter((button) => button !== undefined),
  );
  return rows.length === 0 ? {} : { keyboard: rows };
};

/** A payload that is not ours gives the plain text. */
export const fromEncoded = ({ text, payload }: EncodedMessage): TelegramMessage => ({
  text,
  ...keyboardOf(payload),
  // Written by `toEncoded`, and checked by the server again; a refused one is sent as plain text.
  entities: listOf(fieldsOf(payload)?.['entities']) as MessageEntity[],
  files: listOf(fieldsOf(payload)?.['files'])
    .map(toShownFile)
    .filter((file) => file !== undefined),
});
