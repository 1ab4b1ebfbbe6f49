/**
 * Questions with answers to choose from. Place in the flow: a command, or whoever asks → (here) → outbox*; a press or a
 * bare number → router → (here) → the chosen command, or whoever waits.
 *
 * 1. A question is stored before it is sent, and its answer before anything comes of it: both survive a kill.
 * 2. The first answer counts. Who comes later, too late, or was not asked, is told so and changes nothing.
 * 3. An event that answered may come once more after a kill, and then answers the same again.
 */
import type { Clock } from '../../core/clock.js';
import { type IdSource, toQuestionId } from '../../core/ids.js';
import type { InboundChoice, InboundEvent, InboundMessage } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { KeptQuestion, Question, QuestionAnswer, QuestionStore } from '../../core/question.js';
import { type Route, toRoute } from '../../core/route.js';
import { showsButtons } from '../outbound/fallback.js';
import type { Persist } from '../persist.js';
import type { Saying, Speaker } from '../speaker.js';
import { judge, parseToken, toToken, unknownText } from './judge.js';
import { ListedQuestions } from './listed.js';

export interface QuestionsDeps {
  readonly store: QuestionStore;
  readonly persist: Persist;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly speaker: Speaker;
  adapterFor(route: Route): PlatformAdapter | undefined;
  firstPlace(place: Route): Route;
  /** Aborts platform calls at the end of a stop's grace time. */
  readonly callSignal: AbortSignal;
}

export interface Asking
  extends Pick<Question, 'text' | 'options' | 'user'>,
    Pick<Saying, 'route' | 'replyTo' | 'key' | 'cause' | 'correlation'> {
  readonly timeoutMs: number;
}

/** What an answer leads to: a command as if its sender had typed it, nothing further, or it was no answer after all. */
export type Consequence =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'settled' }
  | { readonly kind: 'none' };

