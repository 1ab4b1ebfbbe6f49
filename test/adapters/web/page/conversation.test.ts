import { describe, expect, test } from 'vitest';
import { type Conversation, conversationModule } from './modules.js';

const { addPending, applyEvent, createConversation, dropPending, markPending, prependHistory, questionOf } =
  conversationModule;

const turnId = 'turn-1';
const working = ['status', { state: 'working', turnId }] as const;
const idle = (stopReason = 'end_turn') => ['status', { state: 'idle', turnId, stopReason }] as const;
const delta = (text: string, extra = {}) => ['delta', { turnId, text, ...extra }] as const;
const tool = (state: string, callId = 'c1') =>
  ['tool', { turnId, callId, name: 'todo', state, summary: '' }] as const;
const answer = (text: string, messageId = `id of ${text}`) =>
  ['message', { messageId, role: 'assistant', text }] as const;
const question = (text: string, messageId = `id of ${text}`) =>
  ['message', { messageId, role: 'user', text }] as const;

const replay = (...events: readonly (readonly [string, unknown])[]): Conversation => {
  const conversation = createConversation();
  for (const [event, data] of events) applyEvent(conversation, event, data);
  return conversation;
};

const shown = ({ items }: Conversation) => items.map(({ kind, text, state }) => `${kind} ${text ?? state}`);

describe('a conversation', () => {
  test('grows a draft and puts the stored message in its place', () => {
    expect(shown(replay(question('hi'), working, delta('Hel'), delta('lo')))).toEqual([
      'message hi',
      'draft Hello',
    ]);
    const done = replay(question('hi'), working, delta('Hel'), delta('lo'), idle(), answer('Hello'));
    expect(shown(done)).toEqual(['message hi', 'message Hello']);
    expect(done.isWorking).toBe(false);
  });

  test('keeps the place of a draft, whenever its message comes', () => {
    const events = [working, delta('step one'), tool('started'), delta('step two')];
    const expected = ['message step one', 'tool started', 'draft step two'];
    expect(shown(replay(...events, answer('step one')))).toEqual(expected);
    expect(shown(replay(...events.slice(0, 3), answer('step one'), ...events.slice(3)))).toEqual(expected);
  });

  test('takes the stored message for the draft when they differ in spaces, or the turn is over', () => {
    expect(shown(replay(working, delta('a\n\n b'), answer('a b')))).toEqual(['message a b']);
    expect(shown(replay(working, delta('a MEDIA:x'), idle(), answer('a')))).toEqual(['message a']);
  });

  test('does not take another message for the draft of a running turn', () => {
    expect(shown(replay(working, delta('writing'), answer('a delivery')))).toEqual([
      'draft writing',
      'message a delivery',
    ]);
  });

  test('voids the text of a step that begins again, and only that', () => {
    expect(
      shown(
        replay(working, delta('one'), tool('started'), delta('tw'), delta('', { reset: true }), delta('2')),
      ),
    ).toEqual(['draft one', 'tool started', 'draft 2']);
  });

  test('shows a message once, however often it is told', () => {
    expect(shown(replay(answer('a'), answer('a'), question('b'), question('b')))).toEqual([
      'message a',
      'message b',
    ]);
  });

  test('shows one line per tool call', () => {
    expect(
      shown(replay(working, tool('started'), tool('started', 'c2'), tool('failed'), tool('finished', 'c2'))),
    ).toEqual(['tool failed', 'tool finished']);
    expect(shown(replay(working, tool('started'), idle()))).toEqual(['tool ended']);
  });

  test('keeps what was written before a stop, and drops other leftovers when the next turn begins', () => {
    const next = ['status', { state: 'working', turnId: 'turn-2' }] as const;
    expect(replay(working, delta('half'), idle('cancelled'), next).items).toMatchObject([
      { text: 'half', isStopped: true },
    ]);
    expect(replay(working, delta('half'), idle(), next).items).toEqual([]);
  });

  test('says what it waits for until it goes on', () => {
    const waiting = replay(working, ['status', { state: 'working', turnId, detail: 'The model is busy.' }]);
    expect(waiting).toMatchObject({ isWorking: true, detail: 'The model is busy.' });
    applyEvent(waiting, ...idle());
    expect(waiting.detail).toBeUndefined();
  });

  test('shows an error of no turn, and leaves the others to their message', () => {
    expect(shown(replay(['error', { code: 'x', message: 'Broken.' }]))).toEqual(['notice Broken.']);
    expect(shown(replay(working, ['error', { code: 'x', message: 'Broken.', turnId }]))).toEqual([]);
  });

  test('puts history before everything, without doubling it', () => {
    const conversation = replay(answer('c'));
    const message = (text: string) => ({ messageId: `id of ${text}`, role: 'assistant', text });
    prependHistory(conversation, [message('a'), message('b'), message('c')]);
    expect(shown(conversation)).toEqual(['message a', 'message b', 'message c']);
  });
});

