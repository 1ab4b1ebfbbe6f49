import type { SessionId } from '../core/ids.js';
import { ContextGauge } from './context-gauge.js';

const maxSessions = 1000;

/** What an agent remembers between turns; bounded, and gone with the process. */
export class AgentMemory {
  readonly gauge = new ContextGauge();
  /** Turns for which a session is not to be compacted again, because it was of no use. */
  readonly compactionPauses = new SessionMap<number>();
  /** The model that stands in, as the session's people were told. */
  readonly toldStandIns = new SessionMap<string>();
}

/** Forgets the session that was set longest ago when there are too many. */
class SessionMap<Value> {
  readonly #values = new Map<SessionId, Value>();

  get(session: SessionId): Value | undefined {
    return this.#values.get(session);
  }

  set(session: SessionId, value: Value): void {
    this.#values.delete(session);
    this.#values.set(session, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > maxSessions && oldest !== undefined) this.#values.delete(oldest);
  }

  delete(session: SessionId): void {
    this.#values.delete(session);
  }
}