export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #listed: ListedQuestions;
  readonly #waiters = new Map<string, () => void>();

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
    this.#listed = new ListedQuestions((place) => deps.firstPlace(place));
  }

  async load(): Promise<void> {
    const { store, persist, clock } = this.#deps;
    const now = clock.now();
    for (const kept of await persist(() => store.current(now))) this.#listed.note(kept, now);
  }

  /** Offers chat commands: each option's value is one, run in the name of whoever chooses it. */
  async offer(asking: Asking): Promise<void> {
    await this.#pose(asking, 'command');
  }

  /**
   * Asks and waits. Resolves with the chosen value, or undefined once the time is over. Asked again with the same key
   * after a restart, it waits on for the same answer. Rejects with the signal's reason; then nobody can answer any more.
   */
  async ask(asking: Asking, { signal }: { readonly signal: AbortSignal }): Promise<string | undefined> {
    const { store, persist, clock } = this.#deps;
    const { question } = await this.#pose(asking, 'wait');
    const over = new AbortController();
    const answered = new Promise<void>((resolve) => this.#waiters.set(question.id, resolve));
    const delayMs = Math.max(0, question.expiresAt - clock.now());
    const patience = clock.sleep(delayMs, { signal: AbortSignal.any([signal, over.signal]) });
    try {
      // The answer may have come while the question was on its way, or before a restart.
      const kept = await persist(() => store.find(question.id));
      if (kept?.answer === undefined) await Promise.race([answered, patience]);
    } finally {
      over.abort(new Error('the wait is over'));
      await patience.catch(() => undefined);
      this.#waiters.delete(question.id);
      await this.#close(question);
    }
    const kept = await persist(() => store.find(question.id));
    return kept?.answer && question.options[kept.answer.option]?.value;
  }

  /** Whether it is a number that answers a list. */
  isAnswer(event: InboundEvent): boolean {
    return event.type === 'message' && this.#listed.find(event, this.#deps.clock.now()) !== undefined;
  }

  /** Something else was said: a number that comes now means something else too. Never throws. */
  onOther(event: InboundMessage): void {
    for (const question of this.#listed.offers(event)) {
      this.#close(question).catch((error: unknown) => {
        this.#deps.logger.debug({ error, question: question.id }, 'question not closed');
      });
    }
  }

  async take(event: InboundChoice | InboundMessage): Promise<Consequence> {
    if (event.type === 'action') return this.#onPress(event);
    const found = this.#listed.find(event, this.#deps.clock.now());
    if (found === undefined) return { kind: 'none' };
    const { kept, option } = found;
    const refusal = await this.#answer(kept, toAnswer(event, option));
    return refusal === undefined ? consequenceOf(kept.question, option) : { kind: 'none' };
  }

  /** Ends the waiting sign at a pressed button. Never throws: a lost one fades by itself. */
  acknowledge({ origin, press, correlation }: InboundChoice, text: string | undefined): void {
    const { logger, adapterFor, callSignal } = this.#deps;
    adapterFor(origin)
      ?.choices?.acknowledge(press, text, { signal: callSignal })
      .catch((error: unknown) => logger.debug({ error, correlation }, 'press not acknowledged'));
  }

  async #pose(asking: Asking, purpose: Question['purpose']): Promise<KeptQuestion> {
    const { store, persist, clock, ids, speaker, adapterFor } = this.#deps;
    const { text, options, user, timeoutMs, ...saying } = asking;
    const adapter = adapterFor(saying.route);
    const now = clock.now();
    const asked: Question = {
      id: ids.next('question'),
      key: saying.key,
      route: toRoute(saying.route),
      text,
      options,
      ...(user !== undefined && { user }),
      purpose,
      isListed: adapter === undefined || !showsButtons(adapter, options.length),
      askedAt: now,
      expiresAt: now + timeoutMs,
    };
    const kept = await persist(() => store.open(asked));
    this.#listed.note(kept, now);
    const choices = options.map(({ label }, index) => ({ label, token: toToken(kept.question, index) }));
    // What was said under this key before is not said again.
    await speaker.say({ ...saying, text, choices });
    return kept;
  }

  async #onPress(event: InboundChoice): Promise<Consequence> {
    const { store, persist } = this.#deps;
    const { id, option } = parseToken(event.token);
    const kept = await persist(() => store.find(toQuestionId(id)));
    const isHere = kept !== undefined && this.#isSameChat(kept.question.route, event.origin);
    const refusal = isHere ? await this.#answer(kept, toAnswer(event, option)) : unknownText;
    this.acknowledge(event, refusal);
    if (kept === undefined || refusal !== undefined) return { kind: 'settled' };
    const { question } = kept;
    if (question.purpose === 'wait') await this.#showAnswer(event, question, option);
    return consequenceOf(question, option);
  }

  /** What to tell whoever gave an answer that does not count. */
  async #answer(kept: KeptQuestion, answer: QuestionAnswer): Promise<string | undefined> {
    const { store, persist, clock } = this.#deps;
    const before = judge(kept, answer, clock.now());
    if ('refusal' in before) return before.refusal;
    const after = await persist(() => store.answer(before.question.id, answer));
    if (after !== undefined) this.#listed.note(after, clock.now());
    const verdict = judge(after, answer, clock.now());
    if ('refusal' in verdict) return verdict.refusal;
    this.#waiters.get(verdict.question.id)?.();
    return undefined;
  }

  /** The message with the buttons tells what was chosen, and has no buttons any more. */
  async #showAnswer(
    { origin, message, correlation }: InboundChoice,
    question: Question,
    option: number,
  ): Promise<void> {
    const { speaker, adapterFor } = this.#deps;
    if (adapterFor(origin)?.editing === undefined) return;
    await speaker.say({
      route: toRoute(origin),
      text: `${question.text}\n\n✓ ${question.options[option]?.label ?? ''}`,
      key: `question/${question.id}/answered`,
      cause: { kind: 'notice' },
      correlation,
      replaces: { message },
    });
  }

  async #close(question: Question): Promise<void> {
    const { store, persist, clock } = this.#deps;
    this.#listed.note({ question, isClosed: true }, clock.now());
    await persist(() => store.close(question.id));
  }

  #isSameChat(one: Route, other: Route): boolean {
    const { firstPlace } = this.#deps;
    const [first, second] = [firstPlace(one), firstPlace(other)];
    return (
      first.platform === second.platform && first.account === second.account && first.chat === second.chat
    );
  }
}

const toAnswer = ({ sender, dedupeKey }: InboundEvent, option: number): QuestionAnswer => ({
  option,
  user: sender.user,
  event: dedupeKey,
});

const consequenceOf = ({ purpose, options }: Question, option: number): Consequence => {
  const value = options[option]?.value;
  return purpose === 'command' && value !== undefined
    ? { kind: 'command', line: value }
    : { kind: 'settled' };
};
