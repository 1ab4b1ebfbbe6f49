import type { Command } from './command.js';

const kinds = { direct: 'a private chat', group: 'a group', channel: 'a channel' } as const;

export const whoAmI: Command = {
  name: 'whoami',
  description: 'Who you are to me',
  run: async ({ event, isOwner, platformTitle }) => {
    const { origin, sender } = event;
    const thread = origin.thread === undefined ? '' : `, thread ${origin.thread}`;
    return [
      `- ${sender.displayName}, ${platformTitle} id \`${sender.user}\``,
      `- ${isOwner ? 'You are an owner.' : 'You may write here; you are no owner.'}`,
      `- This is ${kinds[origin.chatKind]}: \`${origin.platform}:${origin.chat}\`${thread}`,
    ].join('\n');
  },
};
