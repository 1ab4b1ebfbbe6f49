/**
 * Questions that stand in a chat. Of those that are a numbered list a bare number answers the newest; a request for
 * permission also words, and where several are open the card's own code. A spoken word answers the newest of all.
 */
import type { InboundMessage } from '../../core/inbound.js';
import { textOf } from '../../core/parts.js';
import type { KeptQuestion, Question } from '../../core/question.js';
import type { Route } from '../../core/route.js';
import { codeOf } from '../approvals/card.js';
import { parseTyped, type TypedAnswer } from '../approvals/typed.js';
import { saidIn, toSpokenChoice } from '../voice/spoken-words.js';

const bareNumber = /^\s*(\d{1,3})\s*[.)]?\s*$/u;
/** A number that comes so soon after its request was over was meant for it. */
const AFTERTHOUGHT_MS = 120_000;

const placeOf = ({ platform, account, chat, thread }: Route): string =>
  JSON.stringify([platform, account, chat, thread ?? null]);

export type Found =
  | {
      readonly kind: 'answer';
      readonly kept: KeptQuestion;
      readonly option: number;
      readonly reason?: string;
    }
  /** Several requests are open, and it is not said which is meant. */
  | { readonly kind: 'ambiguous'; readonly codes: readonly string[] };

interface ListedDeps {
  /** The same place under the first id that its chat had. */
  firstPlace(place: Route): Route;
  isOwner(event: InboundMessage): boolean;
}

export class ListedQuestions {
  readonly #deps: ListedDeps;
  /** Oldest first; answered ones too, since the event that answered may come once more. */
  #kept: readonly KeptQuestion[] = [];

  constructor(deps: ListedDeps) {
    this.#deps = deps;
  }

  /** Adds it, or takes over its new state. */
  note(kept: KeptQuestion, now: number): void {
    const { id, approval } = kept.question;
    const others = this.#kept.filter(
      ({ question }) =>
        question.id !== id &&
        question.expiresAt + (question.approval === undefined ? 0 : AFTERTHOUGHT_MS) >= now,
    );
    this.#kept = kept.isClosed && approval === undefined ? others : [...others, kept];
  }

  /** What the message answers, and with which option. Somebody else's words answer nothing. */
  find(event: InboundMessage, now: number): Found | undefined {
    if (event.isForwarded === true) return undefined;
    const said = saidIn(event);
    if (said !== undefined) return this.#spoken(event, said, now);
    const text = textOf(event.parts);
    const here = this.#kept.filter(({ question }) => question.isListed && this.#isHere(question, event));
    const open = here.filter((kept) => isOpenFor(kept, event, now));
    const newest = open.at(-1);
    const number = bareNumber.exec(text)?.[1];
    if (newest !== undefined && newest.question.approval === undefined && number !== undefined)
      return toFound(newest, Number(number) - 1);
    const requests = open.filter(({ question }) => question.approval !== undefined);
    if (requests.length === 0)
      return number === undefined ? undefined : this.#afterthought(here, number, now);
    const codes = new Map(requests.map((kept) => [codeOf(kept.question), kept]));
    const typed = parseTyped(text, new Set(codes.keys()));
    if (typed === undefined) return undefined;
    if (typed.code === undefined && requests.length > 1)
      return { kind: 'ambiguous', codes: [...codes.keys()] };
    const meant = typed.code === undefined ? requests[0] : codes.get(typed.code);
    return meant && toFound(meant, optionOf(meant.question, typed), typed.reason);
  }

  /** Lists of commands that whoever wrote this has before their eyes. */
  offers(event: InboundMessage): readonly Question[] {
    return this.#kept
      .filter(({ question, answer }) => answer === undefined && this.#isHere(question, event))
      .map(({ question }) => question)
      .filter(({ purpose, isListed }) => purpose === 'command' && isListed);
  }

  /** A permission is given by the words of a button, and by no number that nobody sees. */
  #spoken(event: InboundMessage, said: string, now: number): Found | undefined {
    const newest = this.#kept.findLast(
      (kept) => this.#isHere(kept.question, event) && isOpenFor(kept, event, now),
    );
    if (newest === undefined) return undefined;
    const byNumber = newest.question.approval === undefined;
    const option = toSpokenChoice(said, newest.question.options, { byNumber });
    return option === undefined ? undefined : toFound(newest, option);
  }

  #afterthought(here: readonly KeptQuestion[], number: string, now: number): Found | undefined {
    const last = here.findLast(
      ({ question, isClosed }) => question.approval !== undefined && (isClosed || question.expiresAt < now),
    );
    return last && toFound(last, Number(number) - 1);
  }

  #isHere(question: Question, event: InboundMessage): boolean {
    const { route, user, orOwner } = question;
    const isAsked =
      user === undefined || user === event.sender.user || (orOwner === true && this.#deps.isOwner(event));
    const { firstPlace } = this.#deps;
    return isAsked && placeOf(firstPlace(route)) === placeOf(firstPlace(event.origin));
  }
}

const isOpenFor = (
  { question, answer, isClosed }: KeptQuestion,
  { dedupeKey }: InboundMessage,
  now: number,
): boolean => (answer === undefined ? !isClosed && question.expiresAt >= now : answer.event === dedupeKey);

const toFound = (kept: KeptQuestion, option: number, reason?: string): Found | undefined =>
  kept.question.options[option] === undefined
    ? undefined
    : { kind: 'answer', kept, option, ...(reason !== undefined && { reason }) };

const optionOf = ({ options }: Question, { value }: TypedAnswer): number =>
  typeof value === 'number' ? value - 1 : options.findIndex((option) => option.value === value);
