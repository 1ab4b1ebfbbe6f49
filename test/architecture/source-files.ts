import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { projectRoot } from './cruise.js';

/** The TypeScript files under a folder of this project, as paths from the project's root with `/`. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.split(sep).join('/')}`);
}
