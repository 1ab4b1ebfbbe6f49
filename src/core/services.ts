import type { CompletionService } from './completion.js';
import type { JobService } from './job-service.js';
import type { LinkingFacet } from './linking.js';
import type { Pairing, PairingRequest } from './pairing.js';
import type { StoredFile } from './parts.js';
import type { PermissionService } from './permission-service.js';
import type { ConnectionState } from './platform.js';
import type { Route } from './route.js';
import type { SessionService } from './session-service.js';
import type { SkillLibrary } from './skill.js';
import type { TargetCheck, ToolDelivery } from './tool.js';

export interface AdapterStatus {
  readonly platform: string;
  readonly title: string;
  readonly state: ConnectionState;
  readonly detail?: string;
  /** Since when `state` holds, epoch ms. */
  readonly since: number;
  readonly lastInboundAt?: number;
  readonly lastSentAt?: number;
  /** Times the connection went from connected to something else. */
  readonly disconnects: number;
  /** Events of strangers that came too fast to be looked at, since the start; absent if there were none. */
  readonly droppedStrangerEvents?: number;
}

/** What housekeeping forgot because of its age or of its size. */
export interface ForgottenReport {
  /** Epoch ms. */
  readonly at: number;
  readonly sessions: number;
  /** Of conversations that go on. */
  readonly messages: number;
  readonly files: number;
  /** Of the files. */
  readonly bytes: number;
}

export interface GatewayStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  /** `isDemo`: the scripted offline model answers, nothing real is connected. */
  readonly model: {
    readonly provider: string;
    readonly name: string;
    readonly isDemo: boolean;
    /** Where the model is reached, without credentials; absent for one inside the gateway. */
    readonly address?: string;
  };
  readonly adapters: readonly AdapterStatus[];
  readonly queues: {
    readonly runningTurns: number;
    readonly waitingMessages: number;
    readonly pendingDeliveries: number;
    readonly failedDeliveries: number;
    readonly unknownDeliveries: number;
  };
  /** By the latest round that found something; absent if there was none since the start. */
  readonly forgotten?: ForgottenReport;
  /** What needs an operator beyond what the adapters' details say: sentences with what to do; empty if all is well. */
  readonly problems: readonly string[];
}

export type ApproveOutcome =
  | { readonly ok: true; readonly pairing: Pairing }
  | {
      readonly ok: false;
      readonly reason: 'unknown-platform' | 'wrong-code' | 'locked';
      /** A sentence for the operator. */
      readonly message: string;
    };

/** Strangers who ask to be let in, as the operator sees them. */
export interface PairingService {
  list(): Promise<{ readonly pending: readonly PairingRequest[]; readonly paired: readonly Pairing[] }>;
  /** Lets in whoever was told the code, and tells them. */
  approve(platform: string, code: string): Promise<ApproveOutcome>;
  /** False if that user is not paired. */
  revoke(platform: string, user: string): Promise<boolean>;
}

/** The gateway as its own faces (page, socket, command line) see it. */
export interface GatewayServices {
  status(): Promise<GatewayStatus>;
  /**
   * Sends a text to targets on behalf of the operator; resolves with receipts or failures, one per target. Repeating
   * the same `key` sends nothing twice.
   */
  send(
    request: {
      readonly targets: string;
      readonly text: string;
      /** Spooled files that go with it. */
      readonly files?: readonly StoredFile[];
      readonly key: string;
    },
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ToolDelivery[]>;
  /**
   * The same for a job: an unknown outcome is final, a repeat of the same `key` gives what became of the first, and
   * `origin` is the chat it was made in.
   */
  deliver(
    request: {
      readonly targets: string;
      readonly text: string;
      readonly key: string;
      readonly origin?: Route;
    },
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ToolDelivery[]>;
  /** Where targets would lead for a job that was made in `origin`, without sending. */
  check(targets: string, origin?: Route): TargetCheck;
  readonly completions: CompletionService;
  readonly jobs: JobService;
  /** Undefined for a platform that is off, or that is not linked in this way. */
  linking(platform: string): LinkingFacet | undefined;
  readonly skills: Pick<SkillLibrary, 'list' | 'find'>;
  readonly pairings: PairingService;
  readonly permissions: PermissionService;
  readonly sessions: SessionService;
}
