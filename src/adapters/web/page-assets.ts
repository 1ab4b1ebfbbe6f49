/** The page's files, read where they lie: `page/` beside this file, in the source as well as in `dist`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
}

const folder = fileURLToPath(new URL('./page/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The one script that is not ours. The build copies it to the page's folder; from source it is taken as it is. */
const MARKDOWN_IT = 'markdown-it.js';

const readFromPackage = (): Promise<Buffer> => {
  const manifest = createRequire(import.meta.url).resolve('markdown-it/package.json');
  return readFile(join(dirname(manifest), 'dist/browser/markdown-it.esm.min.mjs'));
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const read = async (name: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
    return name === MARKDOWN_IT ? readFromPackage() : undefined;
  }
};

/** Undefined if the page has no such file. Names have no slashes, so nothing outside the folder is reached. */
export const loadAsset = async (name: string): Promise<PageAsset | undefined> => {
  const [, extension = ''] = /^[a-z][a-z0-9-]*\.(html|css|js|svg)$/u.exec(name) ?? [];
  const type = types[extension];
  if (type === undefined) return undefined;
  const bytes = await read(name);
  if (bytes === undefined) return undefined;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes: new Uint8Array(bytes), type, etag };
};
