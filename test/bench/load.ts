/**
 * What the people do, and what is read of the answers: the time from the moment an update was handed to the
 * program's poll to the moment its sendMessage reached the Bot API. The far side takes both times.
 */
import type { CallRecord } from '../emulators/telegram/control.js';
import type { World } from './subject.js';

export const CHAT_COUNT = 100;
const FIRST_CHAT = 1001;
const ANSWER_TIMEOUT_MS = 60_000;
/** Enough at once that pushing a burst does not take long, few enough that it opens few connections. */
const PUSHERS = 8;

/** When a text was handed out and answered, epoch ms. */
interface Answered {
  readonly deliveredAt: number;
  readonly answeredAt: number;
}

export type Answers = (text: string) => Answered;

/** How the people of a platform write, and what its far side recorded. */
export interface Load {
  /** Resolves once the program is ready and goes on: when it was ready, epoch ms. */
  untilReady(world: World): Promise<number>;
  /** Messages `from` to `to` (not included), one at a time, from one chat after the other. */
  oneByOne(world: World, kind: string, from: number, to: number): Promise<void>;
  /** One message from every chat at once, and every answer. */
  burst(world: World, number: number): Promise<void>;
  readAnswers(world: World): Promise<Answers>;
}

/** What this file needs of a world. */
type TelegramWorld = Pick<World, 'telegram'>;

export const chatOf = (index: number): number => FIRST_CHAT + (index % CHAT_COUNT);

/** A text that is no part of another one. */
export const textOf = (kind: string, index: number): string => `${kind}${String(index).padStart(5, '0')}`;

/** Messages `from` to `to` (not included), one at a time, from one chat after the other. */
async function sendOneByOne(world: TelegramWorld, kind: string, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    await ask(world, chatOf(index), textOf(kind, index));
  }
}

/** One message and its answer. */
export async function ask({ telegram }: TelegramWorld, chatId: number, text: string): Promise<void> {
  await telegram.sendDirect(chatId, text);
  await telegram.wait({ kind: 'message', chatId, contains: text }, { timeoutMs: ANSWER_TIMEOUT_MS });
}

/** One message from every chat, all there before the program may fetch the first of them. */
export async function sendBurst(world: TelegramWorld, number: number): Promise<void> {
  const { telegram } = world;
  const kind = burstName(number);
  const polls = await telegram.fault(
    { method: 'getUpdates', times: 'always' },
    { kind: 'delay', applied: false },
  );
  // Ends the poll that waits; the next one is held.
  await sendOneByOne(world, `p${kind}`, 0, 1);
  await polls.waitUntilHeld();
  await pushToAll(world, kind);
  const answered = telegram.wait(
    { kind: 'calls', method: 'sendMessage', textContains: `echo: ${kind}`, count: CHAT_COUNT },
    { timeoutMs: ANSWER_TIMEOUT_MS },
  );
  await polls.remove();
  await answered;
}

export const burstName = (number: number): string => `b${String(number).padStart(3, '0')}x`;

async function pushToAll({ telegram }: TelegramWorld, kind: string): Promise<void> {
  let next = 0;
  const push = async (): Promise<void> => {
    while (next < CHAT_COUNT) {
      const index = next;
      next += 1;
      await telegram.sendDirect(chatOf(index), textOf(kind, index));
    }
  };
  await Promise.all(Array.from({ length: PUSHERS }, push));
}

/** End to end in ms, for the first `count` messages of a kind. */
export function latenciesOf(answers: Answers, kind: string, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const { deliveredAt, answeredAt } = answers(textOf(kind, index));
    return answeredAt - deliveredAt;
  });
}

/** Messages per second of one burst, from its first update handed out to its last answer. */
export function burstRateOf(answers: Answers, number: number): number {
  const times = Array.from({ length: CHAT_COUNT }, (_, index) => answers(textOf(burstName(number), index)));
  const startedAt = Math.min(...times.map(({ deliveredAt }) => deliveredAt));
  const endedAt = Math.max(...times.map(({ answeredAt }) => answeredAt));
  return (CHAT_COUNT * 1000) / (endedAt - startedAt);
}

/** What the far side recorded so far. The result throws for a text that did not get an answer of its own. */
export async function readAnswers({ telegram }: TelegramWorld): Promise<Answers> {
  const [polls, sends] = await Promise.all([telegram.calls('getUpdates'), telegram.calls('sendMessage')]);
  const deliveredAt = firstTimes(polls, (poll) => poll.answeredAt, textsHandedOut);
  const answeredAt = firstTimes(
    sends,
    (send) => send.receivedAt,
    (send) => [String(send.params['text'])],
  );
  return (text) => {
    const delivered = deliveredAt.get(text);
    const answered = answeredAt.get(`echo: ${text}`);
    if (delivered === undefined || answered === undefined) throw new Error(`${text} was not answered alone`);
    return { deliveredAt: delivered, answeredAt: answered };
  };
}

function firstTimes(
  calls: readonly CallRecord[],
  timeOf: (call: CallRecord) => number | undefined,
  textsOf: (call: CallRecord) => readonly string[],
): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const call of calls) {
    const time = timeOf(call);
    if (time === undefined) continue;
    for (const text of textsOf(call)) if (!times.has(text)) times.set(text, time);
  }
  return times;
}

function textsHandedOut(poll: CallRecord): readonly string[] {
  const updates = poll.response?.result;
  if (!Array.isArray(updates)) return [];
  // The emulator's own updates, in the Bot API's shape.
  return (updates as readonly { message?: { text?: string } }[]).flatMap(
    ({ message }) => message?.text ?? [],
  );
}

/** Ready is the program when it first asks for updates. */
async function untilPolling({ telegram }: TelegramWorld): Promise<number> {
  await telegram.wait({ kind: 'calls', method: 'getUpdates', count: 1, pending: true });
  const [first] = await telegram.calls('getUpdates');
  if (first === undefined) throw new Error('a getUpdates was there and is gone');
  // Started is also that it goes on: to the poll that waits for news.
  await telegram.waitForPoll();
  return first.receivedAt;
}

export const telegramLoad: Load = {
  untilReady: untilPolling,
  oneByOne: sendOneByOne,
  burst: sendBurst,
  readAnswers,
};
