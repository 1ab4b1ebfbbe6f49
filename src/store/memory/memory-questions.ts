import type { QuestionId } from '../../core/ids.js';
import type { KeptQuestion, QuestionStore } from '../../core/question.js';
import { copyOf } from './copy.js';

export const createMemoryQuestions = (): {
  readonly store: QuestionStore;
  prune(expiredAt: number): void;
} => {
  const kept = new Map<QuestionId, KeptQuestion>();
  const isOpen = ({ answer, isClosed }: KeptQuestion): boolean => answer === undefined && !isClosed;
  return {
    store: {
      open: async (question) => {
        const known = [...kept.values()].find((one) => one.question.key === question.key);
        if (known !== undefined) return copyOf(known);
        const fresh = { question: copyOf(question), isClosed: false };
        kept.set(question.id, fresh);
        return fresh;
      },
      find: async (id) => kept.get(id),
      current: async (now) =>
        [...kept.values()]
          .filter(({ question, isClosed }) => !isClosed && question.expiresAt >= now)
          .sort((one, other) => (one.question.id < other.question.id ? -1 : 1)),
      answer: async (id, answer) => {
        const known = kept.get(id);
        if (known === undefined || !isOpen(known)) return known;
        const answered = { ...known, answer: copyOf(answer) };
        kept.set(id, answered);
        return answered;
      },
      close: async (id) => {
        const known = kept.get(id);
        if (known !== undefined && isOpen(known)) kept.set(id, { ...known, isClosed: true });
      },
    },
    prune: (expiredAt) => {
      for (const [id, { question }] of kept) if (question.expiresAt < expiredAt) kept.delete(id);
    },
  };
};
