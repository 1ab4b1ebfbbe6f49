import type { Tool } from '../core/tool.js';
import { readFile } from './read-file.js';
import { sendMessage } from './send-message.js';
import { todo } from './todo.js';

/** One line for each tool. */
export const tools: readonly Tool[] = [readFile, sendMessage, todo];

/** What the scripted demo model can be asked for, so that a visitor without a model sees tools at work. */
export const demoCalls = [
  {
    pattern: /^read\s+(?<path>\S.*)$/iu,
    example: 'read notes.txt',
    toCall: ({ groups }: RegExpExecArray) => ({
      name: readFile.name,
      arguments: { path: groups?.['path'] ?? '' },
    }),
  },
  {
    pattern: /^todo\s+(?<content>\S.*)$/iu,
    example: 'todo buy milk',
    toCall: ({ groups }: RegExpExecArray) => {
      const content = groups?.['content'] ?? '';
      // The text as its own id: the same wish twice is one item.
      return { name: todo.name, arguments: { merge: true, todos: [{ id: content.slice(0, 64), content }] } };
    },
  },
] as const;
