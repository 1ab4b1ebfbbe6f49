/** The bytes of attached files, from WhatsApp's file servers. They forget; then the phone that has the file is asked. */
import type { Clock } from '../../core/clock.js';
import { isAbort, later, PlatformError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { Logger } from '../../core/logger.js';
import type { MediaFacet } from '../../core/platform.js';
import { fieldsOf, nameOf } from '../kit/fields.js';
import { limitBytes, refusedFile } from '../kit/file-limit.js';
import { withTimeLimit } from '../kit/time-limit.js';
import { downloadMedia, type MediaAddress, statusOf, type WAMessage } from './client.js';
import type { Connection } from './connection.js';

interface FetchPorts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
}

const kinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
/** The phone may be off. */
const RENEW_LIMIT_MS = 20_000;
const DOWNLOAD_LIMIT_MS = 60_000;

const addressOf = (handle: JsonValue): MediaAddress | undefined => {
  const fields = fieldsOf(handle);
  const kind = kinds.find((known) => known === fields?.['kind']);
  const mediaKey = nameOf(fields?.['mediaKey']);
  if (kind === undefined || mediaKey === undefined) return undefined;
  const [url, directPath] = [nameOf(fields?.['url']), nameOf(fields?.['directPath'])];
  return { kind, mediaKey: Buffer.from(mediaKey, 'base64'), url, directPath };
};

const fields = {
  image: 'imageMessage',
  video: 'videoMessage',
  audio: 'audioMessage',
  document: 'documentMessage',
  sticker: 'stickerMessage',
} as const;

/** As much of the message as its renewal needs. */
const messageOf = (
  handle: JsonValue,
  { kind, mediaKey, url, directPath }: MediaAddress,
): WAMessage | undefined => {
  const key = fieldsOf(fieldsOf(handle)?.['key']);
  const [id, remoteJid, participant] = [key?.['id'], key?.['remoteJid'], key?.['participant']].map(nameOf);
  if (id === undefined || remoteJid === undefined) return undefined;
  const name = fields[kind as keyof typeof fields];
  return {
    key: { id, remoteJid, fromMe: false, ...(participant !== undefined && { participant }) },
    message: { [name]: { mediaKey, url: url ?? null, directPath: directPath ?? null } },
  };
};

const isExpired = (error: unknown): boolean => [403, 404, 410].includes(statusOf(error));

const failed = (error: unknown): PlatformError => {
  const status = statusOf(error);
  if (isExpired(error) || status === 412)
    return refusedFile(`the file is gone (${status})`, 'This file is no longer at WhatsApp.');
  const words = error instanceof Error ? error.message : String(error);
  return new PlatformError({
    code: 'unavailable',
    message: `GET file: ${words}`,
    retry: later,
    outcome: 'none',
  });
};

async function* checked(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  try {
    yield* limitBytes(bytes, maxBytes);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    // A wrong key or spoiled bytes: decryption fails at the end.
    throw refusedFile(
      `the file cannot be decrypted: ${error instanceof Error ? error.message : 'unknown'}`,
      'This file did not come through whole. Please send it again.',
    );
  }
}

export const createMediaFetch = ({ connection, clock, logger }: FetchPorts): MediaFacet => {
  const download = (address: MediaAddress, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
    withTimeLimit({ clock, limitMs: DOWNLOAD_LIMIT_MS, signal }, (inner) => downloadMedia(address, inner));

  const renew = async (
    handle: JsonValue,
    address: MediaAddress,
    signal: AbortSignal,
  ): Promise<MediaAddress> => {
    const message = messageOf(handle, address);
    if (message === undefined) return address;
    logger.info({ kind: address.kind }, 'a file has expired, asking the phone for it');
    const renewed = await connection.using(signal, (socket) =>
      withTimeLimit({ clock, limitMs: RENEW_LIMIT_MS, signal }, (inner) =>
        // The SDK waits for an answer for ever.
        Promise.race([socket.renewMedia(message), rejectOn(inner)]),
      ),
    );
    const content = fieldsOf(Object.values(renewed.message ?? {})[0]);
    const [url, directPath] = [nameOf(content?.['url']), nameOf(content?.['directPath'])];
    return { ...address, url, directPath };
  };

  return {
    async fetch(handle, { signal, maxBytes }) {
      const address = addressOf(handle);
      if (address === undefined)
        throw refusedFile('the handle names no file of WhatsApp', 'I cannot fetch this file.');
      try {
        const bytes = await download(address, signal).catch(async (error: unknown) => {
          if (!isExpired(error)) throw error;
          return download(await renew(handle, address, signal), signal);
        });
        return checked(bytes, maxBytes);
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        throw failed(error);
      }
    },
  };
};

const rejectOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
