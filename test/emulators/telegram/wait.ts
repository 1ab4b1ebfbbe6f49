/** Waiting for a state of the world, bounded by the caller's time-out: the one place a test spends real time. */
import type { WaitCondition } from './protocol.js';
import type { World } from './world.js';

export interface WaitResult {
  readonly met: boolean;
  readonly value?: unknown;
}

const DEFAULT_TIMEOUT_MS = 10_000;

export async function waitFor(
  world: World,
  condition: WaitCondition & { readonly timeoutMs?: number },
  signal: AbortSignal,
): Promise<WaitResult> {
  const timeout = AbortSignal.timeout(condition.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const { topic, probe } = plan(world, condition);
  const value = await world.watchers.wait([topic], probe, AbortSignal.any([timeout, signal]));
  return value === undefined ? { met: false } : { met: true, value };
}

function plan(world: World, condition: WaitCondition): { topic: string; probe: () => unknown } {
  switch (condition.kind) {
    case 'calls': {
      const { kind: _kind, count, pending, ...rest } = condition;
      const { timeoutMs: _timeoutMs, ...filter } = rest as typeof rest & { timeoutMs?: number };
      return { topic: 'calls', probe: () => met(world.log.count(filter, pending === true, count) >= count) };
    }
    case 'message': {
      const { chatId } = condition;
      const from = condition.from ?? 'bot';
      return {
        topic: `chat:${chatId}`,
        probe: () => {
          for (const message of world.chat(chatId).messages.values()) {
            if (message.deleted || message.byBot !== (from === 'bot')) continue;
            if (condition.equals !== undefined && message.text !== condition.equals) continue;
            if (condition.contains === undefined || message.text.includes(condition.contains))
              return world.view(message);
          }
          return undefined;
        },
      };
    }
    case 'bot-messages': {
      const { chatId, count } = condition;
      return { topic: `chat:${chatId}`, probe: () => met(world.chat(chatId).visibleBotMessages >= count) };
    }
    case 'chat-changed': {
      const { chatId, after } = condition;
      return { topic: `chat:${chatId}`, probe: () => met(world.chat(chatId).version > after) };
    }
    case 'poll':
      return { topic: 'updates', probe: () => met(world.updates.isPolled) };
    case 'confirmed':
      return { topic: 'updates', probe: () => met(world.updates.isConfirmed(condition.updateId)) };
    case 'held':
      return { topic: 'held', probe: () => met(world.faults.held(condition.faultId) >= condition.count) };
    default:
      throw new Error(`unknown condition: ${JSON.stringify(condition satisfies never)}`);
  }
}

function met(isMet: boolean): true | undefined {
  return isMet ? true : undefined;
}
