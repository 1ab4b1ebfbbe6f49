/**
 * The import star as dependency-cruiser rules: rooms know `core` and themselves, `app.ts` introduces them.
 * `directions.test.ts` plants a violation of every rule, so a renamed or mistyped rule fails there.
 *
 * Paths are relative to the project root; `$1` in `to` is the first group of `from`.
 */

/** A package that is really loaded: `import type` leaves no trace in the running program. */
const runtimePackage = {
  dependencyTypes: [
    'npm',
    'npm-dev',
    'npm-optional',
    'npm-peer',
    'npm-no-pkg',
    'npm-unknown',
    'undetermined',
  ],
  dependencyTypesNot: ['type-only'],
};

/** `kit` is shared by platforms and `web` is a server with a page: both are no wire SDK to be fenced in. */
const fencedPlatform = '^src/adapters/(?!kit/|web/)[^/]+/';

const forbidden = [
  {
    name: 'no-cycles',
    comment: 'A cycle has no first file to read and no part that can be tested alone.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unresolvable',
    comment: 'An import that is not found is an import that no other rule here sees.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'lazy-imports-are-our-files',
    comment:
      'The bundle gives a lazily imported CommonJS package a default export only, unlike Node. ' +
      'Import the package in a file of ours, and that file lazily.',
    from: {},
    to: { ...runtimePackage, dynamic: true },
  },
  {
    name: 'core-imports-no-room',
    comment: 'core is what all rooms share; it may use the schema library and nothing else.',
    from: { path: '^src/core/' },
    to: { pathNot: ['^src/core/', 'node_modules/zod/'], dependencyTypesNot: ['core'] },
  },
  {
    name: 'core-imports-no-builtin',
    comment: 'core does no I/O; what it needs of the host is a port.',
    from: { path: '^src/core/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'room-imports-core-and-itself',
    comment: 'Rooms meet in app.ts. What two rooms need is a word in core.',
    from: { path: '^src/([^/]+)/', pathNot: '^src/(core|cli)/' },
    to: { path: '^src/', pathNot: ['^src/core/', '^src/$1/'] },
  },
  {
    name: 'room-imports-core-and-itself',
    comment:
      'The command line stands outside the star: it loads settings for the listed platforms and toolsets, makes clock, ids and log, and starts the app or looks into the rooms.',
    from: { path: '^src/cli/' },
    to: {
      path: '^src/',
      pathNot: [
        '^src/(core|cli|config|host)/',
        '^src/(app|inspect|adapters/index|tools/index|tools/toolsets)\\.ts$',
      ],
    },
  },
  {
    name: 'room-imports-core-and-itself',
    comment: 'The process edge hands over to the command line or to the app.',
    from: { path: '^src/main\\.ts$' },
    to: { path: '^src/', pathNot: ['^src/(core|config|cli)/', '^src/app\\.ts$'] },
  },
  {
    name: 'platforms-are-strangers',
    comment: 'A platform folder can be deleted without touching another.',
    from: { path: '^src/adapters/([^/]+)/' },
    to: { path: '^src/adapters/', pathNot: ['^src/adapters/$1/', '^src/adapters/kit/'] },
  },
  {
    name: 'tools-are-strangers',
    comment: 'A tool can be deleted without touching another. Only index.ts lists them.',
    from: { path: '^src/tools/([^/.]+)', pathNot: '^src/tools/index\\.ts$' },
    to: { path: '^src/tools/', pathNot: '^src/tools/$1(/|\\.ts$)' },
  },
  {
    name: 'no-orphans',
    comment: 'A file that nothing imports and that imports nothing is forgotten.',
    from: { orphan: true, pathNot: ['^src/main\\.ts$', '\\.d\\.ts$'] },
    to: {},
  },
  {
    name: 'platform-packages-in-client',
    comment: 'One file meets the SDK, so decode and encode stay pure and the SDK stays replaceable.',
    from: { path: fencedPlatform, pathNot: '/(client|config)\\.ts$' },
    to: runtimePackage,
  },
  {
    name: 'platform-packages-in-client',
    comment: "A platform's settings section may use the schema library.",
    from: { path: `${fencedPlatform}config\\.ts$` },
    to: { ...runtimePackage, pathNot: 'node_modules/zod/' },
  },
].map((rule) => ({ severity: 'error', ...rule }));

export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    // The page's files run in the browser and are served as they are.
    exclude: { path: '^src/adapters/web/page/' },
    // Follows `import type` too: a type is knowledge of the other room all the same.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
