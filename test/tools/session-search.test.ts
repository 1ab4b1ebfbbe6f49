import { describe, expect, test } from 'vitest';
import { toSessionId } from '../../src/core/ids.js';
import type { Recalled, RecalledMessage, RecallService } from '../../src/core/recall.js';
import { sessionSearch } from '../../src/tools/session-search.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { noRecall, someServices } from '../fakes/tool-services.js';

const aFound = (id: number, changes: Partial<RecalledMessage> = {}): RecalledMessage => ({
  id,
  session: toSessionId('ses_1'),
  place: 'matrix:#general',
  time: '2026-03-01 14:05',
  role: 'user',
  text: `text ${id}`,
  isThisConversation: false,
  ...changes,
});

const call = async (input: unknown, recall: Partial<RecallService> = {}) => {
  const context = aToolContext({ services: someServices({ recall: { ...noRecall, ...recall } }) });
  return sessionSearch.execute(sessionSearch.input.parse(input), context);
};

const answer = <Found>(found: Found): Promise<Recalled<Found>> =>
  Promise.resolve({ ok: true, reach: 'own', found });

describe('session_search', () => {
  test('says of every hit its id, place, time, speaker and what stands around it', async () => {
    const found = [aFound(7, { role: 'assistant', isThisConversation: true }), aFound(3)];
    const { text, isError } = await call({ query: 'text' }, { search: () => answer(found) });
    expect(isError).toBe(false);
    expect(text).toContain("2 found in this person's own conversations");
    expect(text).toContain(
      '[7] 2026-03-01 14:05, matrix:#general (this conversation), assistant: text 7\n[3] 2026-03-01 14:05, matrix:#general, user: text 3',
    );
    expect(text).toContain('around_message_id');
  });

  test('asks for as many as wanted, within the wanted scope, on behalf of the caller', async () => {
    const asked: unknown[] = [];
    const search: RecallService['search'] = (request, { caller, session, turn }) => {
      asked.push(request, caller.user, session, turn);
      return answer([]);
    };
    await call({ query: ' 北京 ' }, { search });
    await call({ query: 'x', limit: 3, scope: 'own' }, { search });
    expect(asked).toEqual([
      { query: ' 北京 ', limit: 10 },
      'u1',
      's1',
      't1',
      { query: 'x', limit: 3, scope: 'own' },
      'u1',
      's1',
      't1',
    ]);
  });

  test('reads on around a hit, long messages cut', async () => {
    const around: RecallService['around'] = ({ message, before, after }) =>
      answer([
        aFound(message - before),
        aFound(message, { text: '🙂'.repeat(5_000) }),
        aFound(message + after),
      ]);
    const { text } = await call({ around_message_id: 9, window: 2 }, { around });
    expect(text).toContain('From matrix:#general, session ses_1:\n[7] 2026-03-01 14:05, user: text 7\n[9]');
    expect(text).toContain('🙂 [… 1000 characters more]\n[11]');
  });

  test('lists recent conversations without a query', async () => {
    const session = {
      session: toSessionId('ses_1'),
      place: 'matrix:#general',
      title: 'Bread',
      time: '2026-03-01 14:05',
      messages: 12,
      isThisConversation: true,
    };
    const { text } = await call({ query: ' ' }, { recent: () => answer([session]) });
    expect(text).toContain('- 2026-03-01 14:05, matrix:#general (this conversation), 12 messages: Bread');
  });

  test.each([
    [{ query: 'x' }, 'Nothing found'],
    [{ around_message_id: 4 }, 'There is no such message'],
    [{}, 'There are none yet'],
  ])('says of %o that there is nothing, which is no error', async (input, said) => {
    expect(await call(input)).toMatchObject({ isError: false, text: expect.stringContaining(said) });
  });

  test('tells why something is not shown', async () => {
    const search = async () => ({ ok: false, problem: 'Not for you.' }) as const;
    expect(await call({ query: 'x', scope: 'all' }, { search })).toEqual({
      text: 'Not for you.',
      isError: true,
    });
  });

  test.each([
    [{ query: ' bread ' }, 'bread'],
    [{ around_message_id: 4 }, 'around message 4'],
    [{}, 'recent conversations'],
  ])('tells people of %o as %s', (input, summary) => {
    expect(sessionSearch.summarise?.(sessionSearch.input.parse(input))).toBe(summary);
  });
});
