/** The only file that loads the SDK. */
import { Api, GrammyError, HttpError, InputFile, type RawApi } from 'grammy';
import type { Clock } from '../../core/clock.js';
import { TransportError } from '../kit/http-exchange.js';
import { withTimeLimit } from '../kit/time-limit.js';
import { createTransport, type Transport } from './transport.js';

/** The methods this folder uses. */
type Method =
  | 'getMe'
  | 'getUpdates'
  | 'setWebhook'
  | 'getWebhookInfo'
  | 'deleteWebhook'
  | 'getFile'
  | 'sendMessage'
  | 'sendPhoto'
  | 'sendVideo'
  | 'sendAnimation'
  | 'sendAudio'
  | 'sendVoice'
  | 'sendDocument'
  | 'sendMediaGroup'
  | 'editMessageText'
  | 'deleteMessage'
  | 'sendChatAction'
  | 'answerCallbackQuery'
  | 'setMessageReaction'
  | 'setMyCommands';

/** The SDK binds an empty payload itself where a method has none. */
type BareMethod = 'getMe' | 'getWebhookInfo';
type PayloadOf<M extends Method> = M extends BareMethod ? Record<string, never> : Parameters<RawApi[M]>[0];
type ResultOf<M extends Method> = Awaited<ReturnType<RawApi[M]>>;

/** Why a call failed. Free of the token: made of the method's name and of what the server or the network said. */
export type CallFailure =
  | {
      readonly kind: 'refused';
      readonly method: Method;
      /** The Bot API's error code, which is that of HTTP. */
      readonly code: number;
      readonly description: string;
      readonly retryAfterMs?: number;
      /** The supergroup that the addressed group has become. */
      readonly migratedTo?: number;
    }
  | {
      readonly kind: 'unanswered';
      readonly method: Method;
      readonly reason: string;
      /** True if the server may have carried the call out. */
      readonly wasSent: boolean;
    };

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: CallFailure };

export interface CallLimits {
  readonly signal: AbortSignal;
  /** The call is given up after this time. Default 30 s. */
  readonly limitMs?: number;
}

export interface TelegramClient {
  /** Rejects only with the signal's reason. */
  call<M extends Method>(
    method: M,
    payload: PayloadOf<M>,
    limits: CallLimits,
  ): Promise<CallResult<ResultOf<M>>>;
  /** The bytes of a file that getFile named. Rejects only with the signal's reason; so does the iteration, or with a TransportError. */
  download(filePath: string, limits: CallLimits): Promise<CallResult<AsyncIterable<Uint8Array>>>;
  /** Later calls open new connections. */
  renew(): void;
  /** Ends all connections. */
  close(): void;
}

/** Telegram answers ordinary calls within a second; after this time the connection is dead. */
const CALL_LIMIT_MS = 30_000;
/** Far above every limit of ours, so that the SDK's own timer, which no test can move, never decides. */
const SDK_LIMIT_SECONDS = 24 * 3_600;

const toFailure = (method: Method, error: unknown): CallFailure => {
  if (error instanceof GrammyError) {
    const { retry_after, migrate_to_chat_id } = error.parameters;
    return {
      kind: 'refused',
      method,
      code: error.error_code,
      description: error.description,
      ...(retry_after === undefined ? {} : { retryAfterMs: retry_after * 1000 }),
      ...(migrate_to_chat_id === undefined ? {} : { migratedTo: migrate_to_chat_id }),
    };
  }
  const inner = error instanceof HttpError ? error.error : error;
  if (inner instanceof TransportError) {
    return { kind: 'unanswered', method, reason: inner.message, wasSent: inner.wasSent };
  }
  // A file of ours that vanished while it was sent.
  if (inner instanceof Error && 'syscall' in inner)
    return { kind: 'unanswered', method, reason: 'the file could not be read', wasSent: false };
  throw error;
};

/** A local file as a value of a payload; read while it is sent. */
export const uploadOf = (path: string, fileName: string): InputFile => {
  // The SDK writes the name as it is: without quotes it would end at the first blank or semicolon.
  const quoted = `"${fileName.replace(/[\r\n]+/gu, ' ').replace(/["\\]/gu, '\\$&')}"`;
  return new InputFile(path, quoted);
};

export interface ClientOptions {
  readonly token: string;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  readonly clock: Clock;
}

const createApi = ({ token, apiRoot }: ClientOptions, transport: Transport): Api =>
  new Api(token, {
    apiRoot,
    timeoutSeconds: SDK_LIMIT_SECONDS,
    // The SDK types this as the whole of node-fetch; it uses no more than the transport offers.
    fetch: transport.fetch as unknown as typeof fetch,
  });

export const createClient = (options: ClientOptions): TelegramClient => {
  const transport = createTransport(options);
  const api = createApi(options, transport);
  // One shape for all methods: the payload's type is checked by `call`, the result's by the SDK's own declarations.
  const raw = api.raw as unknown as Record<
    Method,
    (payload: unknown, signal?: AbortSignal) => Promise<unknown>
  >;
  const invoke = (method: Method, payload: unknown, signal: AbortSignal): Promise<unknown> =>
    method === 'getMe' || method === 'getWebhookInfo' ? raw[method](signal) : raw[method](payload, signal);
  const download: TelegramClient['download'] = (filePath, { signal, limitMs = CALL_LIMIT_MS }) => {
    const path = filePath.split('/').map(encodeURIComponent).join('/');
    const url = `${options.apiRoot}/file/bot${options.token}/${path}`;
    return withTimeLimit({ clock: options.clock, limitMs, signal }, async (inner) => {
      try {
        // The limit is for the answer's beginning; how long its bytes may take, the transport watches.
        const answer = await transport.download(url, { begin: inner, signal });
        if (answer.ok) return { ok: true, value: answer.bytes };
        // Here 404 speaks of the file; from a method it would speak of the token.
        const code = answer.status === 404 ? 400 : answer.status;
        const { description } = answer;
        return { ok: false, failure: { kind: 'refused', method: 'getFile', code, description } };
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, failure: toFailure('getFile', error) };
      }
    });
  };
  return {
    download,
    call: (method, payload, { signal, limitMs = CALL_LIMIT_MS }) =>
      withTimeLimit({ clock: options.clock, limitMs, signal }, async (inner) => {
        try {
          const value = await invoke(method, payload, inner);
          // The server's word for what the method gives; receive.ts reads updates as unknown all the same.
          return { ok: true, value: value as ResultOf<typeof method> };
        } catch (error) {
          signal.throwIfAborted();
          return { ok: false, failure: toFailure(method, error) };
        }
      }),
    renew: transport.renew,
    close: transport.close,
  };
};
