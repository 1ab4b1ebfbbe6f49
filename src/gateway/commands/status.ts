import type { AdapterStatus, GatewayStatus } from '../../core/services.js';
import type { Command } from './command.js';

const platformLine = ({ title, state, detail }: AdapterStatus): string =>
  `- ${title}: ${state}${detail === undefined ? '' : ` – ${detail}`}`;

const operatorLines = ({ adapters, queues, problems }: GatewayStatus): readonly string[] => [
  ...adapters.map(platformLine),
  `- Messages waiting: ${queues.waitingMessages}, answers to deliver: ${queues.pendingDeliveries}`,
  ...problems.map((problem) => `- ⚠️ ${problem}`),
];

export const status: Command = {
  name: 'status',
  description: 'What I am doing and how I am',
  run: async (context) => {
    const state = await context.status();
    const { provider, name, isDemo } = state.model;
    const lines = [
      `- ${context.isRunning() ? 'I am working on an answer.' : 'I am idle.'}`,
      `- Model: ${isDemo ? 'none, a scripted demo answers' : `${name} (${provider})`}`,
      ...(context.isOwner ? operatorLines(state) : []),
    ];
    return lines.join('\n');
  },
};
