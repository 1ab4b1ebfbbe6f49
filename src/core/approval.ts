import type { Caller } from './caller.js';
import type { CorrelationId, SessionId, ToolCallId, TurnId } from './ids.js';
import type { Category, PermissionPolicy } from './permission.js';

/** What “this session” and “always” cover besides the call itself: calls of the same tool with all of these keys. */
export interface GrantTopic {
  /** Stable and short, e.g. the programs of a command line. Never empty; `*` alone is every call of the tool. */
  readonly keys: readonly string[];
  /** The same in words for people, e.g. `commands that begin with git`. */
  readonly label: string;
}

/** A call that a person is to decide about, as they read it: plain text, no secrets. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly title: string;
  readonly category: Category;
  /** One line. */
  readonly summary: string;
  /** May have many lines; shown cut, and marked as cut. */
  readonly details: string;
  /** Absent: nothing but this call can be allowed. */
  readonly grant?: GrantTopic;
  /** A sentence of warning. */
  readonly risk?: string;
}

/** Whose call it is. */
export interface ApprovalContext {
  readonly caller: Caller;
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly call: ToolCallId;
  readonly correlation: CorrelationId;
}

/** `unasked`: the question could not be put to anybody, and why. `reason`: what the person gave as theirs. */
export type ApprovalAnswer =
  | { readonly outcome: 'allowed' }
  | { readonly outcome: 'denied'; readonly reason?: string }
  | { readonly outcome: 'timed-out' }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'unasked'; readonly problem: string };

/** Permission as the agent sees it. The first two are answered without I/O. */
export interface ApprovalService {
  /** `canAsk`: somebody is there who could be asked. */
  policy(caller: Caller): PermissionPolicy & { readonly canAsk: boolean };
  /** Whether calls like this one were allowed before, in this session or for good. */
  isGranted(
    call: Pick<ApprovalRequest, 'tool' | 'category' | 'grant'>,
    context: Pick<ApprovalContext, 'caller' | 'session'>,
  ): boolean;
  /** Asks and waits. Rejects with the signal's reason; then nobody can answer any more. */
  ask(
    request: ApprovalRequest,
    context: ApprovalContext,
    options: { readonly signal: AbortSignal },
  ): Promise<ApprovalAnswer>;
}
