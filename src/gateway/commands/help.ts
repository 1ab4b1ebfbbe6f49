import type { Command } from './command.js';

export const help: Command = {
  name: 'help',
  description: 'What you can say here',
  run: async ({ commands }) => {
    const lines = commands.map(({ name, description }) => `- /${name} – ${description}`);
    return `Just write. While I work you can keep writing: I take it into account.\n\n${lines.join('\n')}`;
  },
};
