import type { Command } from './command.js';

export const newSession: Command = {
  name: 'new',
  description: 'Start a new conversation',
  run: async ({ stop, reset }) => {
    const { wasRunning } = await stop();
    await reset();
    return `${wasRunning ? 'Stopped. ' : ''}This is a new conversation: I no longer see what was said before.`;
  },
};
