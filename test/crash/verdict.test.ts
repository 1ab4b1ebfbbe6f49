import { describe, expect, test } from 'vitest';
import { lossNotice } from '../../src/gateway/outbound/loss-notice.js';
import type { RecordedRequest } from '../emulators/openai/control.js';
import { effectText, type Letter, writeLetter } from './letters.js';
import { findBreaches, isAnsweredUpTo } from './verdict.js';

const first = writeLetter(0, 1, 'plain');
const second = writeLetter(0, 2, 'plain');
const wish = writeLetter(0, 3, 'effect');
const elsewhere = writeLetter(1, 1, 'plain');

const answer = (...letters: readonly Letter[]): string =>
  `echo: ${letters.map(({ text }) => text).join(' | ')}`;
const lossOf = (text: string): string => lossNotice(text, 'unknown', 'cut off');
const marked = (text: string): string => `(possible duplicate)\n${text}`;

interface Sketch {
  readonly letters: readonly Letter[];
  readonly shown: Readonly<Record<number, readonly string[]>>;
  readonly requests?: readonly RecordedRequest[];
}

const breachesOf = ({ letters, shown, requests = [] }: Sketch): readonly string[] => {
  const botTexts = new Map(Object.entries(shown).map(([chat, texts]) => [Number(chat), texts]));
  return findBreaches({ letters, botTexts, requests });
};

const aRequest = (messages: readonly object[], text: string): RecordedRequest => ({
  number: 1,
  at: 0,
  path: '/v1/chat/completions',
  headers: {},
  body: { messages },
  lastUserText: '',
  answer: { from: 'fallback', type: 'echo', status: 200, text, sentCount: 1, outcome: 'complete' },
});

const userSays = ({ text }: Letter) => ({ role: 'user', content: text });
const calls = (text: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send_message', arguments: text } }],
});

describe('findBreaches', () => {
  test('finds nothing where each letter was answered once, alone or with others', () => {
    const shown = { 0: [answer(first, second)], 1: [answer(elsewhere)] };
    expect(breachesOf({ letters: [first, second, elsewhere], shown })).toEqual([]);
  });

  test('finds a letter without an answer', () => {
    const shown = { 0: [answer(first)] };
    expect(breachesOf({ letters: [first, second], shown })).toEqual([`${second.token} was not answered`]);
  });

  test('finds a second answer, unless it is marked', () => {
    const letters = [first];
    expect(breachesOf({ letters, shown: { 0: [answer(first), answer(first)] } })).toEqual([
      expect.stringContaining(`${first.token} was answered 2 times`),
    ]);
    expect(breachesOf({ letters, shown: { 0: [answer(first), marked(answer(first))] } })).toEqual([]);
  });

  test('finds an answer in a chat that it is not for', () => {
    const shown = { 0: [answer(first), answer(elsewhere)], 1: [answer(elsewhere)] };
    expect(breachesOf({ letters: [first, elsewhere], shown })).toEqual([
      expect.stringContaining('chat 0 shows what is not its own'),
    ]);
  });

  test('finds an effect that happened twice, unless the second is marked', () => {
    const effect = effectText(wish);
    expect(breachesOf({ letters: [wish], shown: { 0: [effect, effect, answer(wish)] } })).toEqual([
      `the effect of ${wish.token} happened 2 times`,
    ]);
    expect(breachesOf({ letters: [wish], shown: { 0: [effect, marked(effect), answer(wish)] } })).toEqual([]);
  });

  test('finds an effect that was called and vanished, unless its person was told', () => {
    const requests = [aRequest([userSays(wish), calls(effectText(wish))], answer(wish))];
    const letters = [wish];
    expect(breachesOf({ letters, requests, shown: { 0: [answer(wish)] } })).toEqual([
      expect.stringContaining(`the effect of ${wish.token} was called`),
    ]);
    const notice = `I was interrupted during this: ${effectText(wish)}`;
    expect(breachesOf({ letters, requests, shown: { 0: [notice, answer(wish)] } })).toEqual([]);
  });

  test('excuses a lost answer, and what else it covered, by the notice that names it', () => {
    const third = writeLetter(0, 4, 'plain');
    const shown = (...texts: readonly string[]) => ({ 0: texts });
    expect(breachesOf({ letters: [first], shown: shown(lossOf(answer(first))) })).toEqual([]);
    expect(breachesOf({ letters: [first, second], shown: shown(lossOf(answer(second))) })).toEqual([
      `${first.token} was not answered`,
    ]);
    const notices = shown(lossOf(answer(first)), lossOf(answer(second)));
    expect(breachesOf({ letters: [first, second], shown: notices })).toEqual([]);
    const requests = [aRequest([userSays(first), userSays(second)], answer(first, second))];
    const both = shown(lossOf(answer(first, second)));
    expect(breachesOf({ letters: [first, second], shown: both, requests })).toEqual([]);
    expect(breachesOf({ letters: [first, second, third], shown: both, requests })).toEqual([
      `${third.token} was not answered`,
    ]);
  });

  test('does not take the loss of an answer for word of an effect that vanished', () => {
    const requests = [aRequest([userSays(wish), calls(effectText(wish))], answer(wish))];
    expect(breachesOf({ letters: [wish], requests, shown: { 0: [lossOf(answer(wish))] } })).toEqual([
      expect.stringContaining(`the effect of ${wish.token} was called`),
    ]);
  });

  test('finds an apology in place of an answer', () => {
    const shown = { 0: ['I give up. Please ask again.', answer(first)] };
    expect(breachesOf({ letters: [first], shown })).toEqual([expect.stringContaining('I give up')]);
    const withoutFile = `${answer(first)}\n\n⚠️ picture.png could not be attached: it is empty.`;
    expect(breachesOf({ letters: [first], shown: { 0: [withoutFile] } })).toHaveLength(1);
  });

  test('takes the answer to a letter that joined a turn for the letter that began it', () => {
    const messages = [userSays(first), calls('{}'), { role: 'tool', content: 'done' }, userSays(second)];
    const shown = { 0: [answer(second)] };
    const letters = [first, second];
    expect(breachesOf({ letters, shown, requests: [aRequest(messages, answer(second))] })).toEqual([]);
    const answeredBefore = [userSays(first), { role: 'assistant', content: answer(first) }, userSays(second)];
    expect(breachesOf({ letters, shown, requests: [aRequest(answeredBefore, answer(second))] })).toEqual([
      `${first.token} was not answered`,
    ]);
  });
});

describe('isAnsweredUpTo', () => {
  test('holds once an answer quotes the letter or a later one', () => {
    expect(isAnsweredUpTo(2, [answer(first), effectText(wish)])).toBe(false);
    expect(isAnsweredUpTo(2, [answer(first, second)])).toBe(true);
    expect(isAnsweredUpTo(2, [marked(answer(wish))])).toBe(true);
  });

  test('does not hold for what is left of an answer that was growing', () => {
    const rest = answer(second).slice(0, -5);
    expect(isAnsweredUpTo(2, [answer(first), rest])).toBe(false);
    expect(breachesOf({ letters: [second], shown: { 0: [rest] } })).toHaveLength(1);
  });

  test('holds once a notice says that the answer to it may not have arrived', () => {
    expect(isAnsweredUpTo(2, [answer(first), lossOf(answer(second))])).toBe(true);
    expect(isAnsweredUpTo(2, [answer(first), lossOf(answer(first))])).toBe(false);
  });
});
