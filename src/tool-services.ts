/** The part of the composition root that builds what tools work with. Like app.ts it decides nothing. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from './config/index.js';
import type { Clock } from './core/clock.js';
import type { IdSource } from './core/ids.js';
import type { Logger } from './core/logger.js';
import type { MediaStore } from './core/media.js';
import type { MemoryStore } from './core/memory.js';
import type { SkillEditor, SkillLibrary } from './core/skill.js';
import type { Stores } from './core/stores.js';
import type { ToolServices } from './core/tool.js';
import type { VoiceService } from './core/voice.js';
import {
  createMemoryFiles,
  createProcessPort,
  createWorkPlace,
  createWorkspace,
  createWorkspaceFiles,
  type WorkPlace,
} from './host/index.js';
import { createSkillEditor, createSkillLibrary } from './skills/index.js';
import { createSpeechFiles, createVoice } from './voice/index.js';

export interface ToolServicesOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly pid: number;
  readonly redact: (text: string) => string;
}

/** What is there before the gateway is. */
export interface ToolGround {
  readonly workPlace: WorkPlace;
  readonly skills: SkillLibrary & { readonly editor: SkillEditor };
  readonly memory: MemoryStore;
}

interface Parts extends ToolGround {
  readonly stores: Stores;
  readonly media: MediaStore;
  readonly voice: VoiceService;
}

export const toToolGround = ({ settings, redact }: ToolServicesOptions): ToolGround => {
  const workPlace = createWorkPlace(settings.workspace);
  const { home } = settings.paths;
  const homeFolder = join(home, 'skills');
  const filesIn = (root: string) => createWorkspaceFiles({ workspace: root, home });
  const editor = createSkillEditor({ homeFolder, filesIn });
  const library = createSkillLibrary({ homeFolder, workspace: workPlace.folder, filesIn });
  const memory = createMemoryFiles({ folder: join(home, 'memories'), redact });
  return { workPlace, skills: { ...library, editor }, memory };
};

const loadParser = async () => (await import('./adapters/kit/markdown-parse.js')).parseMarkdown;

export const toVoice = (options: ToolServicesOptions, media: MediaStore): VoiceService =>
  createVoice({
    ...options,
    settings: options.settings.voice,
    processes: createProcessPort(options),
    media,
    loadParser,
    cache: options.settings.paths.cache,
  });

/** What the gateway has to give comes from `services`. */
export const toToolServices = (
  options: ToolServicesOptions,
  { stores, media, voice, workPlace, skills, memory }: Parts,
  services: Pick<ToolServices, 'messaging' | 'recall' | 'jobs' | 'commands'>,
): ToolServices => {
  const { settings } = options;
  const { home, cache } = settings.paths;
  const places = { workspace: workPlace.folder, home, readable: [join(cache, 'documents')] };
  return {
    ...createWorkspace({
      workspace: settings.workspace,
      places,
      processes: createProcessPort(options),
      program: fileURLToPath(new URL('..', import.meta.url)),
      pid: options.pid,
    }),
    ...services,
    skills,
    memory,
    pictures: {
      keep: ({ bytes, fileName }, how) =>
        media.keep({ kind: 'image', fileName, maxBytes: bytes.length }, inOne(bytes), how),
    },
    speech: createSpeechFiles(voice, media),
    todos: stores.todos,
  };
};

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
