import type { Command } from './command.js';

export const start: Command = {
  name: 'start',
  description: 'Say hello',
  run: async ({ event, status }) => {
    const { model } = await status();
    const demo = model.isDemo
      ? '\n\nNo model is connected yet: a scripted demo answers. The operator connects one with `OPENAI_API_KEY` or `model:` in the settings.'
      : '';
    return `Hello ${event.sender.displayName}! Write to me as you would to a colleague. /help lists what else I understand.${demo}`;
  },
};
