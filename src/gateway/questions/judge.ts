/** Whether an answer counts, and what is said to whoever gave one that does not. Pure. */
import type { KeptQuestion, Question, QuestionAnswer } from '../../core/question.js';

export type Verdict =
  | { readonly question: Question }
  | { readonly refusal: string; readonly why: 'unknown' | 'stranger' | 'over' };

const unknownText = 'I no longer know this question. Please ask anew.';
const lateText = 'It is too late for that. Please ask anew.';
const expiredText = 'This request has expired. Nothing was done; please ask anew.';
const strangerText = 'Only the person who was asked can choose here.';

const answeredText = ({ question }: KeptQuestion, { option }: QuestionAnswer): string =>
  `This was answered already: ${question.options[option]?.label ?? '…'}`;

interface Circumstances {
  /** Epoch ms. */
  readonly now: number;
  /** Whether whoever answers owns the gateway. */
  readonly isOwner: boolean;
}

/** `kept`: the question as it is stored; undefined for one that is not known. */
export const judge = (
  kept: KeptQuestion | undefined,
  answer: QuestionAnswer,
  { now, isOwner }: Circumstances,
): Verdict => {
  if (kept?.question.options[answer.option] === undefined) return { refusal: unknownText, why: 'unknown' };
  const { question } = kept;
  const isAsked =
    question.user === undefined || question.user === answer.user || (question.orOwner === true && isOwner);
  if (!isAsked) return { refusal: strangerText, why: 'stranger' };
  // The same event once more, after a kill.
  if (kept.answer?.event === answer.event) return { question };
  if (kept.answer !== undefined) return { refusal: answeredText(kept, kept.answer), why: 'over' };
  if (!kept.isClosed && question.expiresAt >= now) return { question };
  return { refusal: question.approval === undefined ? lateText : expiredText, why: 'over' };
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
