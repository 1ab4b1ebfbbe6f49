/**
 * Questions with answers to choose from. Place in the flow: a command, or whoever asks → (here) → outbox*; a press, a
 * typed answer or a page's → (here) → the chosen command, or whoever waits.
 *
 * 1. A question is stored before it is sent, and its answer before anything comes of it: both survive a kill.
 * 2. The first answer counts. Who comes later, too late, or was not asked, is told so and changes nothing.
 * 3. An event that answered may come once more after a kill, and then answers the same again.
 * 4. However a question ends, its message tells so and loses its buttons.
 */
import type { ApprovalRequest } from '../../core/approval.js';
import type { Clock } from '../../core/clock.js';
import { type IdSource, type QuestionId, toQuestionId, type UserId } from '../../core/ids.js';
import type { InboundChoice, InboundEvent, InboundMessage } from '../../core/inbound.js';
import type { KeptQuestion, Question, QuestionAnswer, QuestionStore } from '../../core/question.js';
import { type Route, toRoute } from '../../core/route.js';
import { approvalOptions, codeOf, toCard } from '../approvals/card.js';
import { showsButtons } from '../outbound/fallback.js';
import type { Saying } from '../speaker.js';
import { judge, parseToken, type Verdict } from './judge.js';
import { type Found, ListedQuestions } from './listed.js';
import { Presenter, type PresenterDeps, toCardEnd } from './presenter.js';

export interface QuestionsDeps extends PresenterDeps {
  readonly store: QuestionStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  firstPlace(place: Route): Route;
  isOwner(platform: Route['platform'], user: UserId): boolean;
  /** Aborts platform calls at the end of a stop's grace time. */
  readonly callSignal: AbortSignal;
}

type SayingPart = Pick<Saying, 'route' | 'replyTo' | 'key' | 'cause' | 'correlation'>;

export interface Asking extends Pick<Question, 'text' | 'options' | 'user'>, SayingPart {
  readonly timeoutMs: number;
}

/** For permission: its words and options follow from it. */
export interface ApprovalAsking extends Pick<Question, 'user'>, SayingPart {
  readonly approval: ApprovalRequest;
  readonly timeoutMs: number;
}

/** What became of a question that somebody waits for. `undelivered`: nobody has seen it, and why. */
export type QuestionEnd =
  | { readonly kind: 'answered'; readonly value: string; readonly user: UserId; readonly reason?: string }
  | { readonly kind: 'timed-out' | 'cancelled' }
  | { readonly kind: 'undelivered'; readonly problem: string };

/** What an answer leads to: a command as if its sender had typed it, nothing further, or it was no answer after all. */
export type Consequence =
  | { readonly kind: 'command'; readonly line: string }
  /** `text`: what to say about it. */
  | { readonly kind: 'settled'; readonly text?: string }
  | { readonly kind: 'none' };

type Ending = 'answered' | 'timed-out' | 'cancelled' | { readonly problem: string };

const notSeenInTime = 'The request could not be shown in time.';
const outOfService = 'The chat is out of service at the moment.';

