import type { ApprovalService } from '../core/approval.js';
import type { Clock } from '../core/clock.js';
import type { IdSource } from '../core/ids.js';
import type { Logger } from '../core/logger.js';
import type { Provider } from '../core/provider.js';
import type { ToolServices } from '../core/tool.js';
import type { TurnEvent, TurnInput, TurnJournal } from '../core/turn.js';
import type { ActivityWatch } from './activity-watch.js';
import type { AgentMemory } from './agent-memory.js';
import type { SpillPort } from './spill-port.js';
import type { ToolRegistry } from './tool-registry.js';

/** What every turn works with. */
export interface TurnDeps {
  readonly provider: Provider;
  readonly tools: ToolRegistry;
  readonly permissions: ApprovalService;
  readonly services: ToolServices;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Removes every configured secret from a text. Pure. */
  readonly redact: (text: string) => string;
  /** Absent: what is too long for the model is only cut. */
  readonly spill?: SpillPort;
}

/** One turn under way, as its parts see it. */
export interface TurnRun extends TurnDeps {
  readonly input: TurnInput;
  readonly journal: TurnJournal;
  readonly memory: AgentMemory;
  readonly activity: ActivityWatch;
  readonly signal: AbortSignal;
  /** Never throws and never waits. */
  readonly emit: (event: TurnEvent) => void;
}
