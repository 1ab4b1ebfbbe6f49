import { type BusyPolicy, busyPolicies } from '../settings.js';
import type { Command } from './command.js';

const meanings: Readonly<Record<BusyPolicy, string>> = {
  steer: 'what you write while I work joins that work at its next step',
  queue: 'what you write while I work waits until I am done',
  interrupt: 'what you write while I work ends that work',
};

const policies = busyPolicies.map((policy) => `- /busy ${policy} – ${meanings[policy]}`).join('\n');
const options = busyPolicies.map((policy) => ({ label: meanings[policy], line: `/busy ${policy}` }));

export const busy: Command = {
  name: 'busy',
  description: 'What becomes of messages while I work',
  run: async ({ args, event, isOwner, busy: current, setBusy }) => {
    const word = args.toLowerCase();
    const mayChange = event.origin.chatKind === 'direct' || isOwner;
    const now = `Now: ${meanings[current()]}.`;
    if (word === '') return mayChange ? { text: `${now} Or rather:`, options } : `${now}\n\n${policies}`;
    if (!mayChange) return 'In a group only an owner can change this.';
    const policy = busyPolicies.find((one) => one === word);
    if (policy === undefined && word !== 'default') return `I do not know '${args}'.\n\n${policies}`;
    await setBusy(policy);
    return `From now on in this chat: ${meanings[current()]}.`;
  },
};
