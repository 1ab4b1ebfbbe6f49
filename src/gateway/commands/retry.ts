import type { Command } from './command.js';

export const retry: Command = {
  name: 'retry',
  description: 'Answer my last message anew',
  run: async ({ isRunning, retry: answerAnew }) => {
    if (isRunning()) return 'I am still working. /stop ends that; then /retry answers anew.';
    if (await answerAnew()) return undefined;
    return 'There is no message that I could answer anew.';
  },
};
