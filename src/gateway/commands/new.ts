import type { Command } from './command.js';
import { toDroppedText } from './stop.js';

export const newSession: Command = {
  name: 'new',
  description: 'Start a new conversation',
  run: async ({ stop, reset }) => {
    const { wasRunning, dropped } = await stop();
    await reset();
    return [
      ...(wasRunning ? ['Stopped.'] : []),
      ...(dropped > 0 ? [toDroppedText(dropped)] : []),
      'This is a new conversation: I no longer see what was said before.',
    ].join(' ');
  },
};
