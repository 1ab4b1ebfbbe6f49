import { describe, expect, test } from 'vitest';
import { encodeParts } from '../../../src/adapters/telegram/encode-parts.js';
import { toKeyboard } from '../../../src/adapters/telegram/keyboard.js';
import { fromEncoded, toEncoded } from '../../../src/adapters/telegram/payload.js';

const choices = (...labels: readonly string[]) =>
  labels.map((label, index) => ({ label, token: `q.${index}` }));
const textsOf = (...labels: readonly string[]) =>
  toKeyboard(choices(...labels)).map((row) => row.map(({ text }) => text));

describe('a keyboard', () => {
  test('has short answers side by side and long ones each in a row', () => {
    expect(textsOf('Once', 'Session', 'Always', 'Deny')).toEqual([['Once', 'Session', 'Always'], ['Deny']]);
    expect(textsOf('Yes', 'No, and never ask again')).toEqual([['Yes'], ['No, and never ask again']]);
  });

  test('shows labels as one line, cut where they are too long, and never empty', () => {
    expect(textsOf(' two\nlines ')).toEqual([['two lines']]);
    expect(textsOf(' ')).toEqual([['…']]);
    expect(textsOf('x'.repeat(100))[0]?.[0]).toHaveLength(60);
  });

  test('leaves out what Telegram would refuse the whole message for', () => {
    const data = toKeyboard([{ label: 'a', token: 'é'.repeat(33) }, ...choices('b')]).flat();
    expect(data).toEqual([{ text: 'b', callback_data: 'q.0' }]);
  });

  test('comes back from the outbox as it was', () => {
    const [message] = encodeParts([
      { type: 'text', text: 'May I?' },
      { type: 'choices', choices: choices('Yes', 'No') },
    ]);
    if (message === undefined) throw new Error('there is a message');
    const stored = JSON.parse(JSON.stringify(toEncoded(message)));
    expect(fromEncoded(stored)).toEqual(message);
    expect(
      fromEncoded({ text: 'x', payload: { keyboard: [[{ text: 'no data' }], 'odd'] } }).keyboard?.flat(),
    ).toEqual([]);
  });
});
