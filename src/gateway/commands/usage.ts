import type { Usage } from '../../core/provider.js';
import type { Command } from './command.js';

const count = new Intl.NumberFormat('en');

const line = (what: string, { inputTokens, outputTokens }: Usage): string =>
  `- ${what}: ${count.format(inputTokens)} tokens read, ${count.format(outputTokens)} written`;

export const usage: Command = {
  name: 'usage',
  description: 'How many tokens were used',
  run: async (context) => {
    const { session, chat, all } = await context.usage();
    const turns = session === undefined ? '' : `, ${session.turns} ${session.turns === 1 ? 'turn' : 'turns'}`;
    return [
      line(`This conversation${turns}`, session ?? { inputTokens: 0, outputTokens: 0 }),
      line('All conversations here', chat),
      ...(all === undefined ? [] : [line('Everything', all)]),
    ].join('\n');
  },
};
