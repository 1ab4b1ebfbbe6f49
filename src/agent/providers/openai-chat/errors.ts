import {
  after,
  later,
  never,
  ProviderError,
  type ProviderErrorCode,
  type RetryFate,
} from '../../../core/errors.js';
import { nameSetting } from '../../../core/setting-words.js';
import { oneLine } from '../../short-text.js';
import { parseRetryAfter } from '../kit/retry-after.js';
import { type Fields, toFields, toText } from './wire.js';

export interface ErrorContext {
  /** The address as it may be shown: without credentials and query. */
  readonly address: string;
  /** Where the settings stand, e.g. `model`. */
  readonly settingsPath: string;
  readonly model: string;
  readonly now: number;
  /** Whether an answer had begun: then the service can be reached. */
  readonly hasBegun: boolean;
  readonly redact: (text: string) => string;
}

/** What is known of a failed call, from the client's error object or from an error inside a stream. */
interface Failure {
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  readonly code: string;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** The system's name of a connection failure, e.g. ECONNREFUSED; empty if there was none. */
  readonly connection: string;
}

const maxMessageLength = 500;
const quotaCodes = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'];
const tooLongCodes = ['context_length_exceeded', 'string_above_max_length'];
const tooLongText =
  /maximum context length|context (?:length|window|size)|prompt is too long|too many (?:input )?tokens|input (?:length|tokens?) (?:exceed|is too)/iu;
/** Time-out, conflict, too early: of the 4xx, those that pass by themselves. */
const passingStatuses = [408, 409, 425];
const filterCodes = ['content_filter', 'content_policy_violation', 'invalid_prompt'];

/** Decides once what a failed call means and whether repeating it can help. Total; the result holds no secret. */
export const toProviderError = (error: unknown, context: ErrorContext): ProviderError => {
  const own = findOwn(error);
  if (own !== undefined) return own;
  const failure = readFailure(error, context.now);
  const { code, retry, userText } = judge(failure, context);
  const status = failure.status ?? (failure.connection || 'no status');
  const message = oneLine(context.redact(`${status} ${failure.code} ${failure.text}`), maxMessageLength);
  return new ProviderError({ code, retry, userText, message: `${context.address}: ${message}` });
};

/** An error that we threw inside the client's fetch comes back wrapped. */
const findOwn = (error: unknown): ProviderError | undefined => {
  if (error instanceof ProviderError) return error;
  return error instanceof Error && error.cause instanceof ProviderError ? error.cause : undefined;
};

const readFailure = (error: unknown, now: number): Failure => {
  const fields = toFields(error);
  const body = toFields(fields['error']);
  // Some services put an HTTP status where the dialect has a word.
  const rawCode = body['code'] ?? fields['code'];
  const numeric = Number(rawCode);
  const status = typeof fields['status'] === 'number' ? fields['status'] : undefined;
  return {
    status: status ?? (numeric >= 400 && numeric < 600 ? numeric : undefined),
    code: toText(rawCode) || toText(body['type'] ?? fields['type']),
    text: toText(body['message']) || (error instanceof Error ? error.message : String(error)),
    retryAfterMs: parseRetryAfter(fields['headers'] instanceof Headers ? fields['headers'] : undefined, now),
    connection: connectionCode(error),
  };
};

/** Fetch hides the system's code in a chain of causes, or in the list of addresses it tried. */
const connectionCode = (error: unknown): string => {
  let current: Fields = toFields(error);
  for (let depth = 0; depth < 5; depth += 1) {
    const code = toText(current['code']);
    if (/^[A-Z][A-Z\d_]+$/u.test(code)) return code;
    const inner = Array.isArray(current['errors']) ? current['errors'][0] : current['cause'];
    if (inner === undefined) return '';
    current = toFields(inner);
  }
  return '';
};

/** The variables stand for these two settings alone, never for those of a named provider. */
const keyOf = (settingsPath: string): string =>
  nameSetting(`${settingsPath}.api_key`, settingsPath === 'model' ? 'OPENAI_API_KEY' : undefined);
const addressOf = (settingsPath: string): string =>
  nameSetting(`${settingsPath}.base_url`, settingsPath === 'model' ? 'OPENAI_BASE_URL' : undefined);

interface Verdict {
  readonly code: ProviderErrorCode;
  readonly retry: RetryFate;
  readonly userText: string;
}

const judge = (failure: Failure, context: ErrorContext): Verdict => {
  const { status, code, text } = failure;
  const { settingsPath, model, address } = context;
  if (status === 402 || quotaCodes.includes(code))
    return verdict(
      'quota-exhausted',
      never,
      `The account of the model service is out of credit. Top it up, or set another key in ${keyOf(settingsPath)}.`,
    );
  if (status === 401 || status === 403 || code === 'invalid_api_key')
    return verdict('unauthorized', never, `The model service refuses the key. Check ${keyOf(settingsPath)}.`);
  if (tooLongCodes.includes(code) || (isRefusal(status) && tooLongText.test(text)))
    return verdict(
      'context-too-long',
      never,
      'The conversation has become too long for the model. Start afresh with /new, or send a shorter message.',
    );
  if (filterCodes.includes(code))
    return verdict(
      'content-refused',
      never,
      'The model service refuses to answer this. Please put it differently.',
    );
  if (status === 404 || code === 'model_not_found')
    return verdict(
      'model-not-found',
      never,
      `The model “${model}” was not found at ${address}. Check the model's name and ${addressOf(settingsPath)}.`,
    );
  if (status === 429 || code.startsWith('rate_limit'))
    return verdict(
      'rate-limited',
      fateOf(failure),
      'The model service is busy (rate limit). Please try again in a minute.',
    );
  const isRequestsFault = status === undefined ? code.startsWith('invalid_') : status < 500;
  if (!isRequestsFault || passingStatuses.includes(status ?? 0)) return unavailable(failure, context);
  return verdict(
    'bad-request',
    never,
    `The model service refused the request (${status ?? code}). Check the model's settings under ${settingsPath} in config.yaml; the log says more.`,
  );
};

const unavailable = (failure: Failure, { address, settingsPath, hasBegun }: ErrorContext): Verdict => {
  const retry = fateOf(failure);
  if (failure.status !== undefined)
    return verdict(
      'unavailable',
      retry,
      `The model service is out of order (${failure.status}). Please try again in a few minutes.`,
    );
  if (hasBegun)
    return verdict(
      'unavailable',
      retry,
      'The model service broke its answer off. Please send your message again.',
    );
  return verdict(
    'unavailable',
    retry,
    `I cannot reach the model at ${address} (${failure.connection || 'no connection'}). Check that it is running, and ${addressOf(settingsPath)}.`,
  );
};

const isRefusal = (status: number | undefined): boolean =>
  status === undefined || status === 400 || status === 413 || status === 422;

const fateOf = ({ retryAfterMs }: Failure): RetryFate =>
  retryAfterMs === undefined ? later : after(retryAfterMs);

const verdict = (code: ProviderErrorCode, retry: RetryFate, userText: string): Verdict => ({
  code,
  retry,
  userText,
});
