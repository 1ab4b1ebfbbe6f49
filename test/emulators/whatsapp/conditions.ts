/** When a wait is over, and what must change for it to be looked at again. */
import { awaitsCode } from './pairing-code.js';
import type { WaitCondition } from './protocol.js';
import type { World } from './world.js';

export interface Plan {
  readonly topic: string;
  readonly probe: () => boolean;
}

export function plan(world: World, condition: WaitCondition): Plan {
  switch (condition.kind) {
    case 'ready':
      return {
        topic: 'links',
        probe: () => [...world.devices.values()].some(({ isCaughtUp }) => isCaughtUp),
      };
    case 'pairing':
      return { topic: 'pairing', probe: () => world.pairings.size > 0 || awaitsCode(world) };
    case 'logins':
      return { topic: 'links', probe: () => world.logins >= condition.count };
    case 'message':
      return {
        topic: `chat:${condition.chat}`,
        probe: () =>
          world.inChat(condition.chat).some(({ from, text, deleted }) => {
            if (deleted || from !== 'bot') return false;
            return condition.equals === undefined
              ? text.includes(condition.contains ?? '')
              : text === condition.equals;
          }),
      };
    case 'bot-messages':
      return {
        topic: `chat:${condition.chat}`,
        probe: () =>
          world.inChat(condition.chat).filter(({ from }) => from === 'bot').length >= condition.count,
      };
    case 'calls':
      return { topic: 'calls', probe: () => world.log.has(condition.call, condition.count) };
    case 'chat-changed':
      return {
        topic: `chat:${condition.chat}`,
        probe: () => world.versionOf(condition.chat) !== condition.after,
      };
    case 'sent-changed':
      return { topic: 'sent', probe: () => world.versionOf('') !== condition.after };
    case 'delivered':
      return {
        topic: 'waiting',
        probe: () => [...world.devices.values()].every(({ waiting }) => waiting.size === 0),
      };
    case 'held':
      return { topic: 'held', probe: () => world.faults.held() >= condition.count };
    default:
      throw new Error(`unknown condition: ${JSON.stringify(condition satisfies never)}`);
  }
}
