/** What Discord's refusals mean for a message, decided once. Codes: "JSON Error Codes" of its documentation. */
import { after, later, never, PlatformError, type PlatformErrorCode } from '../../core/errors.js';
import type { CallFailure } from './client.js';

type Refusal = Extract<CallFailure, { kind: 'refused' }>;

export const CODE = {
  unknownChannel: 10_003,
  unknownMessage: 10_008,
  unknownInteraction: 10_062,
  tooLarge: 40_005,
  alreadyAcknowledged: 40_060,
  missingAccess: 50_001,
  cannotMessage: 50_007,
  notText: 50_008,
  missingPermissions: 50_013,
  archivedThread: 50_083,
  threadExists: 160_004,
} as const;

const hints: Readonly<Record<number, string>> = {
  [CODE.missingAccess]: 'the bot cannot see that channel; give its role "View Channel" there',
  [CODE.missingPermissions]:
    'the bot may not do that there; give its role "Send Messages" (and "Attach Files", "Create Public Threads")',
  [CODE.cannotMessage]:
    'that person takes no private messages from the bot; they have to share a server with it and allow messages of its members',
  [CODE.unknownChannel]: 'there is no such channel, or the bot is not in its server',
};

const say = ({ call, status, code, description }: Refusal): string => {
  const hint = hints[code];
  return `${call}: ${status} ${description}${hint === undefined ? '' : ` (${hint})`}`;
};

const failed = (
  failure: Refusal,
  code: PlatformErrorCode,
  retry = never,
  outcome: 'none' | 'unknown' = 'none',
): PlatformError => new PlatformError({ code, message: say(failure), retry, outcome });

const unreachable: ReadonlySet<number> = new Set([
  CODE.missingAccess,
  CODE.missingPermissions,
  CODE.cannotMessage,
  CODE.unknownChannel,
]);

/** The message may pass in another form or without its file. */
export const isTooLarge = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && (failure.status === 413 || failure.code === CODE.tooLarge);

export const isRefusedWith = (failure: CallFailure, ...codes: readonly number[]): boolean =>
  failure.kind === 'refused' && codes.includes(failure.code);

/** Refused for what was sent and not for where it was to go. */
export const isContentRefused = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && failure.status === 400 && !unreachable.has(failure.code);

export const toPlatformError = (failure: CallFailure): PlatformError => {
  if (failure.kind === 'unanswered') {
    return new PlatformError({
      code: 'unavailable',
      message: `${failure.call}: ${failure.reason}`,
      retry: later,
      outcome: failure.wasSent ? 'unknown' : 'none',
    });
  }
  const { status, code, retryAfterMs } = failure;
  if (status === 401) return failed(failure, 'unauthorized');
  if (status === 429)
    return failed(failure, 'rate-limited', retryAfterMs === undefined ? later : after(retryAfterMs));
  // In front of the server something gave up waiting; the server may have gone on.
  if (status === 504) return failed(failure, 'unavailable', later, 'unknown');
  if (status >= 500) return failed(failure, 'unavailable', later);
  if (code === CODE.unknownMessage) return failed(failure, 'message-gone');
  if (unreachable.has(code) || status === 403) return failed(failure, 'unreachable-chat');
  return failed(failure, 'refused');
};

/** Part of the message stands in the chat, so the whole was neither sent nor not sent. */
export const toPartialError = (error: PlatformError): PlatformError =>
  new PlatformError({ code: error.code, message: error.message, retry: error.retry, outcome: 'unknown' });

/** Close codes after which trying again with the same settings is useless, in words that say what to do. */
const fatalCloses: Readonly<Record<number, string>> = {
  4004: 'Discord refuses the bot token. Copy it again from the Bot page of your application (Reset Token gives a new one), and set DISCORD_BOT_TOKEN to it.',
  4010: 'Discord refuses the shard of this bot.',
  4011: 'This bot is in so many servers that Discord wants it sharded, which is not supported.',
  4012: 'Discord no longer speaks version 10 of its gateway. Update hermes-gateway.',
  4013: 'Discord refuses the intents that the gateway asks for. Update hermes-gateway.',
  4014: 'Discord does not let this bot read messages. On the Bot page of your application at discord.com/developers, switch on “Message Content Intent”, then start again.',
};

/** Undefined where the connection may come back by itself. */
export const toFatalError = (closeCode: number): PlatformError | undefined => {
  const message = fatalCloses[closeCode];
  if (message === undefined) return undefined;
  return new PlatformError({ code: 'unauthorized', message, retry: never, outcome: 'none' });
};
