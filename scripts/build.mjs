/**
 * Bundles src/main.ts into dist/: one file a start reads, and a chunk for everything imported lazily.
 *
 * 1. Without `keepNames`, which defines a property for every function that a call makes: a twentieth of a turn's time. A
 *    package that asks for a class's name would need it (node-fetch does, which nothing of ours runs).
 * 2. White space and syntax are minified, names are not: less to read and to keep in memory at every start, and stack
 *    traces keep their names. `node --enable-source-maps` gives them their lines.
 * 3. A gateway may be running from dist and import a chunk later. So chunks of earlier builds stay a while, and main.js
 *    is replaced last and at once.
 * 4. What packages bring and no start needs is left out: 7 MiB and a tenth of the time to ready.
 * 5. The page's files are copied to dist/page/, so that `new URL('./page/…', import.meta.url)` finds them beside the
 *    source and beside the chunk.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './setup.mjs';

const keepOldChunksMs = 24 * 60 * 60 * 1000;

/** Left out of packages: path of the module, and what stands there instead. */
const stubs = [
  // Fifty languages of schema errors. Ours are English.
  {
    path: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    contents: "export { default as en } from './en.js';",
  },
  // node-fetch takes it, with a table of all of Unicode, only where Node has no URL.
  { path: /[\\/]whatwg-url[\\/]lib[\\/]public-api\.js$/, contents: 'exports.URL = URL;' },
];

/** @type {import('esbuild').Plugin} */
const leaveOut = {
  name: 'leave-out',
  setup(bundler) {
    for (const { path, contents } of stubs) bundler.onLoad({ filter: path }, () => ({ contents }));
  },
};

const startedAt = new Date();
const dist = join(projectRoot, 'dist');
const entry = join(dist, 'main.js');

const { outputFiles } = await build({
  absWorkingDir: projectRoot,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  plugins: [leaveOut],
  external: [
    // They find a binary that lies beside them in their packages.
    '@photostructure/sqlite',
    '@vscode/ripgrep',
    // Baileys takes them where somebody has them, for previews and waveforms; ours come from elsewhere.
    'audio-decode',
    'jimp',
    'link-preview-js',
    'sharp',
  ],
  // Packages that are CommonJS expect these three, which an ES module does not have.
  banner: {
    js: [
      "import{createRequire as __createRequire}from'node:module';",
      "import{fileURLToPath as __toPath}from'node:url';",
      'const require=__createRequire(import.meta.url),',
      "__filename=__toPath(import.meta.url),__dirname=__toPath(new URL('.',import.meta.url));",
    ].join(''),
  },
}).catch(() => process.exit(1)); // esbuild has said why.

mkdirSync(dist, { recursive: true });
for (const { path, contents } of outputFiles) {
  if (path !== entry) writeFileSync(path, contents);
}
const page = join(projectRoot, 'src/adapters/web/page');
if (existsSync(page)) {
  cpSync(page, join(dist, 'page'), { recursive: true });
  // The one script of the page that is not ours; from source it is taken from the package.
  const markdownIt = join(projectRoot, 'node_modules/markdown-it/dist/browser/markdown-it.esm.min.mjs');
  cpSync(markdownIt, join(dist, 'page/markdown-it.js'));
}

const main = outputFiles.find(({ path }) => path === entry);
if (!main?.text.startsWith('#!')) throw new Error('src/main.ts must begin with #!/usr/bin/env node');
const draft = `${entry}.new`;
writeFileSync(draft, main.contents);
chmodSync(draft, 0o755);
// As old as what it was made from: a source saved during the build is newer.
utimesSync(draft, startedAt, startedAt);
renameSync(draft, entry);

const current = new Set(outputFiles.map(({ path }) => basename(path)));
for (const name of readdirSync(dist)) {
  const path = join(dist, name);
  const isOld = startedAt.getTime() - statSync(path).mtimeMs > keepOldChunksMs;
  if (isOld && !current.has(name) && statSync(path).isFile()) rmSync(path);
}
