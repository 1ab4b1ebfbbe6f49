import * as z from 'zod';
import type { Tool, ToolContext, ToolDelivery, ToolOutcome } from '../core/tool.js';

const input = z.object({
  action: z
    .enum(['send', 'list'])
    .optional()
    .describe('send (default), or list to learn which chats are known and how targets are written.'),
  target: z
    .string()
    .optional()
    .describe(
      'Where to: origin (this chat), a platform (its home channel), platform:chat, platform:"label"; comma list.',
    ),
  message: z.string().optional().describe('The text, Markdown.'),
});

type SendMessageInput = z.infer<typeof input>;

export const sendMessage: Tool<SendMessageInput> = {
  name: 'send_message',
  title: 'Send message',
  description:
    'Sends a message to another chat, or to this one ahead of your answer. Not for the answer itself: what you write ' +
    'reaches the user anyway. Returns, for each target, the receipt (message ids) or why it failed. It was sent only if ' +
    'the result says so.',
  category: 'write',
  input,
  mode: 'exclusive',
  categoryOf({ action, target }, { services, caller }) {
    if (action === 'list' || target === undefined) return 'write';
    const check = services.messaging.check(target, caller);
    // A target that leads nowhere cannot do harm: the call runs, and its result says what is wrong.
    return !check.ok || check.isOwnChatOrHome ? 'write' : 'system';
  },
  grantOf: ({ target = '' }) => {
    const keys = [...new Set(target.split(',').map((one) => one.trim()))].filter((one) => one !== '');
    return keys.length === 0 ? undefined : { keys, label: `messages to ${keys.join(', ')}` };
  },
  present: ({ target = '?', message = '' }) => `To ${target}:\n${message}`,
  summarise: ({ action, target }) => (action === 'list' ? 'list targets' : `to ${target ?? '?'}`),
  execute: (given, context) => (given.action === 'list' ? listTargets(context) : send(given, context)),
};

const failed = (text: string): ToolOutcome => ({ text, isError: true });

const send = async ({ target, message }: SendMessageInput, context: ToolContext): Promise<ToolOutcome> => {
  if (target === undefined || target.trim() === '') return failed('Nothing was sent: `target` is missing.');
  if (message === undefined || message.trim() === '') return failed('Nothing was sent: `message` is empty.');
  const { messaging } = context.services;
  const check = messaging.check(target, context.caller);
  if (!check.ok) return failed(`Nothing was sent: ${check.problem}`);
  const key = `tool:${context.turn}:${context.call}`;
  const request = { targets: target, text: message, key, correlation: context.correlation };
  const deliveries = await messaging.send(request, context.caller, { signal: context.signal });
  return report(deliveries);
};

/** Says only what the receipts say. */
const report = (deliveries: readonly ToolDelivery[]): ToolOutcome => {
  const lines = deliveries.map(describeDelivery);
  const isSent = deliveries.some(({ state }) => state === 'sent');
  if (isSent) return { text: lines.join('\n'), isError: false };
  return failed(['Nothing is known to have been sent.', ...lines].join('\n'));
};

const describeDelivery = ({ target, state, detail }: ToolDelivery): string => {
  switch (state) {
    case 'sent':
      return `${target}: sent (${detail})`;
    case 'failed':
      return `${target}: NOT sent: ${detail}`;
    case 'waiting':
      return `${target}: not sent yet: ${detail} Do not send it again.`;
    case 'unknown':
      return `${target}: unknown whether it arrived: ${detail}. Do not send it again without asking.`;
  }
};

/** More would fill the model's window with names. */
const maxListed = 100;

const grammar =
  'Other chats: platform:chat_id, platform:chat_id:thread_id or platform:"label"; several separated by commas.';

/** Which of the nearest targets lead somewhere, the chats that are known, and the grammar. */
const listTargets = ({ services, caller }: ToolContext): Promise<ToolOutcome> => {
  const nearest = ['origin', caller.origin.platform].map((target) => {
    const check = services.messaging.check(target, caller);
    return `${target}: ${check.ok ? 'can be used' : check.problem}`;
  });
  const known = services.messaging.targets(caller);
  const chats = known
    .slice(0, maxListed)
    .map(({ target, id, kind }) => `${target} (${id}, ${kind === 'direct' ? 'private chat' : kind})`);
  const more = known.length - chats.length;
  const rest = more > 0 ? [`${more} more, which were used longer ago.`] : [];
  return Promise.resolve({ text: [...nearest, ...chats, ...rest, grammar].join('\n'), isError: false });
};
