/** The bytes of attached files, from Discord's file server or a proxy of ours in front of it. */
import { PlatformError } from '../../core/errors.js';
import type { MediaFacet } from '../../core/platform.js';
import { fieldsOf, nameOf } from '../kit/fields.js';
import { limitBytes, overLimit, refusedFile } from '../kit/file-limit.js';
import type { DiscordClient } from './client.js';
import { toPlatformError } from './errors.js';
import { HttpFailure } from './transport.js';

const cut = (failure: HttpFailure): PlatformError =>
  toPlatformError({ kind: 'unanswered', call: 'GET file', reason: failure.message, wasSent: false });

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of limitBytes(bytes, maxBytes)) {
      signal.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof PlatformError
      ? error
      : cut(new HttpFailure('the file was cut off', { wasSent: false }));
  }
}

/** Only what comes from Discord, or from the server that stands in its place, is fetched: a message could name anything. */
const isOfDiscord = (url: string, apiRoot: string): boolean => {
  const { protocol, hostname, host } = new URL(url);
  if (host === new URL(apiRoot).host) return true;
  return protocol === 'https:' && /(?:^|\.)discord(?:app)?\.(?:com|net)$/u.test(hostname);
};

export const createMediaFetch = (ports: {
  readonly client: DiscordClient;
  readonly apiRoot: string;
}): MediaFacet => ({
  async fetch(handle, { signal, maxBytes }) {
    const url = nameOf(fieldsOf(handle)?.['url']);
    if (url === undefined || !URL.canParse(url) || !isOfDiscord(url, ports.apiRoot))
      throw refusedFile('the handle names no file of Discord', 'I cannot fetch this file.');
    let response: Response;
    try {
      response = await ports.client.download(url, { signal });
    } catch (error) {
      throw error instanceof HttpFailure ? cut(error) : error;
    }
    if (response.status === 404 || response.status === 403)
      throw refusedFile(`GET file: HTTP ${response.status}`, 'This file is no longer at Discord.');
    if (!response.ok || response.body === null) {
      const description = `HTTP ${response.status} for the file`;
      throw toPlatformError({
        kind: 'refused',
        call: 'GET file',
        status: response.status,
        code: 0,
        description,
      });
    }
    const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN);
    if (sizeBytes > maxBytes) {
      await response.body.cancel();
      throw overLimit(maxBytes, sizeBytes);
    }
    return limited(response.body, maxBytes, signal);
  },
});
