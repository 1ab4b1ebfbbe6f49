import type { Command } from './command.js';

/** What to say about messages that a stop took out of the waiting line. */
export const toDroppedText = (dropped: number): string =>
  `${dropped === 1 ? 'One waiting message was' : `${dropped} waiting messages were`} dropped; send again what still matters.`;

export const stop: Command = {
  name: 'stop',
  description: 'Stop what I am doing',
  run: async (context) => {
    const { wasRunning, dropped } = await context.stop();
    // What is still listened to is no turn yet.
    if (!wasRunning) return dropped === 0 ? 'There is nothing to stop.' : toDroppedText(dropped);
    return dropped === 0 ? 'Stopped.' : `Stopped. ${toDroppedText(dropped)}`;
  },
};
