import { expect, test } from 'vitest';
import { StepLog } from '../../../src/adapters/web/step-log.js';
import { toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import { told } from './support.js';

const turn = toTurnId('turn-1');
const start = (name: string): TurnEvent => ({
  type: 'tool-start',
  turn,
  call: toToolCallId(name),
  name,
  summary: `about ${name}`,
});
const end = (name: string, isError = false): TurnEvent => ({
  type: 'tool-end',
  turn,
  call: toToolCallId(name),
  name,
  summary: '',
  isError,
});

const logOf = (...events: readonly TurnEvent[]): StepLog => {
  const log = new StepLog();
  for (const event of [told.start(), ...events]) log.tell(event);
  return log;
};
const namesOf = (log: StepLog, text: string) => log.before(text).map(({ name }) => name);
const store = (log: StepLog, text: string) => {
  const names = namesOf(log, text);
  log.stored(text);
  return names;
};

test('calls go with the message after them, once', () => {
  const log = logOf(start('a'), end('a'), start('b'), end('b', true), told.delta('Done.'));
  expect(log.before('Done.')).toEqual([
    { turn, call: 'a', name: 'a', state: 'finished', summary: 'about a' },
    { turn, call: 'b', name: 'b', state: 'failed', summary: 'about b' },
  ]);
  // Nothing is lost by a write that fails.
  expect(store(log, 'Done.')).toEqual(['a', 'b']);
  expect(store(log, 'Later.')).toEqual([]);
});

test('a text that is stored after the call that it announced stays before it', () => {
  const log = logOf(told.delta('I lo'), told.delta('ok.'), start('a'), end('a'), told.delta('Found.'));
  expect(store(log, 'I look.')).toEqual([]);
  expect(store(log, 'Found.')).toEqual(['a']);
});

test('the same words before each call are told apart', () => {
  const log = logOf(told.delta('Next.'), start('a'), end('a'), told.delta('Next.'), start('b'), end('b'));
  expect(store(log, 'Next.')).toEqual([]);
  expect(store(log, 'Next.')).toEqual(['a']);
  expect(store(log, 'Done.')).toEqual(['b']);
});

test('a text that was begun anew counts as it ended', () => {
  const log = logOf(told.delta('Wro'), told.reset(), told.delta('Right.'), start('a'), end('a'));
  expect(store(log, 'Right.')).toEqual([]);
  expect(store(log, 'Wrong.')).toEqual(['a']);
});

test('a call that runs waits for its end, which may be that of its turn', () => {
  const log = logOf(start('a'), start('b'), end('b'));
  expect(store(log, 'A word between.')).toEqual([]);
  log.tell(told.end('cancelled'));
  expect(log.before('').map(({ name, state }) => [name, state])).toEqual([
    ['a', 'ended'],
    ['b', 'finished'],
  ]);
});

test('a runaway is bounded', () => {
  const log = logOf();
  for (let count = 0; count < 700; count += 1) log.tell(end(`t${count}`));
  expect(log.before('')).toHaveLength(500);
});
