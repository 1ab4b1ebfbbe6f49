import * as z from 'zod';
import type { TodoItem, Tool, ToolOutcome } from '../core/tool.js';

const maxItems = 200;
const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;

const item = z.object({
  id: z.string().min(1).max(64).describe('Unique in the list; yours to choose, e.g. 1, 2, 3.'),
  content: z.string().min(1).max(1000).optional().describe('What is to be done. Needed for a new item.'),
  status: z.enum(statuses).optional().describe('Default pending.'),
});

const input = z.object({
  todos: z.array(item).max(maxItems).optional().describe('The items to write. Leave out to read the list.'),
  merge: z
    .boolean()
    .optional()
    .describe(
      'true: change the items with these ids and add new ones. false (default): replace the whole list.',
    ),
});

type TodoInput = z.infer<typeof input>;
type TodoChange = z.infer<typeof item>;

export const todo: Tool<TodoInput> = {
  name: 'todo',
  title: 'Task list',
  description:
    'Keeps the task list of this conversation. Use it for work of three or more steps: write the steps, keep exactly one ' +
    'in_progress, mark each completed as soon as it is. Without arguments it returns the list. Every call returns the ' +
    'whole list as it is afterwards.',
  category: 'write',
  neverAsks: true,
  input,
  mode: 'exclusive',
  summarise: ({ todos }) => (todos === undefined ? 'read' : summariseChange(todos)),
  async execute({ todos, merge = false }, { services, session }) {
    const known = await services.todos.load(session);
    if (todos === undefined) return { text: describe(known), isError: false };
    const problem = problemOf(todos, merge ? known : []);
    if (problem !== undefined) return { text: `${problem} The list was not changed.`, isError: true };
    const items = applyChanges(merge ? known : [], todos);
    if (items.length > maxItems) return tooMany;
    await services.todos.save(session, items);
    return { text: describe(items), isError: false };
  },
};

const tooMany: ToolOutcome = {
  text: `The list would have more than ${maxItems} items. It was not changed.`,
  isError: true,
};

const summariseChange = (todos: readonly TodoChange[]): string =>
  todos.length === 1
    ? (todos[0]?.content ?? `${todos[0]?.id}: ${todos[0]?.status}`)
    : `${todos.length} items`;

const problemOf = (changes: readonly TodoChange[], known: readonly TodoItem[]): string | undefined => {
  const ids = changes.map(({ id }) => id);
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined) return `The id '${double}' comes twice.`;
  const empty = changes.find(
    ({ id, content }) => content === undefined && !known.some((other) => other.id === id),
  );
  return empty === undefined ? undefined : `The item '${empty.id}' is new and needs a content.`;
};

/** Known items keep their place, new ones come behind. */
const applyChanges = (known: readonly TodoItem[], changes: readonly TodoChange[]): readonly TodoItem[] => {
  const items = new Map(known.map((each) => [each.id, each]));
  for (const { id, content, status } of changes) {
    const before = items.get(id);
    items.set(id, {
      id,
      content: content ?? before?.content ?? '',
      status: status ?? before?.status ?? 'pending',
    });
  }
  return [...items.values()];
};

const describe = (items: readonly TodoItem[]): string => {
  if (items.length === 0) return 'The list is empty.';
  const counts = statuses
    .map((status) => ({ status, count: items.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  const lines = items.map(({ id, content, status }) => `${id}. [${status}] ${content}`);
  return [`${items.length} item${items.length === 1 ? '' : 's'}: ${counts.join(', ')}`, ...lines].join('\n');
};
