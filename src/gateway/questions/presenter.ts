/** How a question gets before people's eyes, and how its message tells afterwards what became of it. */
import type { CorrelationId, MessageId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Delivery } from '../../core/outbound.js';
import type { ApprovalEvent, ApprovalOutcome, ShownApproval } from '../../core/permission-service.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { KeptQuestion, Question } from '../../core/question.js';
import { type Route, toRoute } from '../../core/route.js';
import { type CardEnd, toEndedCard, toEndLine, toVisible } from '../approvals/card.js';
import type { Persist } from '../persist.js';
import type { Saying, Speaker } from '../speaker.js';
import { toToken } from './judge.js';

export interface PresenterDeps {
  readonly speaker: Speaker;
  readonly persist: Persist;
  readonly logger: Logger;
  adapterFor(route: Route): PlatformAdapter | undefined;
  /** Deliveries whose key begins with this, oldest first. */
  sentBefore(key: string): Promise<readonly Delivery[]>;
}

/** What became of showing it: undefined if people can see it, else why they cannot, in a sentence. */
export type Shown = { readonly arrived: Promise<string | undefined> };

export const toShownApproval = ({
  id,
  route,
  approval,
  askedAt,
  expiresAt,
}: Question): ShownApproval | undefined =>
  approval && {
    id,
    platform: route.platform,
    chat: route.chat,
    tool: approval.tool,
    title: approval.title,
    category: approval.category,
    summary: toVisible(approval.summary),
    arguments: toVisible(approval.details),
    grantKey: approval.grant?.keys.join(' ') ?? null,
    grantLabel: approval.grant === undefined ? null : toVisible(approval.grant.label),
    risk: approval.risk === undefined ? null : toVisible(approval.risk),
    askedAt,
    expiresAt,
  };

const outcomeOf = (end: CardEnd): ApprovalOutcome => {
  if (end.kind === 'answered') return end.value === 'deny' ? 'denied' : 'allowed';
  return end.kind === 'cancelled' ? 'cancelled' : 'timed_out';
};

export class Presenter {
  readonly #deps: PresenterDeps;

  constructor(deps: PresenterDeps) {
    this.#deps = deps;
  }

  /** What was shown under this key before is not shown again. */
  async show(question: Question, saying: Omit<Saying, 'text' | 'choices'>): Promise<Shown> {
    const { speaker } = this.#deps;
    const request = toShownApproval(question);
    const facet = this.#deps.adapterFor(question.route)?.approvals;
    if (request !== undefined && facet !== undefined) {
      facet.publish(question.route, { type: 'permission-request', request });
      return { arrived: Promise.resolve(undefined) };
    }
    const choices = question.options.map(({ label }, index) => ({ label, token: toToken(question, index) }));
    const { ended } = await speaker.follow({ ...saying, text: question.text, choices });
    const arrived = ended.then((outcomes) => {
      const lost = outcomes.find(({ state }) => state !== 'sent');
      return lost === undefined || lost.state === 'sent' ? undefined : lost.error;
    });
    return { arrived };
  }

  /** `message`: the one with the buttons, where it is known. Never throws. */
  async end(
    question: Question,
    end: CardEnd,
    correlation: CorrelationId,
    message?: MessageId,
  ): Promise<void> {
    const { logger, adapterFor } = this.#deps;
    try {
      const adapter = adapterFor(question.route);
      if (adapter === undefined) return;
      if (question.approval !== undefined && adapter.approvals !== undefined)
        return adapter.approvals.publish(question.route, this.#resolved(question, end));
      await this.#tell(question, end, correlation, adapter, message);
    } catch (error) {
      logger.warn({ error, question: question.id }, 'the end of a question could not be shown');
    }
  }

  #resolved({ id, route }: Question, end: CardEnd): ApprovalEvent {
    const by = end.kind === 'answered' ? (end.by ?? `${route.platform}`) : undefined;
    return {
      type: 'permission-resolved',
      id,
      outcome: outcomeOf(end),
      ...(by !== undefined && { by }),
    };
  }

  async #tell(
    question: Question,
    end: CardEnd,
    correlation: CorrelationId,
    adapter: PlatformAdapter,
    message?: MessageId,
  ): Promise<void> {
    const { speaker } = this.#deps;
    const shown = message ?? (adapter.editing === undefined ? undefined : await this.#messageOf(question));
    const saying = {
      route: toRoute(question.route),
      key: `question/${question.id}/answered`,
      cause: { kind: 'notice' },
      correlation,
    } as const;
    if (adapter.editing !== undefined && shown !== undefined)
      return speaker.say({
        ...saying,
        text: endedText(question, end, adapter),
        replaces: { message: shown },
      });
    // Whoever typed the answer knows it; what nobody answered is told.
    if (question.approval !== undefined && end.kind !== 'answered')
      await speaker.say({ ...saying, text: `${toEndLine(end, undefined)}: \`${question.approval.tool}\`` });
  }

  async #messageOf({ key }: Question): Promise<MessageId | undefined> {
    const rows = await this.#deps.sentBefore(`${key}/`);
    return rows.at(-1)?.receipt?.messages.at(-1);
  }
}

const endedText = (question: Question, end: CardEnd, adapter: PlatformAdapter): string => {
  const { approval, text, options, route } = question;
  if (approval !== undefined) return toEndedCard(approval, end, adapter.support(route).text.maxLength);
  if (end.kind !== 'answered') return `${text}\n\n⌛ Not answered`;
  return `${text}\n\n✓ ${options.find(({ value }) => value === end.value)?.label ?? ''}`;
};

/** How a question ended, by what is stored of it. */
export const toCardEnd = (
  { question, answer }: KeptQuestion,
  otherwise: Exclude<CardEnd['kind'], 'answered'>,
): CardEnd => {
  if (answer === undefined) return { kind: otherwise };
  const isAsked = question.user === undefined || answer.user === question.user;
  return {
    kind: 'answered',
    value: question.options[answer.option]?.value ?? '',
    ...(answer.reason !== undefined && { reason: answer.reason }),
    ...(!isAsked && { by: answer.user }),
  };
};