export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #listed: ListedQuestions;
  readonly #presenter: Presenter;
  readonly #waiters = new Map<QuestionId, (ending: Ending) => void>();
  /** Requests for permission that wait, oldest first. */
  readonly #open = new Map<QuestionId, Question>();

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
    this.#presenter = new Presenter(deps);
    this.#listed = new ListedQuestions({
      firstPlace: (place) => deps.firstPlace(place),
      isOwner: ({ origin, sender }) => deps.isOwner(origin.platform, sender.user),
    });
  }

  /** Requests for permission that wait, oldest first. */
  get pending(): readonly Question[] {
    return [...this.#open.values()];
  }

  async load(): Promise<void> {
    const { store, persist, clock } = this.#deps;
    const now = clock.now();
    for (const kept of await persist(() => store.current(now))) this.#listed.note(kept, now);
  }

  /** Requests for permission that an earlier life left without an answer are over, and their cards say so. */
  async endLeft(): Promise<void> {
    const { store, persist, clock, ids } = this.#deps;
    for (const kept of await persist(() => store.current(clock.now()))) {
      if (kept.question.approval === undefined || kept.answer !== undefined) continue;
      await this.#close(kept.question);
      await this.#presenter.end(kept.question, { kind: 'restarted' }, ids.next('correlation'));
    }
  }

  /** Offers chat commands: each option's value is one, run in the name of whoever chooses it. */
  async offer({ text, options, ...asking }: Asking): Promise<void> {
    const kept = await this.#pose({ ...asking, purpose: 'command', toWords: () => ({ text, options }) });
    await this.#presenter.show(kept.question, sayingOf(asking));
  }

  /**
   * Asks and waits. Asked again with the same key after a restart, it waits on for the same answer. Rejects with the
   * signal's reason; then nobody can answer any more.
   */
  async ask(
    { text, options, ...asking }: Asking,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<QuestionEnd> {
    const kept = await this.#pose({ ...asking, purpose: 'wait', toWords: () => ({ text, options }) });
    return this.#wait(kept, asking, signal);
  }

  /** The same for permission, which an owner may give in place of whoever is asked, and which no restart survives. */
  async askPermission(
    { approval, ...asking }: ApprovalAsking,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<QuestionEnd> {
    const adapter = this.#deps.adapterFor(asking.route);
    if (adapter === undefined) return { kind: 'undelivered', problem: outOfService };
    const options = approvalOptions(approval);
    const { maxLength } = adapter.support(asking.route).text;
    const toWords = (question: Pick<Question, 'id' | 'isListed'>) => ({
      text: toCard({
        ...question,
        request: approval,
        code: codeOf(question),
        timeoutMs: asking.timeoutMs,
        maxLength,
      }),
      options,
    });
    const given = { ...asking, purpose: 'wait', approval, toWords, optionCount: options.length } as const;
    const kept = await this.#pose(given);
    const { question } = kept;
    this.#open.set(question.id, question);
    try {
      return await this.#wait(kept, asking, signal);
    } finally {
      this.#open.delete(question.id);
    }
  }

  /** Ends every request for permission that waits. */
  cancelPermissions(): void {
    for (const id of this.#open.keys()) this.#waiters.get(id)?.('cancelled');
  }

  /** Whether it is typed words that answer something, or nearly. */
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
    return found === undefined ? { kind: 'none' } : this.#onTyped(event, found);
  }

  /** By a page, a program or a command. `isOwner`: whoever answers may do so for everybody. */
  async answerBy(
    id: string,
    answer: Omit<QuestionAnswer, 'option'> & { readonly value: string },
    { isOwner }: { readonly isOwner: boolean },
  ): Promise<Verdict> {
    const { store, persist } = this.#deps;
    const kept = await persist(() => store.find(toQuestionId(id)));
    const known = kept?.question.approval === undefined ? undefined : kept;
    const { value, ...rest } = answer;
    const option = known?.question.options.findIndex((one) => one.value === value) ?? -1;
    return this.#answer(known, { ...rest, option }, isOwner);
  }

  /** Ends the waiting sign at a pressed button. Never throws: a lost one fades by itself. */
  acknowledge({ origin, press, correlation }: InboundChoice, text: string | undefined): void {
    const { logger, adapterFor, callSignal } = this.#deps;
    adapterFor(origin)
      ?.choices?.acknowledge(press, text, { signal: callSignal })
      .catch((error: unknown) => logger.debug({ error, correlation }, 'press not acknowledged'));
  }

  async #pose(asking: Posing): Promise<KeptQuestion> {
    const { store, persist, clock, ids, adapterFor } = this.#deps;
    const { key, user, timeoutMs, purpose, approval, toWords, optionCount } = asking;
    const route = toRoute(asking.route);
    const adapter = adapterFor(route);
    const now = clock.now();
    const id = ids.next('question');
    const count = optionCount ?? toWords({ id, isListed: false }).options.length;
    const isShownElsewhere = approval !== undefined && adapter?.approvals !== undefined;
    const isListed = !isShownElsewhere && (adapter === undefined || !showsButtons(adapter, count));
    const asked: Question = {
      id,
      key,
      route,
      ...toWords({ id, isListed }),
      ...(user !== undefined && { user }),
      ...(approval !== undefined && { orOwner: true, approval }),
      purpose,
      isListed,
      askedAt: now,
      expiresAt: now + timeoutMs,
    };
    const kept = await persist(() => store.open(asked));
    this.#listed.note(kept, now);
    return kept;
  }

  async #wait(kept: KeptQuestion, saying: SayingPart, signal: AbortSignal): Promise<QuestionEnd> {
    const { store, persist } = this.#deps;
    const { question } = kept;
    let ending: Ending = 'cancelled';
    const sight = { hasArrived: kept.isClosed };
    try {
      ending = await this.#ending(kept, saying, sight, signal);
    } finally {
      this.#waiters.delete(question.id);
      await this.#close(question);
      if (ending === 'timed-out' && !sight.hasArrived) ending = { problem: notSeenInTime };
      const last = (await persist(() => store.find(question.id))) ?? kept;
      const otherwise = typeof ending === 'object' ? 'undelivered' : ending;
      const end = toCardEnd(last, otherwise === 'answered' ? 'timed-out' : otherwise);
      await this.#presenter.end(question, end, saying.correlation);
    }
    const { answer } = (await persist(() => store.find(question.id))) ?? kept;
    const value = answer && question.options[answer.option]?.value;
    if (answer === undefined || value === undefined) {
      if (typeof ending === 'object') return { kind: 'undelivered', ...ending };
      return { kind: ending === 'cancelled' ? 'cancelled' : 'timed-out' };
    }
    const { user, reason } = answer;
    return { kind: 'answered', value, user, ...(reason !== undefined && { reason }) };
  }

  async #ending(
    kept: KeptQuestion,
    saying: SayingPart,
    sight: { hasArrived: boolean },
    signal: AbortSignal,
  ): Promise<Ending> {
    const { store, persist, clock } = this.#deps;
    const { question } = kept;
    if (kept.isClosed) return 'timed-out';
    const over = new AbortController();
    const ended = new Promise<Ending>((resolve) => this.#waiters.set(question.id, resolve));
    const delayMs = Math.max(0, question.expiresAt - clock.now());
    const patience = clock
      .sleep(delayMs, { signal: AbortSignal.any([signal, over.signal]) })
      .then((): Ending => 'timed-out');
    // Heard below, and not at all where showing it fails first.
    patience.catch(() => {});
    try {
      const { arrived } = await this.#presenter.show(question, sayingOf(saying));
      void arrived.then((problem) => {
        sight.hasArrived = true;
        if (problem !== undefined) this.#waiters.get(question.id)?.({ problem });
      });
      // The answer may have come while the question was on its way, or before a restart.
      const now = await persist(() => store.find(question.id));
      return now?.answer === undefined ? await Promise.race([ended, patience]) : 'answered';
    } finally {
      over.abort(new Error('the wait is over'));
    }
  }

  async #onTyped(event: InboundMessage, found: Found): Promise<Consequence> {
    if (found.kind === 'ambiguous') {
      const codes = found.codes.map((code) => `“yes ${code}”`).join(' or ');
      return { kind: 'settled', text: `Several requests are open. Say which one you mean: ${codes}.` };
    }
    const { kept, option, reason } = found;
    const answer = { ...toAnswer(event, option), ...(reason !== undefined && { reason }) };
    const verdict = await this.#answer(kept, answer, this.#isOwner(event));
    if ('question' in verdict) return consequenceOf(verdict.question, option);
    return kept.question.approval === undefined
      ? { kind: 'none' }
      : { kind: 'settled', text: verdict.refusal };
  }

  async #onPress(event: InboundChoice): Promise<Consequence> {
    const { store, persist } = this.#deps;
    const { id, option } = parseToken(event.token);
    const kept = await persist(() => store.find(toQuestionId(id)));
    const isHere = kept !== undefined && this.#isSameChat(kept.question.route, event.origin);
    const verdict = await this.#answer(
      isHere ? kept : undefined,
      toAnswer(event, option),
      this.#isOwner(event),
    );
    this.acknowledge(event, 'refusal' in verdict ? verdict.refusal : undefined);
    if ('refusal' in verdict) return { kind: 'settled' };
    const { question } = verdict;
    if (question.purpose === 'wait') {
      const end = toCardEnd({ question, answer: toAnswer(event, option), isClosed: false }, 'timed-out');
      await this.#presenter.end(question, end, event.correlation, event.message);
    }
    return consequenceOf(question, option);
  }

  async #answer(kept: KeptQuestion | undefined, answer: QuestionAnswer, isOwner: boolean): Promise<Verdict> {
    const { store, persist, clock } = this.#deps;
    const before = judge(kept, answer, { now: clock.now(), isOwner });
    if ('refusal' in before) return before;
    const after = await persist(() => store.answer(before.question.id, answer));
    if (after !== undefined) this.#listed.note(after, clock.now());
    const verdict = judge(after, answer, { now: clock.now(), isOwner });
    if ('question' in verdict) this.#waiters.get(verdict.question.id)?.('answered');
    return verdict;
  }

  async #close(question: Question): Promise<void> {
    const { store, persist, clock } = this.#deps;
    this.#listed.note({ question, isClosed: true }, clock.now());
    await persist(() => store.close(question.id));
  }

  #isOwner({ origin, sender }: InboundEvent): boolean {
    return this.#deps.isOwner(origin.platform, sender.user);
  }

  #isSameChat(one: Route, other: Route): boolean {
    const { firstPlace } = this.#deps;
    const [first, second] = [firstPlace(one), firstPlace(other)];
    return (
      first.platform === second.platform && first.account === second.account && first.chat === second.chat
    );
  }
}

interface Posing extends Pick<Question, 'user' | 'purpose' | 'approval'>, SayingPart {
  readonly timeoutMs: number;
  readonly optionCount?: number;
  toWords(question: Pick<Question, 'id' | 'isListed'>): Pick<Question, 'text' | 'options'>;
}

const sayingOf = ({ route, replyTo, key, cause, correlation }: SayingPart): SayingPart => ({
  route,
  key,
  cause,
  correlation,
  ...(replyTo !== undefined && { replyTo }),
});

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
