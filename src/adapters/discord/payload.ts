/** Discord's messages as the outbox keeps them. A stored payload may be of an older version: it is read with care. */
import type { JsonValue } from '../../core/json.js';
import type { EncodedMessage } from '../../core/outbound.js';
import { fieldsOf, integerOf, listOf, nameOf, numberOf, textOf } from '../kit/fields.js';

export interface AttachedFile {
  readonly path: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

/** A text of ours that goes as a file, since it is too long for messages. */
export interface AttachedText {
  readonly fileName: string;
  readonly text: string;
}

/** What Discord wants to know of a voice message. */
export interface VoiceMark {
  readonly durationMs: number;
  /** Up to 256 bytes from 0 to 255, in base64. */
  readonly waveform: string;
}

export interface DiscordMessage {
  /** As people read it. */
  readonly text: string;
  /** As it is sent. */
  readonly content: string;
  readonly files: readonly AttachedFile[];
  readonly longText?: AttachedText;
  /** Its one file is a voice message; there is no text. */
  readonly voice?: VoiceMark;
  /** Rows of buttons beneath it. */
  readonly components?: readonly JsonValue[];
}

export const toEncoded = ({
  text,
  content,
  files,
  longText,
  voice,
  components,
}: DiscordMessage): EncodedMessage => ({
  text,
  payload: {
    content,
    ...(files.length > 0 && { files: files.map((file) => ({ ...file })) }),
    ...(longText !== undefined && { longText: { ...longText } }),
    ...(voice !== undefined && { voice: { ...voice } }),
    ...(components !== undefined && { components }),
  },
  ...(files.length > 0 && { files: files.map(({ path }) => path) }),
});

const toFile = (value: unknown): AttachedFile | undefined => {
  const fields = fieldsOf(value) ?? {};
  const path = nameOf(fields['path']);
  const fileName = nameOf(fields['fileName']);
  if (path === undefined || fileName === undefined) return undefined;
  const mimeType = nameOf(fields['mimeType']) ?? 'application/octet-stream';
  return {
    path,
    fileName,
    mimeType,
    sizeBytes: integerOf(fields['sizeBytes']) ?? numberOf(fields['sizeBytes']) ?? 0,
  };
};

const toLongText = (value: unknown): AttachedText | undefined => {
  const fields = fieldsOf(value);
  const fileName = nameOf(fields?.['fileName']);
  const text = textOf(fields?.['text']);
  return fileName === undefined || text === undefined ? undefined : { fileName, text };
};

const toVoiceMark = (value: unknown): VoiceMark | undefined => {
  const fields = fieldsOf(value);
  const waveform = textOf(fields?.['waveform']);
  const durationMs = numberOf(fields?.['durationMs']);
  return waveform === undefined || durationMs === undefined ? undefined : { durationMs, waveform };
};

/** A payload that is not ours gives the plain text. */
export const fromEncoded = ({ text, payload }: EncodedMessage): DiscordMessage => {
  const fields = fieldsOf(payload);
  const longText = toLongText(fields?.['longText']);
  const voice = toVoiceMark(fields?.['voice']);
  const components = listOf(fields?.['components']);
  return {
    text,
    content: textOf(fields?.['content']) ?? text,
    files: listOf(fields?.['files'])
      .map(toFile)
      .filter((file) => file !== undefined),
    ...(longText !== undefined && { longText }),
    ...(voice !== undefined && { voice }),
    // Written by `toEncoded`, and checked by the server again.
    ...(components.length > 0 && { components: components as readonly JsonValue[] }),
  };
};
