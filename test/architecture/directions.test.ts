import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CruiseResult, cruise, projectRoot } from './cruise.js';
import directions from './directions.mjs';
import { sourceFiles } from './source-files.js';

const skeletons: string[] = [];
afterAll(() => {
  for (const root of skeletons) rmSync(root, { recursive: true, force: true });
});

/** Writes files (path to content) under a new folder that looks like this project, and reads it. */
async function cruiseSkeleton(files: Record<string, string>): Promise<CruiseResult> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-directions-'));
  skeletons.push(root);
  const all = {
    'package.json': '{"type": "module", "dependencies": {"sdk": "1.0.0", "zod": "4.0.0"}}',
    'tsconfig.json': '{"compilerOptions": {"module": "NodeNext", "target": "ES2023"}}',
    'node_modules/sdk/package.json': '{"name": "sdk", "version": "1.0.0", "main": "index.js"}',
    'node_modules/sdk/index.js': 'exports.sdk = 1;',
    'node_modules/zod/package.json': '{"name": "zod", "version": "4.0.0", "main": "index.js"}',
    'node_modules/zod/index.js': 'exports.z = 1;',
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return cruise(root);
}

/** A tree in which every import is one that the rules allow. */
const cleanTree = {
  'src/main.ts': "import './config/index.js'; await import('./app.js'); await import('./cli/index.js');",
  'src/app.ts':
    "import './adapters/index.js'; import './agent/index.js'; import './tools/index.js'; import './store/index.js';",
  'src/core/index.ts':
    "import { z } from 'zod'; import type { Id } from './ids.js'; export type Word = Id; export { z };",
  'src/core/ids.ts': 'export type Id = string;',
  'src/config/index.ts': "import type { Word } from '../core/index.js'; export type Settings = Word;",
  'src/cli/index.ts': "import './status.js'; import '../config/index.js'; await import('../app.js');",
  'src/cli/status.ts': "import type { Word } from '../core/index.js'; export type Status = Word;",
  'src/agent/index.ts': "import '../core/index.js'; import './turn.js';",
  'src/agent/turn.ts': "import { sdk } from 'sdk'; export { sdk };",
  'src/store/index.ts': "import 'node:fs'; import '../core/index.js';",
  'src/tools/index.ts': "import './read-file.js'; await import('./todo.js');",
  'src/tools/read-file.ts': "import '../core/index.js'; import './read-file/lines.js';",
  'src/tools/read-file/lines.ts': 'export const lines = 1;',
  'src/tools/todo.ts': "import '../core/index.js';",
  'src/adapters/index.ts': "await import('./alpha/index.js'); await import('./web/index.js');",
  'src/adapters/kit/split.ts': "import { sdk } from 'sdk'; export const split = sdk;",
  'src/adapters/alpha/index.ts':
    "import './client.js'; import './config.js'; import './decode.js'; import '../kit/split.js';",
  'src/adapters/alpha/client.ts': "import { sdk } from 'sdk'; export const client = sdk;",
  'src/adapters/alpha/config.ts': "import { z } from 'zod'; export const section = z;",
  'src/adapters/alpha/decode.ts': "import type { Update } from 'sdk'; export type Decoded = Update;",
  'src/adapters/web/index.ts': "import { sdk } from 'sdk'; import 'node:http'; export const page = sdk;",
  'src/adapters/web/page/app.js': 'document.title;',
};

