import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export interface ScratchHome {
  readonly path: string;
  /** A path inside. */
  file(name: string): string;
}

/** An empty folder for every test of the file. */
export const useScratchHome = (): ScratchHome => {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'hermes-store-'));
  });
  afterEach(() => rmSync(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    file: (name) => join(path, name),
  };
};
