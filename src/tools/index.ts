import type { Tool } from '../core/tool.js';
import { cronjob } from './cronjob.js';
import { executeCode } from './execute-code.js';
import { memory } from './memory.js';
import { patch } from './patch.js';
import { process } from './process.js';
import { readFile } from './read-file.js';
import { searchFiles } from './search-files.js';
import { sendMessage } from './send-message.js';
import { sessionSearch } from './session-search.js';
import { skillManage } from './skill-manage.js';
import { skillView } from './skill-view.js';
import { skillsList } from './skills-list.js';
import { terminal } from './terminal.js';
import { textToSpeech } from './text-to-speech.js';
import { todo } from './todo.js';
import { writeFile } from './write-file.js';

/** One line for each tool. */
export const tools: readonly Tool[] = [
  cronjob,
  memory,
  executeCode,
  patch,
  process,
  readFile,
  searchFiles,
  sendMessage,
  sessionSearch,
  skillManage,
  skillView,
  skillsList,
  terminal,
  textToSpeech,
  todo,
  writeFile,
];

/** Short, and the same for the same text. */
const toId = (text: string): string => {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36).slice(0, 4);
};

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
      // An id made of the text: the same wish twice is one item.
      return { name: todo.name, arguments: { merge: true, todos: [{ id: toId(content), content }] } };
    },
  },
] as const;
