import type { Clock } from '../../core/clock.js';
import { GatewayError, later, never, PlatformError, type PlatformErrorCode } from '../../core/errors.js';
import type { Receipt } from '../../core/outbound.js';
import type { SendRequest } from '../../core/platform.js';
import { MAX_TEXT_UNITS } from './encode.js';
import type { Hub } from './hub.js';
import { parseSession, toSentMessageId } from './ids.js';

const refusal = (code: PlatformErrorCode, message: string): PlatformError =>
  new PlatformError({ code, message, retry: never, outcome: 'none' });

/** A message is sent when it is stored; whoever follows the session then is told, everybody else reads it later. */
export const send = async (
  { route, encoded, replyTo, idempotencyKey }: SendRequest,
  { hub, clock, signal }: { readonly hub: Hub; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Receipt> => {
  signal.throwIfAborted();
  const session = parseSession(route.chat);
  if (session === undefined) throw refusal('unreachable-chat', 'not a session of the page');
  if (encoded.text.length > MAX_TEXT_UNITS) throw refusal('refused', 'the message is too long for the page');
  try {
    const { message, at } = await hub.feed(session).append({
      message: toSentMessageId(session, idempotencyKey),
      role: 'assistant',
      text: encoded.text,
      ...(replyTo !== undefined && { replyTo }),
      at: clock.now(),
    });
    return { messages: [message], sentAt: at };
  } catch (error) {
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
