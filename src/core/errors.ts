import type { ChatId } from './ids.js';

/** Whether trying the same thing again can help, and when. */
export type RetryFate =
  | { readonly kind: 'never' }
  | { readonly kind: 'later' }
  /** Not before `delayMs` have passed, because the other side said so. */
  | { readonly kind: 'after'; readonly delayMs: number };

export const never: RetryFate = { kind: 'never' };
export const later: RetryFate = { kind: 'later' };
export const after = (delayMs: number): RetryFate => ({ kind: 'after', delayMs });

interface ErrorOptions<Code extends string> {
  readonly code: Code;
  readonly message: string;
  readonly retry: RetryFate;
  /** A sentence for the person in the chat, saying what to do. Absent: a generic one is used. */
  readonly userText?: string;
  /** Must already be free of secrets: whoever constructs the error redacts first. */
  readonly cause?: unknown;
}

/**
 * Expected failures. The code that recognises a failure decides its fate once, here; whoever handles it obeys.
 * An abort is never wrapped: it passes through as the signal's reason.
 */
export abstract class GatewayError<Code extends string = string> extends Error {
  abstract readonly origin: 'config' | 'platform' | 'provider' | 'tool' | 'store';
  readonly code: Code;
  readonly retry: RetryFate;
  readonly userText: string | undefined;

  constructor(options: ErrorOptions<Code>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.retry = options.retry;
    this.userText = options.userText;
  }
}

/** One thing wrong in the settings. */
export interface SettingsProblem {
  /** Dotted path of the key, e.g. `model.base_url`; empty for the file itself. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** What to write instead, as a sentence or a line to paste. */
  readonly advice: string;
}

/** Settings that cannot be used; carries every problem at once. */
export class ConfigError extends GatewayError<'invalid-settings' | 'unreadable-settings' | 'unusable-home'> {
  readonly origin = 'config';
  readonly problems: readonly SettingsProblem[];

  constructor(code: ConfigError['code'], problems: readonly SettingsProblem[]) {
    super({ code, retry: never, message: problems.map(formatProblem).join('\n') });
    this.problems = problems;
  }
}

const formatProblem = ({ path, expected, got, advice }: SettingsProblem): string =>
  `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}. ${advice}`;

export type PlatformErrorCode =
  /** The token or session is refused; only the operator can mend it. */
  | 'unauthorized'
  /** Another process receives with the same credentials. */
  | 'conflict'
  | 'rate-limited'
  /** The request did not reach the platform, or it answered that it is out of order. */
  | 'unavailable'
  /** The chat does not exist, or the bot was blocked or removed from it. */
  | 'unreachable-chat'
  /** The platform understood and refused this message; repeating it is useless. */
  | 'refused'
  /** The message to edit or reply to is gone or too old. */
  | 'message-gone';

interface PlatformErrorOptions extends ErrorOptions<PlatformErrorCode> {
  readonly outcome: 'none' | 'unknown';
  readonly movedTo?: ChatId;
}

/**
 * A platform call that failed. `outcome` says what is known of its effect: `none` – certainly not carried out;
 * `unknown` – the request may have been carried out although no answer came (cut connection, time-out).
 */
export class PlatformError extends GatewayError<PlatformErrorCode> {
  readonly origin = 'platform';
  readonly outcome: 'none' | 'unknown';
  /** The chat goes on under this id, where the same send may succeed. */
  readonly movedTo: ChatId | undefined;

  constructor(options: PlatformErrorOptions) {
    super(options);
    this.outcome = options.outcome;
    this.movedTo = options.movedTo;
  }
}

export type ProviderErrorCode =
  | 'unauthorized'
  | 'quota-exhausted'
  | 'rate-limited'
  | 'context-too-long'
  | 'model-not-found'
  | 'content-refused'
  /** The service answered that it is out of order, or the connection failed or went silent. */
  | 'unavailable'
  /** The service refused the request, or answered something that is not its protocol. */
  | 'bad-request'
  | 'empty-answer';

/** A model call that failed. */
export class ProviderError extends GatewayError<ProviderErrorCode> {
  readonly origin = 'provider';
}

/** A tool that could not do what was asked; its message goes to the model. */
export class ToolError extends GatewayError<'invalid-input' | 'not-allowed' | 'not-found' | 'failed'> {
  readonly origin = 'tool';
}

/** The database refused a write or a read: full disk, lost file, foreign file, another owner. */
export class StoreError extends GatewayError<
  'full' | 'unwritable' | 'locked' | 'foreign' | 'corrupt' | 'failed'
> {
  readonly origin = 'store';
}

/** True for the rejection that an aborted signal causes, which is an outcome and not a failure. */
export const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error === signal.reason;
