/** Judges what is to be seen in the chats at the end. Pure. */
import type { RecordedRequest } from '../emulators/openai/control.js';
import { type BotMessage, type Letter, numberOf, readBotMessage, tokensIn, wordsOf } from './letters.js';

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
      ...own.flatMap((letter) => repetitions(letter, messages)),
      ...losses(own, messages, { covered, calledEffects }),
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
 * repeat was interrupted too is not sent a third time; its person has been told so instead, with its first words.
 */
export function isAnsweredUpTo(number: number, texts: readonly string[]): boolean {
  return texts
    .map(readBotMessage)
    .flatMap((one) => (one.type === 'answer' ? one.wholeTokens : isLossNotice(one) ? one.tokens : []))
    .some((token) => numberOf(token) >= number);
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

/** What was to be seen once and is seen more often without a mark. */
function repetitions({ token, chat, kind }: Letter, messages: readonly BotMessage[]): readonly string[] {
  const unmarked = messages.filter(({ isMarked, tokens }) => !isMarked && tokens.includes(token));
  const answers = unmarked.filter(({ type }) => type === 'answer').map(({ text }) => text);
  const effects = unmarked.filter(({ type }) => type === 'effect');
  const breaches: string[] = [];
  if (answers.length > 1) {
    const texts = answers.join(' || ');
    breaches.push(`${token} was answered ${answers.length} times without a mark: ${texts} (chat ${chat})`);
  }
  if (kind === 'effect' && effects.length > 1)
    breaches.push(`the effect of ${token} happened ${effects.length} times`);
  return breaches;
}

interface Expected {
  readonly covered: ReadonlyMap<string, ReadonlySet<string>>;
  readonly calledEffects: ReadonlySet<string>;
}

/** What is not to be seen. A notice that an answer may not have arrived excuses the letters that it was for. */
function losses(
  letters: readonly Letter[],
  messages: readonly BotMessage[],
  { covered, calledEffects }: Expected,
): readonly string[] {
  /** Message that is missing → what it breaks. */
  const missing = new Map<string, string[]>();
  const vanished: string[] = [];
  for (const letter of letters) {
    const { token, chat, kind } = letter;
    if (!isAnswered(token, messages, covered)) {
      const answer = answerFor(token, covered);
      missing.set(answer, [...(missing.get(answer) ?? []), `${token} was not answered`]);
    }
    if (kind === 'effect' && calledEffects.has(token) && !isEffectKnown(token, messages))
      vanished.push(`the effect of ${token} was called, is not to be seen, and chat ${chat} was not told`);
  }
  return [
    ...[...missing].flatMap(([body, breaches]) => (isTold(body, messages) ? [] : breaches)),
    ...vanished,
  ];
}

/** Whether a notice names what is missing by its first words. */
function isTold(body: string, messages: readonly BotMessage[]): boolean {
  const [token] = tokensIn(body);
  return token !== undefined && messages.some((one) => isLossNotice(one) && one.tokens.includes(token));
}

function isAnswered(
  token: string,
  messages: readonly BotMessage[],
  covered: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  return messages
    .filter(({ type }) => type === 'answer')
    .some((answer) => answer.wholeTokens.includes(token) || covered.get(bodyOf(answer))?.has(token) === true);
}

/** The answer that the model gave to a letter: those that share one are lost with one message. */
function answerFor(token: string, covered: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...covered].find(([, tokens]) => tokens.has(token))?.[0] ?? token;
}

/** What was called is to be seen, or the person has been told that it is uncertain. */
function isEffectKnown(token: string, messages: readonly BotMessage[]): boolean {
  return messages.some((one) => one.type !== 'answer' && !isLossNotice(one) && one.tokens.includes(token));
}

/** What a person gets instead of an answer. */
function isApology({ type, text }: BotMessage): boolean {
  if (text.includes('could not be attached')) return true;
  return type === 'notice' && /give up|went wrong|could not|cannot|error|failed/i.test(text);
}

function bodyOf({ text }: BotMessage): string {
  return wordsOf(text.slice(Math.max(0, text.indexOf('echo: '))));
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
    const words = wordsOf(answer.text);
    const before = covered.get(words);
    // Asked more than once, only what every asking held is certain.
    const certain = before === undefined ? tokens : tokens.filter((token) => before.has(token));
    covered.set(words, new Set(certain));
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
