import type { SessionOverview } from '../../core/archive.js';
import type { Grant } from '../../core/grant.js';
import type { SessionId } from '../../core/ids.js';
import type { InboundMessage } from '../../core/inbound.js';
import type { JobService } from '../../core/job-service.js';
import type { CommandInfo } from '../../core/platform.js';
import type { Usage } from '../../core/provider.js';
import type { GatewayStatus } from '../../core/services.js';
import type { SessionUsage } from '../../core/stores.js';
import type { VoiceInfo } from '../../core/voice.js';
import type { VoiceMode } from '../../core/voice-settings.js';
import type { BusyPolicy } from '../settings.js';
import type { SpeechForm, VoiceChoice } from '../voice/speech-policy.js';

/** Whether answers in the command's chat are spoken. */
export interface VoiceControls {
  current(): { readonly mode: VoiceMode; readonly form: SpeechForm; readonly name?: string };
  /** Changes what is named; undefined: as the settings say. */
  set(change: VoiceChoice): Promise<void>;
  /** The voices of whoever speaks. */
  list(): Promise<readonly VoiceInfo[]>;
}

/** What a command may do to the session it was sent in, and to its chat. */
export interface CommandContext {
  readonly event: InboundMessage;
  readonly args: string;
  readonly isOwner: boolean;
  readonly platformTitle: string;
  /** IANA name of the zone on whose clocks times are told; absent: the host's. */
  readonly timezone?: string;
  readonly commands: readonly Command[];
  /** Ends the running turn and empties the waiting line. */
  stop(): Promise<{ readonly wasRunning: boolean; readonly dropped: number }>;
  /** Ends the session: the next message begins another, with the model of the settings. */
  reset(): Promise<void>;
  isRunning(): boolean;
  status(): Promise<GatewayStatus>;
  /** As whoever sent the command may have them. */
  readonly jobs: JobService;
  busy(): BusyPolicy;
  /** Undefined: what the settings say. */
  setBusy(policy: BusyPolicy | undefined): Promise<void>;
  readonly voice: VoiceControls;
  /** Who answers in this session. */
  model(): {
    readonly provider: string;
    readonly name: string;
    readonly isDemo: boolean;
    readonly isChosen: boolean;
  };
  setModel(name: string | undefined): Promise<void>;
  /** The platform's home channel as a target; undefined if there is none. */
  home(): string | undefined;
  /** Makes the chat of the command the platform's home channel. */
  setHome(): Promise<void>;
  /** `all` is there for owners. */
  usage(): Promise<{
    readonly session: SessionUsage | undefined;
    readonly chat: Usage;
    readonly all?: Usage;
  }>;
  /** The latest used first. */
  sessions(): Promise<readonly SessionOverview[]>;
  /** Goes on with an earlier session of this chat. False if it is gone. */
  resume(session: SessionId): Promise<boolean>;
  /** Takes the last exchange out of the session. Gives what the person had said; undefined if there is nothing. */
  undo(): Promise<string | undefined>;
  /**
   * Answers a request for permission that waits in this chat, by the code on its card: once, session, always or deny.
   * Gives what to say.
   */
  answerRequest(code: string, value: string, reason: string | undefined): Promise<string>;
  /** What holds for more than one call: everybody's for an owner, else the sender's own; oldest first. */
  grants(): readonly Grant[];
  /** False if there is none. */
  revokeGrant(grant: Grant): Promise<boolean>;
  /** Lets a scheduled job do without being asked what the keys stand for; by an owner. */
  grantToJob(job: string, tool: string, keys: readonly string[]): Promise<void>;
  /** Answers the last message anew, as a turn of its own. False if there is nothing to answer. */
  retry(): Promise<boolean>;
}

/** An answer with commands to choose from: buttons where there are some, else a numbered list. */
export interface Offer {
  readonly text: string;
  /** `line` is a command as it would be typed, e.g. `/busy queue`. */
  readonly options: readonly { readonly label: string; readonly line: string }[];
}

/**
 * A slash command acts beside the mailbox, also while a turn runs; it must be quick. Its answer is Markdown; undefined
 * says nothing.
 */
export interface Command extends CommandInfo {
  run(context: CommandContext): Promise<string | Offer | undefined>;
}
