/** How large a file may be that a person sent, and what they are told of one that is larger. */
import { never, PlatformError } from '../../core/errors.js';
import { sizeText } from './size-text.js';

/** A file that is not taken; `userText` is for whoever sent it. */
export const refusedFile = (message: string, userText: string): PlatformError =>
  new PlatformError({ code: 'refused', message, userText, retry: never, outcome: 'none' });

export const overLimit = (maxBytes: number, sizeBytes?: number): PlatformError => {
  const size = sizeBytes === undefined ? '' : ` (${sizeText(sizeBytes)})`;
  const limit = sizeText(maxBytes);
  return refusedFile(
    `the file${size} is larger than ${limit}`,
    `This file is too large${size}: I take files of at most ${limit}.`,
  );
};

/** Passes bytes on until they are more than allowed, whatever was said before about their number. */
export async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const piece of bytes) {
    seen += piece.length;
    if (seen > maxBytes) throw overLimit(maxBytes);
    yield piece;
  }
}
