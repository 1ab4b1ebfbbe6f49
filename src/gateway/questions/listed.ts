/**
 * Questions that stand in a chat: a bare number answers the newest that is a numbered list, and a spoken word the newest
 * of all.
 */
import type { InboundMessage } from '../../core/inbound.js';
import { textOf } from '../../core/parts.js';
import type { KeptQuestion, Question } from '../../core/question.js';
import type { Route } from '../../core/route.js';
import { saidIn, toSpokenChoice } from '../voice/spoken-words.js';

const bareNumber = /^\s*(\d{1,3})\s*[.)]?\s*$/u;

const placeOf = ({ platform, account, chat, thread }: Route): string =>
  JSON.stringify([platform, account, chat, thread ?? null]);

export class ListedQuestions {
  /** The same place under the first id that its chat had. */
  readonly #firstPlace: (place: Route) => Route;
  /** Oldest first; answered ones too, since the event that answered may come once more. */
  #kept: readonly KeptQuestion[] = [];

  constructor(firstPlace: (place: Route) => Route) {
    this.#firstPlace = firstPlace;
  }

  /** Adds it, or takes over its new state. */
  note(kept: KeptQuestion, now: number): void {
    const { id } = kept.question;
    const others = this.#kept.filter(({ question }) => question.id !== id && question.expiresAt >= now);
    this.#kept = kept.isClosed ? others : [...others, kept];
  }

  /** What the message answers, and with which option. */
  find(
    event: InboundMessage,
    now: number,
  ): { readonly kept: KeptQuestion; readonly option: number } | undefined {
    const said = saidIn(event);
    const number = said === undefined ? bareNumber.exec(textOf(event.parts))?.[1] : undefined;
    if (number === undefined && said === undefined) return undefined;
    const newest = this.#kept.findLast(
      ({ question, answer }) =>
        (said !== undefined || question.isListed) &&
        this.#isHere(question, event) &&
        (answer === undefined ? question.expiresAt >= now : answer.event === event.dedupeKey),
    );
    if (newest === undefined) return undefined;
    const { options } = newest.question;
    const option = said === undefined ? Number(number) - 1 : toSpokenChoice(said, options);
    return option === undefined || options[option] === undefined ? undefined : { kept: newest, option };
  }

  /** Lists of commands that whoever wrote this has before their eyes. */
  offers(event: InboundMessage): readonly Question[] {
    return this.#kept
      .filter(({ question, answer }) => answer === undefined && this.#isHere(question, event))
      .map(({ question }) => question)
      .filter(({ purpose, isListed }) => purpose === 'command' && isListed);
  }

  #isHere({ route, user }: Question, { origin, sender }: InboundMessage): boolean {
    const isAsked = user === undefined || user === sender.user;
    return isAsked && placeOf(this.#firstPlace(route)) === placeOf(this.#firstPlace(origin));
  }
}
