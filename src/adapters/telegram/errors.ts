/** Decides once what a failed call means: its code, whether it was carried out, and whether to try again. */
import { after, later, never, PlatformError } from '../../core/errors.js';
import type { ChatId } from '../../core/ids.js';
import type { CallFailure } from './client.js';
import { chatIdOf, isPrivate } from './ids.js';

type Refusal = Extract<CallFailure, { kind: 'refused' }>;

/** Clocks differ and a request travels; asking right at the end of the pause would be refused again. */
const RETRY_MARGIN_MS = 250;

const tokenAdvice =
  'Telegram does not know this bot token. Copy the token from @BotFather (/mybots, API Token), ' +
  'set TELEGRAM_BOT_TOKEN or platforms.telegram.token, and restart.';

const say = ({ method, code, description }: Refusal): string => `${method}: ${code} ${description}`;

const isAbout = (failure: Refusal, words: RegExp): boolean => words.test(failure.description);

/** Telegram read the message but not its formatting: the same text goes without. */
export const isFormattingRefused = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && failure.code === 400 && isAbout(failure, /entit/iu);

/** The message already reads like this, so an edit is done. */
export const isUnchanged = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && isAbout(failure, /message is not modified/iu);

/** The file is over a limit of the server, on the way in or out. */
export const isTooLarge = (failure: CallFailure): boolean =>
  failure.kind === 'refused' &&
  (failure.code === 413 || isAbout(failure, /too big|too large|Request Entity Too Large/iu));

/** The person takes voice messages from nobody, or from few. */
export const isVoiceForbidden = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && isAbout(failure, /VOICE_MESSAGES_FORBIDDEN/iu);

/** Refused for what was sent and not for where it was to go: the same file may pass in another form. */
export const isContentRefused = (failure: CallFailure): boolean => {
  if (failure.kind !== 'refused') return false;
  const { code } = toPlatformError(failure);
  return code === 'refused' && failure.migratedTo === undefined && !isAbout(failure, missingTopic);
};

/** Nobody has this token: 404 is what a token of the wrong form gets. */
export const isTokenRefused = (failure: CallFailure): boolean =>
  failure.kind === 'refused' && (failure.code === 401 || failure.code === 404);

const gone = /message to (?:edit|be replied|reply) not found|message can't be edited|MESSAGE_ID_INVALID/iu;
const unreachable =
  /chat not found|group chat was deactivated|not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|PEER_ID_INVALID|need administrator rights|bot is not a member|user not found/iu;
/** Of a private chat: its person has never written to the bot, and only they can begin. */
const unmet = /chat not found|can't initiate conversation/iu;
const writeFirst = 'That person has to write to the bot first.';
const missingTopic = /message thread not found|TOPIC_CLOSED|TOPIC_DELETED|TOPIC_ID_INVALID/iu;

const refused = (message: string): PlatformError =>
  new PlatformError({ code: 'refused', message, retry: never, outcome: 'none' });

const unreachableChat = (message: string, userText?: string): PlatformError =>
  new PlatformError({
    code: 'unreachable-chat',
    message,
    retry: never,
    outcome: 'none',
    ...(userText !== undefined && { userText }),
  });

const fromBadRequest = (failure: Refusal): PlatformError => {
  if (failure.migratedTo !== undefined) {
    return new PlatformError({
      code: 'unreachable-chat',
      message: `${failure.method}: the group has become the supergroup ${failure.migratedTo}; use that id in the settings`,
      retry: never,
      outcome: 'none',
      movedTo: chatIdOf(failure.migratedTo),
    });
  }
  if (isAbout(failure, gone)) {
    return new PlatformError({ code: 'message-gone', message: say(failure), retry: never, outcome: 'none' });
  }
  if (isAbout(failure, unreachable)) return unreachableChat(say(failure));
  // Not sent to the General topic instead: what was said in one topic does not belong in another.
  if (isAbout(failure, missingTopic)) {
    return refused(`${say(failure)}; the topic was deleted or closed, so nothing was sent`);
  }
  return refused(say(failure));
};

const fromRefusal = (failure: Refusal): PlatformError => {
  const message = say(failure);
  if (isTokenRefused(failure)) {
    return new PlatformError({
      code: 'unauthorized',
      message: `${message}. ${tokenAdvice}`,
      retry: never,
      outcome: 'none',
    });
  }
  if (failure.code === 403) return unreachableChat(message);
  if (failure.code === 409)
    return new PlatformError({ code: 'conflict', message, retry: later, outcome: 'none' });
  if (failure.code === 429) {
    const retry = failure.retryAfterMs === undefined ? later : after(failure.retryAfterMs + RETRY_MARGIN_MS);
    return new PlatformError({ code: 'rate-limited', message, retry, outcome: 'none' });
  }
  // A gateway's time-out comes from in front of the server, which may have gone on.
  if (failure.code === 504) return unavailable(message, 'unknown');
  if (failure.code >= 500 || failure.code < 400) return unavailable(message, 'none');
  return fromBadRequest(failure);
};

const unavailable = (message: string, outcome: 'none' | 'unknown'): PlatformError =>
  new PlatformError({ code: 'unavailable', message, retry: later, outcome });

/** `chat`: where the call went. */
export const toPlatformError = (failure: CallFailure, chat?: ChatId): PlatformError => {
  if (failure.kind === 'unanswered')
    return unavailable(`${failure.method}: ${failure.reason}`, failure.wasSent ? 'unknown' : 'none');
  const isStrange = chat !== undefined && isPrivate(chat) && isAbout(failure, unmet);
  return isStrange ? unreachableChat(`${say(failure)}. ${writeFirst}`, writeFirst) : fromRefusal(failure);
};

/** Part of the message stands in the chat, so the whole was neither sent nor not sent. */
export const toPartialError = (error: PlatformError): PlatformError =>
  new PlatformError({ code: error.code, message: error.message, retry: error.retry, outcome: 'unknown' });
