/**
 * The toolsets that come with the gateway, as in the original, and which of them a platform has where the settings name
 * none. Tools that are not built yet are named too: once they are, whoever has the toolset has them.
 */
import { createToolsetCatalog, type Toolset } from '../core/toolsets.js';

type Sketch = Omit<Toolset, 'name' | 'includes'> & Partial<Pick<Toolset, 'includes'>>;

const sketches: Readonly<Record<string, Sketch>> = {
  web: { description: 'Search the web and read pages', tools: ['web_search', 'web_extract'] },
  terminal: { description: 'Run commands and look after processes', tools: ['terminal', 'process'] },
  file: {
    description: 'Read, search and change files of the workspace',
    tools: ['read_file', 'search_files', 'write_file', 'patch'],
  },
  browser: {
    description: 'Work with pages in a browser',
    tools: [
      'browser_navigate',
      'browser_snapshot',
      'browser_click',
      'browser_type',
      'browser_scroll',
      'browser_back',
      'browser_press',
      'browser_get_images',
      'browser_vision',
      'browser_console',
      'web_search',
    ],
  },
  vision: { description: 'Look at pictures', tools: ['vision_analyze'] },
  image_gen: { description: 'Make pictures', tools: ['image_generate'] },
  tts: { description: 'Speak', tools: ['text_to_speech'] },
  delegation: { description: 'Hand work to sub-agents', tools: ['delegate_task'] },
  code_execution: { description: 'Run code that calls tools', tools: ['execute_code'] },
  clarify: { description: 'Ask back, with choices', tools: ['clarify'] },
  todo: { description: 'Keep a list of tasks', tools: ['todo'] },
  memory: { description: 'Remember facts across conversations', tools: ['memory'] },
  session_search: { description: 'Search earlier conversations', tools: ['session_search'] },
  cronjob: { description: 'Schedule jobs', tools: ['cronjob'] },
  messaging: { description: 'Write to other chats', tools: ['send_message'] },
  skills: {
    description: 'Find, read and keep skills',
    tools: ['skills_list', 'skill_view', 'skill_manage'],
  },
};

const all: readonly Toolset[] = Object.entries(sketches).map(([name, { includes = [], ...rest }]) => ({
  name,
  ...rest,
  includes,
}));

/** What a run of its own, with nobody there, must not have: it would schedule itself, write to others, or wait for ever. */
const notUnattended = ['cronjob', 'messaging', 'clarify'];

const names: readonly string[] = all.map(({ name }) => name);

const defaults: Readonly<Record<string, readonly string[]>> = {
  cron: names.filter((name) => !notUnattended.includes(name)),
};

export const toolsets = createToolsetCatalog(all, (platform) =>
  Object.hasOwn(defaults, platform) ? (defaults[platform] ?? names) : names,
);
