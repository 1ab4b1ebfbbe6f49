/** Judges what is to be seen in the chats at the end. Pure. */
import type { RecordedRequest } from '../emulators/openai/control.js';
import { type BotMessage, type Letter, numberOf, readBotMessage, tokensIn } from './letters.js';

export interface Evidence {
  readonly letters: readonly Letter[];
  /** The bot's visible messages by chat, oldest first. */
  readonly botTexts: ReadonlyMap<number, readonly string[]>;
  readonly requests: readonly RecordedRequest[];
}

/** Every breach of the promise as a sentence; empty if it was kept. */
export function findBreaches({ letters, botTexts, requests }: Evidence): readonly string[] {
  const covered = coveredTokens(requests);
  const calledEffects = new Set(requests.flatMap(effectOf));
  return [...botTexts].flatMap(([chat, texts]) => {
    const messages = texts.map(readBotMessage);
    const own = letters.filter((letter) => letter.chat === chat);
    return [
      ...strayed(chat, messages),
      ...own.flatMap((letter) => answerBreaches(letter, messages, covered)),
      ...own.flatMap((letter) => effectBreaches(letter, messages, calledEffects)),
      ...messages.filter(isApology).map(({ text }) => `chat ${chat} was told: ${text}`),
    ];
  });
}

/** The notices that were seen, without their tokens and numbers, each with its count. */
export function countNotices(botTexts: ReadonlyMap<number, readonly string[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of [...botTexts.values()].flat()) {
    if (readBotMessage(text).type !== 'notice') continue;
    const kind = text.replace(/\bq\d{2}-\d{4}\b/g, '<letter>').replace(/\d+/g, '<n>');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/**
 * Whether an answer shows that all letters up to this one were taken up: a session answers in order. An answer whose
 * repeat was interrupted too is not sent a third time; its person has been told so instead.
 */
export function isAnsweredUpTo(number: number, texts: readonly string[]): boolean {
  return texts
    .map(readBotMessage)
    .some(
      (message) =>
        isLossNotice(message) ||
        (message.type === 'answer' && message.tokens.some((token) => numberOf(token) >= number)),
    );
}

function isLossNotice({ type, text }: BotMessage): boolean {
  return type === 'notice' && text.includes('may not have arrived');
}

function strayed(chat: number, messages: readonly BotMessage[]): readonly string[] {
  const begin = `q${String(chat).padStart(2, '0')}-`;
  return messages
    .filter(({ tokens }) => tokens.some((token) => !token.startsWith(begin)))
    .map(({ text }) => `chat ${chat} shows what is not its own: ${text}`);
}

function answerBreaches(
  { token, chat }: Letter,
  messages: readonly BotMessage[],
  covered: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const answers = messages.filter(({ type }) => type === 'answer');
  const quoting = answers.filter(({ tokens }) => tokens.includes(token));
  const breaches: string[] = [];
  const isCovered = answers.some((answer) => covered.get(bodyOf(answer))?.has(token) === true);
  if (quoting.length === 0 && !isCovered && !messages.some(isLossNotice)) {
    breaches.push(`${token} was not answered`);
  }
  const unmarked = quoting.filter(({ isMarked }) => !isMarked);
  if (unmarked.length > 1) {
    const texts = unmarked.map(({ text }) => text).join(' || ');
    breaches.push(`${token} was answered ${unmarked.length} times without a mark: ${texts} (chat ${chat})`);
  }
  return breaches;
}

function effectBreaches(
  { token, chat, kind }: Letter,
  messages: readonly BotMessage[],
  called: ReadonlySet<string>,
): readonly string[] {
  if (kind !== 'effect') return [];
  const shown = messages.filter(({ type, tokens }) => type === 'effect' && tokens.includes(token));
  const unmarked = shown.filter(({ isMarked }) => !isMarked).length;
  if (unmarked > 1) return [`the effect of ${token} happened ${unmarked} times`];
  // What was called is to be seen, or the person has been told that it is uncertain.
  const isTold = messages.some(
    (message) => isLossNotice(message) || (message.type === 'notice' && message.tokens.includes(token)),
  );
  if (called.has(token) && shown.length === 0 && !isTold) {
    return [`the effect of ${token} was called, is not to be seen, and chat ${chat} was not told`];
  }
  return [];
}

/** What a person gets instead of an answer. */
function isApology({ type, text }: BotMessage): boolean {
  return type === 'notice' && /give up|went wrong|could not|cannot|error|failed/i.test(text);
}

function bodyOf({ text }: BotMessage): string {
  return text.slice(Math.max(0, text.indexOf('echo: ')));
}

/**
 * Answer → letters that its request put to the model and that no earlier answer was for. A letter that joined a turn
 * between two steps is quoted alone, and answers the ones before it too.
 */
function coveredTokens(requests: readonly RecordedRequest[]): ReadonlyMap<string, ReadonlySet<string>> {
  const covered = new Map<string, ReadonlySet<string>>();
  for (const { body, answer } of requests) {
    if (answer.text === null || !answer.text.startsWith('echo: ')) continue;
    const tokens = unansweredIn(body);
    const before = covered.get(answer.text);
    // Asked more than once, only what every asking held is certain.
    const certain = before === undefined ? tokens : tokens.filter((token) => before.has(token));
    covered.set(answer.text, new Set(certain));
  }
  return covered;
}

/** The emulator accepted these requests, so they have the shape of the protocol. */
interface RequestBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
  }[];
}

function unansweredIn(body: unknown): readonly string[] {
  const { messages } = body as RequestBody;
  const answered = messages.findLastIndex(
    ({ role, tool_calls }) => role === 'assistant' && tool_calls === undefined,
  );
  return messages
    .slice(answered + 1)
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => tokensIn(JSON.stringify(content)));
}

/** The letters whose effect the history of a request shows as called. */
function effectOf({ body }: RecordedRequest): readonly string[] {
  const { messages } = body as RequestBody;
  return messages.flatMap(({ tool_calls }) =>
    (tool_calls ?? []).flatMap((call) => tokensIn(call.function.arguments)),
  );
}
