import { describe, expect, test } from 'vitest';
import { toQuestionId, toUserId } from '../../../src/core/ids.js';
import type { Question, QuestionAnswer } from '../../../src/core/question.js';
import { toRoute } from '../../../src/core/route.js';
import { type OpenHarness, useStores } from './harness.js';
import { origin } from './records.js';

const aQuestion = (name: string, over: Partial<Question> = {}): Question => ({
  id: toQuestionId(name),
  key: `key-${name}`,
  route: toRoute(origin),
  text: 'Which one?',
  options: [
    { label: 'first – 漢字 🙂', value: '/one' },
    { label: 'second', value: '/two' },
  ],
  user: toUserId('@ada:example.org'),
  purpose: 'command',
  isListed: true,
  askedAt: 10,
  expiresAt: 1000,
  ...over,
});

const anAnswer = (event: string, option = 1): QuestionAnswer => ({
  option,
  user: toUserId('@ada:example.org'),
  event,
});

export const questionSuite = (open: OpenHarness): void => {
  describe('questions', () => {
    const harness = useStores(open);

    test('are found as they were asked, also after a restart', async () => {
      const { user: _user, ...anybody } = aQuestion('b', { purpose: 'wait', isListed: false });
      await harness.stores.questions.open(aQuestion('a'));
      await harness.stores.questions.open(anybody);
      const { questions } = await harness.restart();
      const kept = { question: aQuestion('a'), isClosed: false };
      expect(await questions.find(toQuestionId('a'))).toStrictEqual(kept);
      expect(await questions.current(1000)).toStrictEqual([kept, { question: anybody, isClosed: false }]);
      expect(await questions.find(toQuestionId('c'))).toBeUndefined();
    });

    test('are asked once for each key', async () => {
      const { questions } = harness.stores;
      await questions.open(aQuestion('a'));
      await questions.answer(toQuestionId('a'), anAnswer('e1'));
      const again = await questions.open(aQuestion('b', { key: 'key-a' }));
      expect(again).toMatchObject({ question: { id: 'a' }, answer: { event: 'e1' } });
      expect(await questions.find(toQuestionId('b'))).toBeUndefined();
    });

    test('keep the first answer, also after a restart', async () => {
      const id = toQuestionId('a');
      await harness.stores.questions.open(aQuestion('a'));
      expect(await harness.stores.questions.answer(id, anAnswer('e1'))).toMatchObject({
        answer: anAnswer('e1'),
      });
      const { questions } = await harness.restart();
      expect(await questions.answer(id, anAnswer('e2', 0))).toMatchObject({ answer: anAnswer('e1') });
      await questions.close(id);
      expect(await questions.find(id)).toStrictEqual({
        question: aQuestion('a'),
        answer: anAnswer('e1'),
        isClosed: false,
      });
      expect(await questions.answer(toQuestionId('c'), anAnswer('e3'))).toBeUndefined();
    });

    test('take no answer once they are closed', async () => {
      const id = toQuestionId('a');
      const { questions } = harness.stores;
      await questions.open(aQuestion('a'));
      await questions.close(id);
      await questions.close(toQuestionId('never asked'));
      expect(await questions.answer(id, anAnswer('e1'))).toStrictEqual({
        question: aQuestion('a'),
        isClosed: true,
      });
      expect(await questions.current(0)).toEqual([]);
    });

    test('whose time is over are not current, and are forgotten later', async () => {
      const { questions, maintenance } = harness.stores;
      await questions.open(aQuestion('a', { expiresAt: 500 }));
      await questions.open(aQuestion('b', { expiresAt: 1500 }));
      expect((await questions.current(501)).map(({ question }) => question.id)).toEqual(['b']);
      await maintenance.prune({ inboxAt: 501, outboxAt: 0 });
      expect(await questions.find(toQuestionId('a'))).toBeUndefined();
      expect(await questions.find(toQuestionId('b'))).toBeDefined();
    });
  });
};