/** Every rule, with ways to break it: a file each, so that one reading of the tree covers all. */
const plants: readonly [violation: string, path: string, content: string][] = [
  [
    'no-cycles: src/agent/index.ts -> src/agent/turn.ts',
    'src/agent/turn.ts',
    "import { sdk } from 'sdk'; import type {} from './index.js'; export { sdk };",
  ],
  ['no-unresolvable: src/agent/lost.ts -> ./gone.js', 'src/agent/lost.ts', "import './gone.js';"],
  [
    'lazy-imports-are-our-files: src/agent/lazy-package.ts -> node_modules/sdk/index.js',
    'src/agent/lazy-package.ts',
    "await import('sdk');",
  ],
  [
    'core-imports-no-room: src/core/type-of-room.ts -> src/agent/turn.ts',
    'src/core/type-of-room.ts',
    "import type { sdk } from '../agent/turn.js'; export type Sdk = typeof sdk;",
  ],
  [
    'core-imports-no-room: src/core/package.ts -> node_modules/sdk/index.js',
    'src/core/package.ts',
    "import { sdk } from 'sdk'; export { sdk };",
  ],
  [
    'core-imports-no-builtin: src/core/type-of-node.ts -> fs',
    'src/core/type-of-node.ts',
    "import type { Stats } from 'node:fs'; export type Facts = Stats;",
  ],
  [
    'room-imports-core-and-itself: src/agent/lazy.ts -> src/tools/todo.ts',
    'src/agent/lazy.ts',
    "await import('../tools/todo.js');",
  ],
  [
    'room-imports-core-and-itself: src/store/upward.ts -> src/app.ts',
    'src/store/upward.ts',
    "import type {} from '../app.js';",
  ],
  [
    'room-imports-core-and-itself: src/cli/past-app.ts -> src/store/index.ts',
    'src/cli/past-app.ts',
    "await import('../store/index.js');",
  ],
  [
    'room-imports-core-and-itself: src/main.ts -> src/store/index.ts',
    'src/main.ts',
    "import './app.js'; import './cli/index.js'; import './store/index.js';",
  ],
  [
    'platforms-are-strangers: src/adapters/web/neighbour.ts -> src/adapters/alpha/decode.ts',
    'src/adapters/web/neighbour.ts',
    "import '../alpha/decode.js';",
  ],
  [
    'platforms-are-strangers: src/adapters/kit/upward.ts -> src/adapters/alpha/decode.ts',
    'src/adapters/kit/upward.ts',
    "import type { Decoded } from '../alpha/decode.js'; export type Shared = Decoded;",
  ],
  [
    'tools-are-strangers: src/tools/neighbour.ts -> src/tools/read-file.ts',
    'src/tools/neighbour.ts',
    "import './read-file.js';",
  ],
  [
    'tools-are-strangers: src/tools/burglar.ts -> src/tools/read-file/lines.ts',
    'src/tools/burglar.ts',
    "import './read-file/lines.js';",
  ],
  ['no-orphans: src/voice/old.ts', 'src/voice/old.ts', 'export const old = 1;'],
  [
    'platform-packages-in-client: src/adapters/alpha/encode.ts -> node_modules/sdk/index.js',
    'src/adapters/alpha/encode.ts',
    "import { sdk } from 'sdk'; export const encoded = sdk;",
  ],
  [
    'platform-packages-in-client: src/adapters/alpha/send.ts -> node_modules/sdk/index.js',
    'src/adapters/alpha/send.ts',
    "export { sdk } from 'sdk';",
  ],
  [
    'platform-packages-in-client: src/adapters/beta/config.ts -> node_modules/sdk/index.js',
    'src/adapters/beta/config.ts',
    "import 'zod'; import 'sdk';",
  ],
];

test('a tree that keeps to the directions has no violation', async () => {
  const { modules, violations } = await cruiseSkeleton(cleanTree);
  expect(violations).toEqual([]);
  // All but the page's script, which is no module of the program.
  expect(modules).toHaveLength(Object.keys(cleanTree).length - 1);
});

test('every planted violation is reported, and nothing else', async () => {
  const planted = Object.fromEntries(plants.map(([, path, content]) => [path, content]));
  const { violations } = await cruiseSkeleton({ ...cleanTree, ...planted });
  expect([...violations].sort()).toEqual(plants.map(([violation]) => violation).sort());
});

test('every rule has a planted violation', () => {
  const broken = plants.map(([violation]) => violation.slice(0, violation.indexOf(':')));
  expect(new Set(broken)).toEqual(new Set(directions.forbidden.map((rule) => rule.name)));
});

test('the sources keep to the directions, and every source file was read', async () => {
  const { modules, violations } = await cruise(projectRoot);
  expect(violations).toEqual([]);
  // A compiler that the cruiser cannot use makes it read nothing and find nothing wrong.
  expect([...modules].sort()).toEqual(sourceFiles('src').sort());
});
