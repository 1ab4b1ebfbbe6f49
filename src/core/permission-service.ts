import type { Grant } from './grant.js';
import type { Category } from './permission.js';

/** Who put an end to a request, and how. */
export type ApprovalOutcome = 'allowed' | 'denied' | 'timed_out' | 'cancelled';

/** A request that waits for its answer, as a page or a program shows it. */
export interface ShownApproval {
  readonly id: string;
  readonly platform: string;
  readonly chat: string;
  readonly tool: string;
  readonly title: string;
  readonly category: Category;
  /** One line. */
  readonly summary: string;
  /** Plain text without secrets and without characters that mislead. */
  readonly arguments: string;
  /** What more than this call can be allowed; null: nothing. */
  readonly grantKey: string | null;
  readonly grantLabel: string | null;
  readonly risk: string | null;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export type ApprovalEvent =
  | { readonly type: 'permission-request'; readonly request: ShownApproval }
  | {
      readonly type: 'permission-resolved';
      readonly id: string;
      readonly outcome: ApprovalOutcome;
      /** `platform:user`; absent: nobody. */
      readonly by?: string;
    };

export type ApprovalDecision =
  | { readonly decision: 'allow'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly decision: 'deny'; readonly reason?: string };

/** `over`: answered before, too late, or cancelled; `message` says which. */
export type AnswerOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'unknown' | 'over' | 'not-covered'; readonly message: string };

/** Requests for permission and what was allowed, as the gateway's own faces see it. */
export interface PermissionService {
  /** Waiting for an answer, oldest first. */
  pending(): readonly ShownApproval[];
  /** By an owner, whose name is `by` (`platform:user`). The same `key` again gives the same. */
  answer(id: string, decision: ApprovalDecision, by: string, key: string): Promise<AnswerOutcome>;
  /** Oldest first. */
  grants(): Promise<readonly Grant[]>;
  /** By id. False if there is none. */
  revoke(id: string): Promise<boolean>;
}
