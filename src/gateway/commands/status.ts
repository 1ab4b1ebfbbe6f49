import type { AdapterStatus, GatewayStatus } from '../../core/services.js';
import { describeModel } from '../../core/setting-words.js';
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
    const { address: _address, ...model } = state.model;
    const lines = [
      // Where the model is reached is for the operator.
      `- Model: ${describeModel(context.isOwner ? state.model : model)}`,
      ...(context.isOwner ? operatorLines(state) : []),
    ];
    const doing = context.isRunning() ? 'I am working on an answer.' : 'I am idle.';
    return `${doing}\n\n${lines.join('\n')}`;
  },
};
