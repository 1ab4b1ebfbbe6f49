import type { Command } from './command.js';

export const setHome: Command = {
  name: 'sethome',
  description: 'Make this chat the home channel',
  run: async ({ isOwner, platformTitle, home, setHome: makeHome }) => {
    if (!isOwner) return 'Only an owner can choose the home channel.';
    const before = home();
    await makeHome();
    const after = home();
    if (before === after) return `This is the home channel of ${platformTitle} already.`;
    const change = before === undefined ? '' : ` Before it was ${before}.`;
    return `This chat is now the home channel of ${platformTitle} (${after}): what is addressed to ${platformTitle} as a whole comes here.${change}`;
  },
};
