/** Folders that are held open, so that what is done in them is done there, whatever becomes of the path. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export interface OpenedFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

/** A name in the opened folder. Linux names open folders; elsewhere the path has to do. */
export const at = ({ handle, path }: OpenedFolder, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : join(path, name);

/**
 * The folder of `path`, walked from `root` on without following links; both are real. `makes`: folders that are not
 * there are made. Whoever gets it closes it.
 */
export const openFolder = async (
  path: string,
  root: string,
  { makes }: { readonly makes: boolean },
): Promise<OpenedFolder> => {
  const names = relative(root, dirname(path))
    .split(sep)
    .filter((name) => name !== '');
  let folder: OpenedFolder = { handle: await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path: root };
  for (const name of names) {
    const outer = folder;
    try {
      folder = { handle: await enter(outer, name, makes), path: join(outer.path, name) };
    } finally {
      await outer.handle.close();
    }
  }
  return folder;
};

const enter = async (outer: OpenedFolder, name: string, makes: boolean): Promise<FileHandle> => {
  const inner = at(outer, name);
  if (makes) {
    try {
      await mkdir(inner);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    }
  }
  return await open(inner, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
};
