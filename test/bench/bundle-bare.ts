import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The floor bundled with the options of `scripts/build.mjs`, for comparison. Gives the file, in a folder of its own. */
export async function bundleBare(script: URL): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-bare-'));
  const path = join(folder, 'bare.mjs');
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // node-fetch knows an abort signal by its class name.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'error',
    banner: {
      js: [
        "import{createRequire as __createRequire}from'node:module';",
        "import{fileURLToPath as __toPath}from'node:url';",
        'const require=__createRequire(import.meta.url),',
        "__filename=__toPath(import.meta.url),__dirname=__toPath(new URL('.',import.meta.url));",
      ].join(''),
    },
  });
  return { folder, path };
}
