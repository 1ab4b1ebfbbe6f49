/**
 * The bytes of attached files. The Bot API names a path first: below the same server's address, or, with a local
 * server, in a folder of this host.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { PlatformError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { MediaFacet } from '../../core/platform.js';
import { fieldsOf, nameOf } from '../kit/fields.js';
import { limitBytes, overLimit, refusedFile } from '../kit/file-limit.js';
import { TransportError } from '../kit/http-exchange.js';
import type { TelegramClient } from './client.js';
import { isTooLarge, toPlatformError } from './errors.js';

interface FetchPorts {
  readonly client: TelegramClient;
  /** The Bot API server is on this host and names files by their absolute paths. */
  readonly isLocal: boolean;
  /** Telegram's own server, whose limit is known. */
  readonly isPublic: boolean;
}

/** What Telegram's own server hands out; one on this host has no limit of its own. */
const publicLimit = '20 MB';

const overServerLimit = (message: string, isPublic: boolean): PlatformError =>
  refusedFile(
    message,
    isPublic
      ? `This file is too large: Telegram hands bots files of at most ${publicLimit}.`
      : `This file is too large: it is over the limit of the Telegram server I use (${publicLimit} unless it is a local one).`,
  );

const unavailable = (error: TransportError): PlatformError =>
  toPlatformError({ kind: 'unanswered', method: 'getFile', reason: error.message, wasSent: false });

async function* limited(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  try {
    yield* limitBytes(bytes, maxBytes);
  } catch (error) {
    throw error instanceof TransportError ? unavailable(error) : error;
  }
}

const openLocal = async (
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> => {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) {
    throw refusedFile(
      'getFile: the server named a file that cannot be read on this host',
      'I cannot read this file: the Telegram server keeps it where I have no access.',
    );
  }
  if (found.size > maxBytes) throw overLimit(maxBytes, found.size);
  return createReadStream(path, { signal });
};

export const createMediaFetch = ({ client, isLocal, isPublic }: FetchPorts): MediaFacet => {
  const locate = async (handle: JsonValue, signal: AbortSignal) => {
    const fileId = nameOf(fieldsOf(handle)?.['file_id']);
    if (fileId === undefined) throw refusedFile('the handle names no file', 'I cannot fetch this file.');
    const result = await client.call('getFile', { file_id: fileId }, { signal });
    if (result.ok) return result.value;
    const error = toPlatformError(result.failure);
    throw isTooLarge(result.failure) ? overServerLimit(error.message, isPublic) : error;
  };
  return {
    async fetch(handle, { signal, maxBytes }) {
      const { file_path: path, file_size: sizeBytes } = await locate(handle, signal);
      if (sizeBytes !== undefined && sizeBytes > maxBytes) throw overLimit(maxBytes, sizeBytes);
      if (path === undefined) throw refusedFile('getFile: no path', 'Telegram does not hand out this file.');
      if (!isAbsolute(path)) {
        const answer = await client.download(path, { signal });
        if (!answer.ok) throw toPlatformError(answer.failure);
        return limited(answer.value, maxBytes);
      }
      // Whoever answers for the server could otherwise make us read any file of this host.
      if (!isLocal) {
        throw refusedFile(
          'getFile: the server named a file of its host; set `local_api: true` if that is this host',
          'I cannot fetch this file: my operator has to set `local_api: true` for this Telegram server.',
        );
      }
      return limited(await openLocal(path, maxBytes, signal), maxBytes);
    },
  };
};
