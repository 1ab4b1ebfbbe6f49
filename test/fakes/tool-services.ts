import type { CommandService } from '../../src/core/commands.js';
import { never, ToolError } from '../../src/core/errors.js';
import type { FileEdits } from '../../src/core/file-edits.js';
import type { SessionId } from '../../src/core/ids.js';
import type { StoredFile } from '../../src/core/parts.js';
import type { RecallService } from '../../src/core/recall.js';
import type { SearchAnswer, SearchRequest, WorkspaceSearch } from '../../src/core/search.js';
import type { SkillEditor, SkillLibrary } from '../../src/core/skill.js';
import type {
  KnownTarget,
  MessagingService,
  PictureStore,
  TargetCheck,
  TodoItem,
  TodoStore,
  ToolDelivery,
  ToolServices,
  WorkspaceFiles,
} from '../../src/core/tool.js';
import { noJobs } from './gateway-services.js';

/** A workspace of these files; folders exist by their files. */
export class MemoryFiles implements WorkspaceFiles {
  readonly #files: ReadonlyMap<string, Uint8Array>;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    const encoder = new TextEncoder();
    this.#files = new Map(
      Object.entries(files).map(([path, data]) => [
        path,
        typeof data === 'string' ? encoder.encode(data) : data,
      ]),
    );
  }

  async read(path: string, { maxBytes }: { readonly maxBytes: number }) {
    const bytes = this.#files.get(path);
    if (bytes === undefined)
      throw new ToolError({ code: 'not-found', message: `There is no file ${path}.`, retry: never });
    const stamp = { path: `/workspace/${path}`, version: '1' };
    return { bytes: bytes.subarray(0, maxBytes), sizeBytes: bytes.length, stamp };
  }

  async list(path: string) {
    const prefix = path === '.' ? '' : `${path}/`;
    const names = [...this.#files.keys()].filter((name) => name.startsWith(prefix));
    return [...new Set(names.map((name) => name.slice(prefix.length).split('/')[0] ?? ''))];
  }
}

export class MemoryTodos implements TodoStore {
  readonly #lists = new Map<SessionId, readonly TodoItem[]>();

  async load(session: SessionId) {
    return this.#lists.get(session) ?? [];
  }

  async save(session: SessionId, items: readonly TodoItem[]) {
    this.#lists.set(session, items);
  }
}

/** Sends to targets it was told of; `check` decides by the whole target text. */
export class MemoryMessaging implements MessagingService {
  readonly sent: { readonly targets: string; readonly text: string; readonly key: string }[] = [];
  known: readonly KnownTarget[] = [];
  readonly #checks: Readonly<Record<string, TargetCheck>>;
  readonly #deliveries: Readonly<Record<string, readonly ToolDelivery[]>>;

  constructor(
    checks: Readonly<Record<string, TargetCheck>> = {},
    deliveries: Readonly<Record<string, readonly ToolDelivery[]>> = {},
  ) {
    this.#checks = checks;
    this.#deliveries = deliveries;
  }

  check(targets: string): TargetCheck {
    return this.#checks[targets] ?? { ok: false, problem: `'${targets}' leads nowhere.` };
  }

  targets(): readonly KnownTarget[] {
    return this.known;
  }

  async send(request: { readonly targets: string; readonly text: string; readonly key: string }) {
    this.sent.push(request);
    const receipt = {
      target: request.targets,
      state: 'sent',
      detail: `message ${this.sent.length}`,
    } as const;
    return this.#deliveries[request.targets] ?? [receipt];
  }
}

/** Answers every search alike and keeps what was asked. */
export class MemorySearch implements WorkspaceSearch {
  readonly asked: SearchRequest[] = [];
  readonly #answer: SearchAnswer;

  constructor(answer: SearchAnswer = { found: [], total: 0 }) {
    this.#answer = answer;
  }

  async search(request: SearchRequest) {
    this.asked.push(request);
    return this.#answer;
  }
}

/** Keeps pictures in memory. */
export class MemoryPictures implements PictureStore {
  readonly kept: StoredFile[] = [];

  async keep({ bytes, fileName }: { readonly bytes: Uint8Array; readonly fileName: string }) {
    const path = `/cache/images/${this.kept.length + 1}_${fileName}`;
    const file = { path, fileName, mimeType: 'image/png', sizeBytes: bytes.length };
    this.kept.push(file);
    return file;
  }
}

/** A folder in which nothing is and nothing can be made. */
const noEdits: FileEdits = {
  locate: (path) => `/workspace/${path}`,
  noteRead: () => undefined,
  noteShown: () => undefined,
  load: async (path) => ({ path: `/workspace/${path}`, version: 'absent' }),
  write: async () => undefined,
  remove: async () => undefined,
};

/** Nothing runs here. */
const noCommands: CommandService = {
  folder: () => '/workspace',
  run: () => Promise.reject(new Error('nothing runs here')),
  start: () => Promise.reject(new Error('nothing runs here')),
  list: () => [],
  find: () => undefined,
  output: () => undefined,
  write: () => false,
  wait: async () => undefined,
  kill: async () => undefined,
};

/** There was no conversation before. */
export const noRecall: RecallService = {
  search: async () => ({ ok: true, reach: 'own', found: [] }),
  around: async () => ({ ok: true, reach: 'own', found: [] }),
  recent: async () => ({ ok: true, reach: 'own', found: [] }),
};

/** There are no skills, and none can be made. */
export const noSkills: SkillLibrary & { readonly editor: SkillEditor } = {
  list: async () => [],
  find: async () => undefined,
  readFile: () =>
    Promise.reject(new ToolError({ code: 'not-found', message: 'There is none.', retry: never })),
  knows: () => false,
  editor: { create: async () => {}, write: async () => {}, remove: async () => {} },
};

export const someServices = (changes: Partial<ToolServices> = {}): ToolServices => ({
  files: new MemoryFiles(),
  edits: noEdits,
  commands: noCommands,
  search: new MemorySearch(),
  pictures: new MemoryPictures(),
  speech: { say: () => Promise.reject(new Error('nobody speaks here')) },
  todos: new MemoryTodos(),
  memory: { entries: async () => [], change: async () => [] },
  messaging: new MemoryMessaging(),
  recall: noRecall,
  jobs: noJobs,
  skills: noSkills,
  floor: { command: () => undefined, argv: () => undefined, path: () => undefined },
  ...changes,
});