describe('what is still to be sent', () => {
  const pending = (...clientIds: string[]) => {
    const conversation = createConversation();
    for (const clientId of clientIds) addPending(conversation, { clientId, text: `text of ${clientId}` });
    return conversation;
  };

  test('stands at the end until it is told', () => {
    const conversation = pending('k');
    applyEvent(conversation, ...answer('news'));
    expect(shown(conversation)).toEqual(['message news', 'pending text of k']);
    const [, { key }] = conversation.items as [unknown, { key: number }];
    markPending(conversation, 'k', { state: 'sending' });
    markPending(conversation, 'k', { state: 'sent', id: 'm' });
    applyEvent(conversation, ...question('text of k', 'm'));
    expect(shown(conversation)).toEqual(['message news', 'message text of k']);
    expect(conversation.items[1]?.key).toBe(key);
  });

  test('goes when the stream is faster than the answer', () => {
    const conversation = pending('k');
    markPending(conversation, 'k', { state: 'sending' });
    applyEvent(conversation, ...question('text of k', 'm'));
    markPending(conversation, 'k', { state: 'sent', id: 'm' });
    expect(shown(conversation)).toEqual(['message text of k']);
  });

  test('is told apart from the same words of another page', () => {
    const conversation = pending('k');
    applyEvent(conversation, ...question('text of k', 'of the other page'));
    expect(shown(conversation)).toEqual(['message text of k', 'pending text of k']);
  });

  test('keeps its problem, and can be dropped', () => {
    const conversation = pending('k', 'l');
    markPending(conversation, 'k', { state: 'failed', problem: 'Too long.' });
    expect(conversation.items).toMatchObject([
      { state: 'failed', problem: 'Too long.' },
      { state: 'waiting' },
    ]);
    dropPending(conversation, 'k');
    expect(shown(conversation)).toEqual(['pending text of l']);
  });
});

test('a stopped text is shown once, whether its message comes before its end or after', () => {
  const stored = answer('It grows …\n\n*(stopped)*');
  for (const events of [
    [stored, idle('cancelled')],
    [idle('cancelled'), stored],
  ])
    expect(shown(replay(working, delta('It grows'), ...events))).toEqual([
      'message It grows …\n\n*(stopped)*',
    ]);
});

describe('a turn that failed', () => {
  const failure = ['error', { turnId, code: 'unavailable', message: 'Out of order.' }] as const;
  const marked = ({ items }: Conversation) => items.filter(({ isError }) => isError).map(({ text }) => text);

  test.each([
    ['before', [question('hi'), working, answer('Out of order.'), failure, idle('error')]],
    ['after', [question('hi'), working, failure, idle('error'), answer('Out of order.')]],
    [
      'in place of a draft after',
      [working, delta('Out of'), failure, idle('error'), answer('Out of order.')],
    ],
  ])('marks its message, told %s the error', (_, events) => {
    expect(marked(replay(...events))).toEqual(['Out of order.']);
  });

  test('marks no other message, and no later one in the same words', () => {
    expect(marked(replay(answer('Fine.'), working, failure, idle('error')))).toEqual([]);
    const again = replay(
      working,
      answer('Out of order.'),
      failure,
      idle('error'),
      answer('Out of order.', 'later'),
    );
    expect(marked(again)).toEqual(['Out of order.']);
  });

  test('can be asked again in the words of its question, unless that had files', () => {
    const conversation = replay(question('first'), answer('1'), question('second'), working, answer('2'));
    expect(questionOf(conversation, conversation.items.at(-1))?.text).toBe('second');
    expect(questionOf(conversation, conversation.items[1])?.text).toBe('first');
    const media = [{ url: '/m', name: 'a.png', type: 'image/png' }];
    const withFile = replay(['message', { messageId: 'f', role: 'user', text: 'look', media }], answer('3'));
    expect(questionOf(withFile, withFile.items.at(-1))).toBeUndefined();
  });
});

describe('tool calls that come with a message', () => {
  const step = (callId: string, state = 'finished') => ({ turnId, callId, name: 'todo', state, summary: '' });
  const withSteps = (text: string, ...steps: unknown[]) =>
    ['message', { messageId: `id of ${text}`, role: 'assistant', text, steps }] as const;

  test('are shown before it, unless they were told live', () => {
    expect(shown(replay(withSteps('done', step('c1'), step('c2', 'failed'))))).toEqual([
      'tool finished',
      'tool failed',
      'message done',
    ]);
    const live = [working, tool('started'), tool('finished'), delta('done')];
    expect(shown(replay(...live, withSteps('done', step('c1'), step('c2'))))).toEqual([
      'tool finished',
      'tool finished',
      'message done',
    ]);
  });

  test('tell of an end that was not told live', () => {
    expect(shown(replay(working, tool('started'), withSteps('done', step('c1', 'failed'))))).toEqual([
      'tool failed',
      'message done',
    ]);
  });

  test('come with the past, and a failed answer is still one', () => {
    const conversation = createConversation();
    const [, last] = withSteps('no', step('c2'));
    prependHistory(conversation, [question('hi')[1], { ...last, failed: true }], [step('c3', 'ended')]);
    prependHistory(conversation, [withSteps('old', step('c1'))[1]]);
    expect(shown(conversation)).toEqual([
      'tool finished',
      'message old',
      'message hi',
      'tool finished',
      'message no',
      'tool ended',
    ]);
    expect(conversation.items.filter(({ isError }) => isError).map(({ text }) => text)).toEqual(['no']);
  });
});
