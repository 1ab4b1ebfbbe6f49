/** What a failed send means for its message, decided once. */
import { later, never, PlatformError, type PlatformErrorCode, type RetryFate } from '../../core/errors.js';
import { AckError, statusOf } from './client.js';

const failed = (
  code: PlatformErrorCode,
  message: string,
  retry: RetryFate,
  outcome: 'none' | 'unknown' = 'none',
): PlatformError => new PlatformError({ code, message, retry, outcome });

/** WhatsApp's codes in the acknowledgement of a message that it did not take. */
const refusals: Readonly<Record<number, { readonly code: PlatformErrorCode; readonly words: string }>> = {
  400: { code: 'refused', words: 'it is malformed' },
  401: { code: 'unreachable-chat', words: 'this account may not write there' },
  403: { code: 'unreachable-chat', words: 'this account may not write there; it was removed or blocked' },
  404: { code: 'unreachable-chat', words: 'there is no such chat' },
  405: { code: 'refused', words: 'it is not allowed there' },
  406: { code: 'refused', words: 'WhatsApp does not accept it' },
  413: { code: 'refused', words: 'it is too large' },
  421: { code: 'unreachable-chat', words: 'the group knows this account by another id' },
  463: {
    code: 'unreachable-chat',
    words: 'WhatsApp does not let this account begin talks now; let that person write first',
  },
  475: { code: 'refused', words: 'the message to change is too old' },
};

export const toPlatformError = (error: unknown): PlatformError => {
  if (error instanceof PlatformError) return error;
  if (error instanceof AckError) {
    if (error.code === 429) return failed('rate-limited', 'WhatsApp asks to slow down (429)', later);
    const refusal = refusals[error.code];
    if (refusal !== undefined)
      return failed(refusal.code, `WhatsApp refuses the message (${error.code}): ${refusal.words}`, never);
    if (error.code >= 500)
      return failed('unavailable', `WhatsApp could not take the message (${error.code})`, later);
    return failed('refused', `WhatsApp refuses the message (${error.code})`, never);
  }
  const status = statusOf(error);
  const words = error instanceof Error ? error.message : String(error);
  return new PlatformError({
    code: 'unavailable',
    message: `WhatsApp: ${words}${status === 0 ? '' : ` (${status})`}`,
    retry: later,
    // It may have left before the connection went; its id makes the repeat harmless.
    outcome: 'unknown',
    cause: error,
  });
};

/** Undefined for what is no failed transfer of a file. */
export const transferStatusOf = (error: unknown): number | undefined => {
  const status = statusOf(error);
  return status >= 400 && status < 600 ? status : undefined;
};
