/** What went wrong with an engine, as people read it. The texts have no full stop and follow a name. */
import { after, later, never, type RetryFate, ToolError } from '../core/errors.js';

/** Longer is no wait for somebody who has just spoken. */
const MAX_WAIT_MS = 5_000;

export const engineError = (message: string, retry: RetryFate = never, cause?: unknown): ToolError =>
  new ToolError({ code: 'failed', message, retry, cause });

/** The recording, or the text, is larger than the engine takes; a smaller one may do. */
export class TooLargeError extends ToolError {
  constructor(name: string) {
    super({ code: 'invalid-input', message: `${name} takes nothing of this size (413)`, retry: never });
  }
}

const retryAfter = (header: string | null | undefined): RetryFate => {
  const seconds = Number(header ?? Number.NaN);
  if (!Number.isFinite(seconds)) return later;
  return seconds * 1000 > MAX_WAIT_MS ? never : after(seconds * 1000);
};

/** An answer that is no success. */
export const statusError = (
  name: string,
  status: number,
  { detail = '', retryAfter: header }: { readonly detail?: string; readonly retryAfter?: string | null } = {},
): ToolError => {
  if (status === 401 || status === 403) return engineError(`${name} refuses the key (${status})`);
  if (status === 404) return engineError(`${name} knows no such address or model (404)`);
  if (status === 413) return new TooLargeError(name);
  if (status === 429) return engineError(`${name} is asked too often right now`, retryAfter(header));
  if (status >= 500 || status === 408) return engineError(`${name} is out of order (${status})`, later);
  const said = detail.replace(/\s+/gu, ' ').trim().slice(0, 200);
  return engineError(`${name} refused it (${status}${said === '' ? '' : `: ${said}`})`);
};

const codeOf = (error: unknown): string => {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return ` (${one.code})`;
  return '';
};

export const unreachable = (name: string, error: unknown): ToolError =>
  engineError(`${name} cannot be reached, or broke off${codeOf(error)}`, later, error);
