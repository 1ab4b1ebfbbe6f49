/** The platform on which jobs write to the agent: due jobs come in by its sink, ends of turns go out by its send. */
import type { Clock } from '../core/clock.js';
import { toMessageId } from '../core/ids.js';
import type { JsonValue } from '../core/json.js';
import type { EncodedMessage } from '../core/outbound.js';
import type { PlatformAdapter } from '../core/platform.js';
import { cronAccount, cronPlatform, type Performer } from './performer.js';
import type { Scheduler } from './scheduler.js';

export interface AdapterDeps {
  readonly scheduler: Scheduler;
  readonly performer: Performer;
  readonly clock: Clock;
  /** Calls `tick` as it should be called, until the signal aborts. */
  drive(tick: () => void, signal: AbortSignal): Promise<void>;
  onTickError(error: unknown): void;
  conclude(run: string, text: string, reason: string, signal: AbortSignal): Promise<void>;
}

const reasonOf = (payload: JsonValue): string =>
  typeof payload === 'object' && payload !== null && 'reason' in payload
    ? String(payload['reason'])
    : 'error';

const hint = 'What you write is Markdown and goes to the chat that the job names.';

export const createCronAdapter = ({
  scheduler,
  performer,
  clock,
  ...deps
}: AdapterDeps): PlatformAdapter => ({
  platform: cronPlatform,
  account: cronAccount,
  idempotentSend: true,
  support: () => ({
    text: { level: 'native', maxLength: Number.MAX_SAFE_INTEGER, unit: 'utf16', hint },
  }),
  // Only ends of turns are sent; whatever else the gateway has to say has no reader here.
  encode: () => [],
  annotate: (encoded) => [encoded],
  conclusion: {
    encode: (text, reason): EncodedMessage => ({ text, payload: { reason } }),
  },
  run: async (sink, { signal, report }) => {
    await performer.begin(sink, signal);
    report({ state: 'connected' });
    const tick = (): void => void scheduler.tick().catch(deps.onTickError);
    await deps.drive(tick, signal);
  },
  send: async ({ route, encoded }, { signal }) => {
    await deps.conclude(route.chat, encoded.text, reasonOf(encoded.payload), signal);
    return { messages: [toMessageId(route.chat)], sentAt: clock.now() };
  },
});
