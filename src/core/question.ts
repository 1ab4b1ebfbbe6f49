import type { ApprovalRequest } from './approval.js';
import type { QuestionId, UserId } from './ids.js';
import type { Route } from './route.js';

export interface QuestionOption {
  /** What the person reads: a few words. */
  readonly label: string;
  /** What it means to whoever asked; never shown. */
  readonly value: string;
}

/** A question with answers to choose from, answered at most once. */
export interface Question {
  readonly id: QuestionId;
  /** The same for the same question however often it is asked. */
  readonly key: string;
  readonly route: Route;
  /** Markdown. */
  readonly text: string;
  readonly options: readonly QuestionOption[];
  /** Who may answer; absent: whoever may write there. */
  readonly user?: UserId;
  /** Owners may answer as well as `user`. */
  readonly orOwner?: boolean;
  /** What is to be allowed, where permission is asked for. */
  readonly approval?: ApprovalRequest;
  /** `command`: the chosen value is a chat command, run in the name of whoever chose it; `wait`: somebody waits for it. */
  readonly purpose: 'command' | 'wait';
  /** Shown as a numbered list: a bare number answers it. */
  readonly isListed: boolean;
  readonly askedAt: number;
  /** An answer after this time (epoch ms) comes too late. */
  readonly expiresAt: number;
}

export interface QuestionAnswer {
  /** Index of the option. */
  readonly option: number;
  readonly user: UserId;
  /** Dedupe key of the event that answered: the same event may come once more after a crash. */
  readonly event: string;
  /** Why, in the person's words. */
  readonly reason?: string;
}

export interface KeptQuestion {
  readonly question: Question;
  readonly answer?: QuestionAnswer;
  /** Nobody is to answer it any more. */
  readonly isClosed: boolean;
}

export interface QuestionStore {
  /** Keeps the question unless one with its key is there; gives the one that is kept. */
  open(question: Question): Promise<KeptQuestion>;
  find(id: QuestionId): Promise<KeptQuestion | undefined>;
  /** Not closed and not expired at this time (epoch ms), answered or not; oldest first. */
  current(now: number): Promise<readonly KeptQuestion[]>;
  /** The first answer stays; gives the question as it then is. Undefined if it is not known. */
  answer(id: QuestionId, answer: QuestionAnswer): Promise<KeptQuestion | undefined>;
  /** Nothing happens to one that is answered or not known. */
  close(id: QuestionId): Promise<void>;
}
