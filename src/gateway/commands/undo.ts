import type { Command } from './command.js';

const SHOWN_LENGTH = 80;

const shorten = (text: string): string => {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  if (characters.length <= SHOWN_LENGTH) return characters.join('');
  return `${characters.slice(0, SHOWN_LENGTH - 1).join('')}…`;
};

export const undo: Command = {
  name: 'undo',
  description: 'Take back the last message and its answer',
  run: async ({ isRunning, undo: takeBack }) => {
    if (isRunning()) return 'I am still working. /stop ends that; then /undo takes it back.';
    const said = await takeBack();
    if (said === undefined) return 'There is nothing that I could take back.';
    return `Taken back, I no longer know of it: “${shorten(said)}”. What was done cannot be taken back by this.`;
  },
};
