import * as z from 'zod';
import { type MemoryChange, type MemoryTopic, memoryLength, memoryLimits } from '../core/memory.js';
import type { Caller, Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const input = z.object({
  action: z
    .enum(['add', 'replace', 'remove', 'read'])
    .describe('replace and remove find the entry by old_text; read shows what is kept now.'),
  target: z
    .enum(['memory', 'user'])
    .describe(
      'memory: your own notes (surroundings, ways of working, lessons). user: who your owner is and what they like.',
    ),
  content: z
    .string()
    .max(4_000)
    .optional()
    .describe('The entry, for add and replace: short, complete in itself.'),
  old_text: z
    .string()
    .max(4_000)
    .optional()
    .describe('Words that one entry alone has, for replace and remove.'),
});

type MemoryInput = z.infer<typeof input>;

const topics: Readonly<Record<MemoryInput['target'], MemoryTopic>> = { memory: 'notes', user: 'user' };

const failed = (text: string): ToolOutcome => ({ text, isError: true });

/** What is known of an owner is told to nobody else, and kept where nobody else reads along. */
const problemOf = ({ action, target }: MemoryInput, { isOwner, origin }: Caller): string | undefined => {
  if (target === 'user' && !(isOwner && origin.chatKind === 'direct'))
    return 'What is kept about your owner is there in their private chats only.';
  return action !== 'read' && !isOwner ? 'Only an owner may have something kept for good.' : undefined;
};

const toChange = ({ action, content, old_text: old }: MemoryInput): MemoryChange | string => {
  if (action !== 'remove' && content === undefined) return `${action} needs \`content\`.`;
  if (action !== 'add' && old === undefined) return `${action} needs \`old_text\`.`;
  const [text, words] = [content ?? '', old ?? ''];
  if (action === 'add') return { kind: 'add', text };
  return action === 'remove' ? { kind: 'remove', old: words } : { kind: 'replace', old: words, text };
};

const describe = (entries: readonly string[], topic: MemoryTopic): string => {
  const used = `${memoryLength(entries)} of ${memoryLimits[topic]} characters used`;
  if (entries.length === 0) return 'Nothing is kept.';
  return [...entries.map((entry) => `- ${entry}`), `(${used})`].join('\n');
};

const execute = async (given: MemoryInput, { services, caller }: ToolContext): Promise<ToolOutcome> => {
  const problem = problemOf(given, caller);
  if (problem !== undefined) return failed(`Nothing was done: ${problem}`);
  const topic = topics[given.target];
  if (given.action === 'read')
    return { text: describe(await services.memory.entries(topic), topic), isError: false };
  const change = toChange(given);
  if (typeof change === 'string') return failed(`Nothing was done: ${change}`);
  const entries = await services.memory.change(topic, change);
  return { text: `Kept. New conversations begin with:\n${describe(entries, topic)}`, isError: false };
};

export const memory: Tool<MemoryInput> = {
  name: 'memory',
  title: 'Remember',
  description:
    'Keeps short facts that every later conversation begins with: what the user tells you of themselves and corrects, what ' +
    'holds for their surroundings, what you learnt the hard way. Keep it when you learn it, without being asked. Not for ' +
    'tasks of the moment, long texts, or passwords and keys. Space is small: put facts together and replace what is old.',
  category: 'write',
  input,
  mode: 'exclusive',
  grantOf: ({ target }) => ({
    keys: [target],
    label: target === 'user' ? 'what is kept about you' : 'its own notes',
  }),
  summarise: ({ action, target, content, old_text: old }) =>
    `${action} ${target}: ${content ?? old ?? ''}`.replace(/\s+/gu, ' ').slice(0, 80),
  execute,
};
