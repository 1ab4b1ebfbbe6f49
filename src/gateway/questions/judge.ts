/** Whether an answer counts, and what is said to whoever gave one that does not. Pure. */
import type { KeptQuestion, Question, QuestionAnswer } from '../../core/question.js';

export type Verdict = { readonly question: Question } | { readonly refusal: string };

export const unknownText = 'I no longer know this question. Please ask anew.';
const lateText = 'It is too late for that. Please ask anew.';
const strangerText = 'Only the person who was asked can choose here.';

const answeredText = ({ question }: KeptQuestion, { option }: QuestionAnswer): string =>
  `This was answered already: ${question.options[option]?.label ?? '…'}`;

/** `kept`: the question as it is stored; undefined for one that is not known. */
export const judge = (kept: KeptQuestion | undefined, answer: QuestionAnswer, now: number): Verdict => {
  if (kept?.question.options[answer.option] === undefined) return { refusal: unknownText };
  const { question } = kept;
  if (question.user !== undefined && question.user !== answer.user) return { refusal: strangerText };
  // The same event once more, after a kill.
  if (kept.answer?.event === answer.event) return { question };
  if (kept.answer !== undefined) return { refusal: answeredText(kept, kept.answer) };
  return kept.isClosed || question.expiresAt < now ? { refusal: lateText } : { question };
};

/** What a platform brings back when an option is chosen. */
export const toToken = ({ id }: Question, option: number): string => `${id}.${option}`;

export const parseToken = (token: string): { readonly id: string; readonly option: number } => {
  const dot = token.lastIndexOf('.');
  // No option has the number -1.
  return {
    id: token.slice(0, dot),
    option: /^\d{1,3}$/u.test(token.slice(dot + 1)) ? Number(token.slice(dot + 1)) : -1,
  };
};
