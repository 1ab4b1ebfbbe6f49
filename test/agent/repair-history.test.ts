import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lostResultText, repairHistory } from '../../src/agent/repair-history.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelMessage } from '../../src/core/provider.js';
import { aToolCall } from '../fakes/scripted-provider.js';
import { user } from './agent-world.js';

const calls = (...ids: readonly string[]): ModelMessage => ({
  role: 'assistant',
  text: '',
  toolCalls: ids.map((id) => aToolCall({ id, name: 'look' })),
});

const result = (id: string, text = `result of ${id}`): ModelMessage => ({
  role: 'tool',
  call: toToolCallId(id),
  text,
  isError: false,
});

const lost = (id: string): ModelMessage => ({
  role: 'tool',
  call: toToolCallId(id),
  text: lostResultText,
  isError: true,
});

describe('a repaired history', () => {
  test('that was whole is the same', () => {
    const history = [user('a'), calls('c1', 'c2'), result('c1'), result('c2'), user('b')];
    expect(repairHistory(history)).toEqual(history);
  });

  test('has a result right behind each call that lost its own', () => {
    expect(repairHistory([calls('c1', 'c2'), result('c1'), user('new')])).toEqual([
      calls('c1', 'c2'),
      result('c1'),
      lost('c2'),
      user('new'),
    ]);
  });

  test('has results in the order of their calls, and none behind another message', () => {
    expect(repairHistory([calls('c1', 'c2'), result('c2'), user('new'), result('c1')])).toEqual([
      calls('c1', 'c2'),
      result('c1'),
      result('c2'),
      user('new'),
    ]);
  });

  test('leaves out results of unknown calls and second results', () => {
    expect(
      repairHistory([user('a'), result('c9'), calls('c1'), result('c1'), result('c1', 'again')]),
    ).toEqual([user('a'), calls('c1'), result('c1')]);
  });

  test('leaves out a call that was cut off in its arguments, and its message if nothing is left of it', () => {
    const half = aToolCall({ id: 'c1', name: 'write', arguments: '{"path":"a.txt","content":"abc' });
    const whole = aToolCall({ id: 'c2', name: 'look' });
    expect(repairHistory([{ role: 'assistant', text: '', toolCalls: [half] }, user('b')])).toEqual([
      user('b'),
    ]);
    expect(repairHistory([{ role: 'assistant', text: 'So', toolCalls: [half] }])).toEqual([
      { role: 'assistant', text: 'So', toolCalls: [] },
    ]);
    expect(repairHistory([{ role: 'assistant', text: '', toolCalls: [half, whole] }, result('c2')])).toEqual([
      { role: 'assistant', text: '', toolCalls: [whole] },
      result('c2'),
    ]);
  });

  test('keeps a broken call that was answered, with arguments that every service reads', () => {
    const broken = aToolCall({ id: 'c1', name: 'look', arguments: 'not json' });
    const sloppy = aToolCall({ id: 'c2', name: 'look', arguments: "{'a':1,}" });
    const [message] = repairHistory([
      { role: 'assistant', text: '', toolCalls: [broken, sloppy] },
      result('c1'),
      result('c2'),
    ]);
    expect(message).toMatchObject({ toolCalls: [{ argumentsText: '{}' }, { argumentsText: '{"a":1}' }] });
  });

  test('does not touch arguments that are whole, whatever their spelling', () => {
    const call = aToolCall({ id: 'c1', name: 'look', arguments: '{ "id": 12345678901234567890 }' });
    expect(
      repairHistory([{ role: 'assistant', text: '', toolCalls: [call] }, result('c1')])[0],
    ).toMatchObject({
      toolCalls: [call],
    });
  });

  test('has no empty assistant message and no nameless call', () => {
    const nameless = aToolCall({ id: 'c1', name: '' });
    expect(
      repairHistory([
        { role: 'assistant', text: ' \n', toolCalls: [] },
        { role: 'assistant', text: '', toolCalls: [nameless] },
        result('c1'),
      ]),
    ).toEqual([]);
  });

  test('has no id twice, and results stay with their calls', () => {
    const repaired = repairHistory([calls('c1'), result('c1', 'old'), calls('c1'), result('c1', 'new')]);
    expect(repaired).toEqual([calls('c1'), result('c1', 'old'), calls('c1-2'), result('c1-2', 'new')]);
  });

  test('keeps messages of a person that follow each other', () => {
    expect(repairHistory([user('a'), user('b')])).toEqual([user('a'), user('b')]);
  });
});

const anyId = fc.constantFrom('c1', 'c2', 'c3').map(toToolCallId);
const anyCall = fc.record({
  id: anyId,
  name: fc.constantFrom('look', 'write', ''),
  argumentsText: fc.constantFrom('{}', '{"a":1}', '', 'null', '{"a":"half', "{'a':1}"),
});
const anyMessage: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const),
    text: fc.constantFrom('', ' ', 'text'),
    toolCalls: fc.array(anyCall, { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('tool' as const), call: anyId, text: fc.string(), isError: fc.boolean() }),
);

/** The rules of the model services, said once more from their side. */
const problemsOf = (messages: readonly ModelMessage[]): readonly string[] => {
  const problems: string[] = [];
  const seen = new Set<string>();
  let expected: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (expected.shift() !== message.call) problems.push(`result of ${message.call} out of place`);
      continue;
    }
    problems.push(...expected.map((id) => `${id} has no result`));
    expected = [];
    if (message.role !== 'assistant') continue;
    if (message.text.trim() === '' && message.toolCalls.length === 0)
      problems.push('empty assistant message');
    for (const { id, name, argumentsText } of message.toolCalls) {
      if (seen.has(id)) problems.push(`${id} twice`);
      if (name === '') problems.push(`${id} without a name`);
      if (typeof JSON.parse(argumentsText) !== 'object') problems.push(`${id} has no object`);
      seen.add(id);
      expected.push(id);
    }
  }
  return [...problems, ...expected.map((id) => `${id} has no result`)];
};

describe('any history', () => {
  test('is acceptable after its repair, which changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), (history) => {
        const repaired = repairHistory(history);
        expect(problemsOf(repaired)).toEqual([]);
        expect(repairHistory(repaired)).toEqual(repaired);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every message of a person, in order', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), (history) => {
        const ofPeople = (messages: readonly ModelMessage[]) =>
          messages.filter(({ role }) => role === 'user');
        expect(ofPeople(repairHistory(history))).toEqual(ofPeople(history));
      }),
    );
  });
});
