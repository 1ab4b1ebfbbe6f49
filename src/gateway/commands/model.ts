import type { Command } from './command.js';

/** As model services name theirs, and nothing that would be a sentence. */
const nameShape = /^[\w.:@/+-]{1,100}$/u;

export const model: Command = {
  name: 'model',
  description: 'Which model answers',
  run: async ({ args, isOwner, model: current, setModel }) => {
    const { provider, name, isDemo, isChosen } = current();
    if (isDemo) return 'No model is connected yet: a scripted demo answers.';
    if (args === '') {
      const origin = isChosen ? 'chosen for this conversation' : 'as the settings say';
      return `${name} by ${provider} answers here, ${origin}. Another one of ${provider}: /model NAME. Back: /model default.`;
    }
    if (!isOwner) return 'Only an owner can choose another model.';
    if (args === 'default') {
      await setModel(undefined);
      return `${current().name} by ${provider} answers again.`;
    }
    // Names of models may have slashes themselves, so only a known provider in front is taken for one.
    const wanted = args.startsWith(`${provider}/`) ? args.slice(provider.length + 1) : args;
    if (!nameShape.test(wanted)) return `'${args}' is not the name of a model.`;
    await setModel(wanted);
    return `${wanted} answers in this conversation from the next message on, until /new. It has to be a model of ${provider}: another service is chosen in the settings only.`;
  },
};
