import type { Command } from './command.js';

export const deny: Command = {
  name: 'deny',
  description: 'Refuse what is asked for, by the code on its card',
  run: async ({ args, answerRequest }) => {
    const [, code, reason = ''] = /^([a-z0-9]{4})(?:\s+(.*))?$/isu.exec(args.trim()) ?? [];
    if (code === undefined)
      return 'Write `/deny CODE`, perhaps with a reason behind it. The code stands on the card.';
    return answerRequest(code, 'deny', reason.trim() === '' ? undefined : reason.trim());
  },
};
