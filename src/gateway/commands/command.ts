import type { InboundMessage } from '../../core/inbound.js';
import type { CommandInfo } from '../../core/platform.js';
import type { GatewayStatus } from '../../core/services.js';

/** What a command may do to the session it was sent in. */
export interface CommandContext {
  readonly event: InboundMessage;
  readonly args: string;
  readonly isOwner: boolean;
  readonly commands: readonly Command[];
  /** Ends the running turn and empties the waiting line. */
  stop(): Promise<{ readonly wasRunning: boolean; readonly dropped: number }>;
  /** Ends the session: the next message begins another. */
  reset(): Promise<void>;
  isRunning(): boolean;
  status(): Promise<GatewayStatus>;
}

/**
 * A slash command acts beside the mailbox, also while a turn runs; it must be quick. Its answer is Markdown; undefined
 * says nothing.
 */
export interface Command extends CommandInfo {
  run(context: CommandContext): Promise<string | undefined>;
}
