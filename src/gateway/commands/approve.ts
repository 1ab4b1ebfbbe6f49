import type { Command } from './command.js';

const scopes: Readonly<Record<string, string>> = {
  '': 'once',
  once: 'once',
  session: 'session',
  always: 'always',
};

export const approve: Command = {
  name: 'approve',
  description: 'Allow what is asked for, by the code on its card',
  run: async ({ args, answerRequest }) => {
    const [code = '', scope = '', ...rest] = args.split(/\s+/u);
    const value = scopes[scope.toLowerCase()];
    if (!/^[a-z0-9]{4}$/iu.test(code) || value === undefined || rest.length > 0)
      return 'Write `/approve CODE`, perhaps with `session` or `always`. The code stands on the card.';
    return answerRequest(code, value, undefined);
  },
};
