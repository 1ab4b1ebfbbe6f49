import type { Context } from 'hono';
import type { HttpEnv } from './http-env.js';
import { type Checked, failed, passed } from './http-problem.js';

const tooLarge = (maxBytes: number) =>
  failed(
    413,
    'too-large',
    `The request has more than ${maxBytes} bytes. Send less, or raise platforms.web.max_body_bytes.`,
    // What is left of the body is not read, so the connection cannot be used again.
    { connection: 'close' },
  );

/** Reads a JSON body, whatever type it claims to have. Never holds more than `maxBytes` of it. */
export const readJsonBody = async (
  context: Context<HttpEnv>,
  maxBytes: number,
): Promise<Checked<unknown>> => {
  const length = context.req.header('content-length');
  if (length !== undefined && Number(length) > maxBytes) return tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = context.req.raw.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      return tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size));
    // JSON.parse gives any; unknown is what is known of it.
    return passed(JSON.parse(text) as unknown);
  } catch {
    return failed(
      400,
      'malformed-json',
      'The body is not JSON in UTF-8. Send an object like {"text": "Hello"}.',
    );
  }
};
