/**
 * A person's say over what tools do. Place in the flow: tool call → (here) → card → answer → tool call.
 *
 * 1. What was allowed for more than once is stored before the call runs.
 * 2. Whatever is not an answer that allows is a denial, and the model is told which kind.
 */
import type {
  ApprovalAnswer,
  ApprovalContext,
  ApprovalRequest,
  ApprovalService,
} from '../../core/approval.js';
import type { Caller } from '../../core/caller.js';
import type { Clock } from '../../core/clock.js';
import { type IdSource, type SessionId, toUserId } from '../../core/ids.js';
import type { AnswerOutcome, ApprovalDecision, PermissionService } from '../../core/permission-service.js';
import { toRoute } from '../../core/route.js';
import { toShownApproval } from '../questions/presenter.js';
import type { QuestionEnd, Questions } from '../questions/questions.js';
import { codeOf } from './card.js';
import type { Grants } from './grants.js';

export interface ApprovalsDeps {
  readonly questions: Questions;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly timeoutMs: number;
  readonly policy: ApprovalService['policy'];
  /** The job whose run the caller's chat is. */
  jobOf(caller: Caller): string | undefined;
}

/** Whose calls a grant is for. */
const holderOf = (caller: Caller, job: string | undefined): string =>
  job === undefined ? `${caller.origin.platform}:${caller.user}` : `job:${job}`;

/** What an answer by its card's code leads to, in a sentence. */
export interface CodedAnswer {
  readonly platform: string;
  readonly chat: string;
  readonly user: string;
  readonly isOwner: boolean;
  readonly code: string;
  readonly value: string;
  readonly reason?: string;
  /** Dedupe key of the event that brings it. */
  readonly event: string;
}

export interface JobGrant {
  /** Its id. */
  readonly job: string;
  readonly tool: string;
  readonly keys: readonly string[];
  /** `platform:user`. */
  readonly by: string;
}

export class Approvals implements ApprovalService {
  readonly #deps: ApprovalsDeps;
  #isStopping = false;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  policy(caller: Caller): ReturnType<ApprovalService['policy']> {
    return this.#deps.policy(caller);
  }

  isGranted(
    { tool, category, grant }: Pick<ApprovalRequest, 'tool' | 'category' | 'grant'>,
    { caller, session }: Pick<ApprovalContext, 'caller' | 'session'>,
  ): boolean {
    if (grant === undefined) return false;
    const holder = holderOf(caller, this.#deps.jobOf(caller));
    return this.#deps.grants.covers({ holder, tool, category, topic: grant, session });
  }

  async ask(
    request: ApprovalRequest,
    context: ApprovalContext,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ApprovalAnswer> {
    const { questions, timeoutMs } = this.#deps;
    if (this.#isStopping) return { outcome: 'cancelled' };
    const { caller, turn, call, correlation } = context;
    const end = await questions.askPermission(
      {
        approval: request,
        route: toRoute(caller.origin),
        user: caller.user,
        key: `${turn}/permission/${call}`,
        cause: { kind: 'notice' },
        correlation,
        timeoutMs,
      },
      { signal },
    );
    if (end.kind === 'answered') return this.#settle(request, context, end);
    if (end.kind === 'undelivered') return { outcome: 'unasked', problem: end.problem };
    return { outcome: end.kind };
  }

  /** Nobody is asked any more, and nobody waits. */
  beginStop(): void {
    this.#isStopping = true;
    this.#deps.questions.cancelPermissions();
  }

  async answerByCode(given: CodedAnswer): Promise<string> {
    const { questions } = this.#deps;
    const wanted = given.code.toUpperCase();
    const question = questions.pending.find(
      (one) =>
        codeOf(one) === wanted && one.route.platform === given.platform && one.route.chat === given.chat,
    );
    if (question === undefined) return `No request ${wanted} is waiting for an answer here.`;
    const { user, event, value, reason, isOwner } = given;
    if (question.options.every((option) => option.value !== value))
      return 'That cannot be allowed for more than this once.';
    const answer = { user: toUserId(user), event, value, ...(reason !== undefined && { reason }) };
    const verdict = await questions.answerBy(question.id, answer, { isOwner });
    if ('refusal' in verdict) return verdict.refusal;
    return value === 'deny' ? 'Denied.' : 'Allowed.';
  }

  /** What an owner allows a job beforehand, since nobody can be asked while it runs. */
  async grantToJob({ job, tool, keys, by }: JobGrant): Promise<void> {
    const { grants, ids, clock } = this.#deps;
    await grants.add({
      id: ids.next('grant'),
      holder: `job:${job}`,
      tool,
      title: tool,
      category: 'system',
      keys,
      label: keys.includes('*') ? 'every call' : keys.join(' '),
      grantedBy: by,
      grantedAt: clock.now(),
    });
  }

  get service(): PermissionService {
    const { questions, grants } = this.#deps;
    return {
      pending: () => questions.pending.flatMap((question) => toShownApproval(question) ?? []),
      answer: (id, decision, by, key) => this.#answerByOwner(id, decision, by, key),
      grants: async () => grants.all,
      revoke: (id) => grants.revoke(id),
    };
  }

  async #answerByOwner(
    id: string,
    decision: ApprovalDecision,
    by: string,
    key: string,
  ): Promise<AnswerOutcome> {
    const { questions } = this.#deps;
    const value = decision.decision === 'deny' ? 'deny' : decision.scope;
    const open = questions.pending.find((one) => one.id === id);
    if (open?.options.every((option) => option.value !== value) === true)
      return {
        ok: false,
        reason: 'not-covered',
        message: 'This can be allowed once only, as nothing more general stands for it.',
      };
    const reason = decision.decision === 'deny' ? decision.reason : undefined;
    const answer = { user: toUserId(by), event: key, value, ...(reason !== undefined && { reason }) };
    const verdict = await questions.answerBy(id, answer, { isOwner: true });
    if ('question' in verdict) return { ok: true };
    return { ok: false, reason: verdict.why === 'unknown' ? 'unknown' : 'over', message: verdict.refusal };
  }

  async #settle(
    request: ApprovalRequest,
    { caller, session }: ApprovalContext,
    { value, user, reason }: Extract<QuestionEnd, { readonly kind: 'answered' }>,
  ): Promise<ApprovalAnswer> {
    if (value === 'deny') return { outcome: 'denied', ...(reason !== undefined && { reason }) };
    const isForGood = value === 'always';
    if (isForGood || value === 'session')
      await this.#grant(request, caller, isForGood ? undefined : session, user);
    return { outcome: 'allowed' };
  }

  async #grant(
    { tool, title, category, grant }: ApprovalRequest,
    caller: Caller,
    session: SessionId | undefined,
    user: string,
  ): Promise<void> {
    const { grants, ids, clock, jobOf } = this.#deps;
    if (grant === undefined) return;
    await grants.add({
      id: ids.next('grant'),
      holder: holderOf(caller, jobOf(caller)),
      tool,
      title,
      category,
      keys: grant.keys,
      label: grant.label,
      ...(session !== undefined && { session }),
      grantedBy: user.includes(':') ? user : `${caller.origin.platform}:${user}`,
      grantedAt: clock.now(),
    });
  }
}
