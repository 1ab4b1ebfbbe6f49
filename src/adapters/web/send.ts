import { createReadStream } from 'node:fs';
import type { Clock } from '../../core/clock.js';
import {
  GatewayError,
  isAbort,
  later,
  never,
  PlatformError,
  type PlatformErrorCode,
  ToolError,
} from '../../core/errors.js';
import type { EncodedMessage, Receipt } from '../../core/outbound.js';
import type { PageMedia } from '../../core/page-log.js';
import type { SendRequest } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { filesOf, MAX_TEXT_UNITS } from './encode.js';
import type { Hub } from './hub.js';
import { parseSession, toPageMedia, toSentMessageId } from './ids.js';

const refusal = (code: PlatformErrorCode, message: string): PlatformError =>
  new PlatformError({ code, message, retry: never, outcome: 'none' });

interface SendDeps {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly media: AdapterPorts['media'];
  readonly signal: AbortSignal;
}

/** Spooled files go when a delivery has ended; what a page shows has to stay. */
const keepFiles = async (
  encoded: EncodedMessage,
  { media, signal }: SendDeps,
): Promise<readonly PageMedia[]> => {
  const kept: PageMedia[] = [];
  for (const { kind, file } of filesOf(encoded)) {
    const { fileName, mimeType, sizeBytes } = file;
    const request = { kind, fileName, mimeType, maxBytes: sizeBytes };
    kept.push(toPageMedia(await media.keep(request, createReadStream(file.path), { signal })));
  }
  return kept;
};

/** A message is sent when it is stored; whoever follows the session then is told, everybody else reads it later. */
export const send = async (
  { route, encoded, replyTo, idempotencyKey, cause }: SendRequest,
  deps: SendDeps,
): Promise<Receipt> => {
  const { hub, clock, signal } = deps;
  signal.throwIfAborted();
  const session = parseSession(route.chat);
  if (session === undefined) throw refusal('unreachable-chat', 'not a session of the page');
  if (encoded.text.length > MAX_TEXT_UNITS) throw refusal('refused', 'the message is too long for the page');
  try {
    const files = await keepFiles(encoded, deps);
    const { message, at } = await hub.feed(session).append({
      message: toSentMessageId(session, idempotencyKey),
      role: 'assistant',
      text: encoded.text,
      ...(replyTo !== undefined && { replyTo }),
      ...(files.length > 0 && { media: files }),
      ...(cause?.kind === 'turn' && cause.isFailure && { isFailure: true }),
      at: clock.now(),
    });
    return { messages: [message], sentAt: at };
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    if (error instanceof ToolError) throw refusal('refused', `a file cannot be shown: ${error.message}`);
    throw new PlatformError({
      code: 'unavailable',
      message: 'the message could not be stored',
      retry: error instanceof GatewayError ? error.retry : later,
      // Storing is atomic, so a failure has changed nothing.
      outcome: 'none',
      cause: error,
    });
  }
};
