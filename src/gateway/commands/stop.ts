import type { Command } from './command.js';

export const stop: Command = {
  name: 'stop',
  description: 'Stop what I am doing',
  run: async (context) => {
    const { wasRunning, dropped } = await context.stop();
    if (!wasRunning) return 'There is nothing to stop.';
    if (dropped === 0) return 'Stopped.';
    return `Stopped. ${dropped === 1 ? 'One waiting message was' : `${dropped} waiting messages were`} dropped; send again what still matters.`;
  },
};
