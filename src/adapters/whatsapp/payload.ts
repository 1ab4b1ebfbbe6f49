/** WhatsApp's messages as the outbox keeps them. A stored payload may be of an older version: it is read with care. */
import type { EncodedMessage } from '../../core/outbound.js';
import { type MediaKind, mediaKinds } from '../../core/parts.js';
import { fieldsOf, nameOf, numberOf, textOf } from '../kit/fields.js';

export interface ShownFile {
  readonly kind: MediaKind;
  readonly path: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly durationMs?: number;
  /** 64 bytes from 0 to 255, in base64. */
  readonly waveform?: string;
}

/** A text, or one file with a text beneath it. */
export interface WhatsAppMessage {
  /** As people read it. */
  readonly text: string;
  /** As it is sent. */
  readonly content: string;
  readonly file?: ShownFile;
}

export const toEncoded = ({ text, content, file }: WhatsAppMessage): EncodedMessage => ({
  text,
  payload: { content, ...(file !== undefined && { file: { ...file } }) },
  ...(file !== undefined && { files: [file.path] }),
});

const toFile = (value: unknown): ShownFile | undefined => {
  const fields = fieldsOf(value) ?? {};
  const kind = mediaKinds.find((known) => known === fields['kind']);
  const path = nameOf(fields['path']);
  const fileName = nameOf(fields['fileName']);
  if (kind === undefined || path === undefined || fileName === undefined) return undefined;
  const durationMs = numberOf(fields['durationMs']);
  const waveform = nameOf(fields['waveform']);
  return {
    kind,
    path,
    fileName,
    mimeType: nameOf(fields['mimeType']) ?? 'application/octet-stream',
    ...(durationMs !== undefined && { durationMs }),
    ...(waveform !== undefined && { waveform }),
  };
};

/** A payload that is not ours gives the plain text. */
export const fromEncoded = ({ text, payload }: EncodedMessage): WhatsAppMessage => {
  const file = toFile(fieldsOf(payload)?.['file']);
  const content = textOf(fieldsOf(payload)?.['content']) ?? text;
  return { text, content, ...(file !== undefined && { file }) };
};
