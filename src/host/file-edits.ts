/**
 * Changes to files of the workspace as tools make them.
 * 1. A path is judged by where it really leads. The way there is then walked from the workspace's folder on, folder by
 *    folder, each opened without following links: nothing that is swapped in meanwhile leads out.
 * 2. A file is replaced as a whole or not at all: written beside, flushed, renamed. A hard link keeps the old content.
 * 3. Nobody's work is overwritten unseen: what changes a file says which state of it it means.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { EditableFile, FileEdits, FileReader, FileStamp } from '../core/file-edits.js';
import type { Floor } from '../core/floor.js';
import { KnownFiles } from './known-files.js';
import { isLinkToSecret, toVersion, whereIs } from './opened-file.js';
import { at, openFolder } from './opened-folder.js';
import { isInside, isSecretPath } from './secret-paths.js';
import { outside, type Places, refuse, type WorkspaceRoots } from './workspace-places.js';
import { createTargetLocator, locateNow, neverWritten, tellingOfWrites } from './workspace-targets.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants;

const maxBytes = 16 * 1024 * 1024;
const absent = 'absent';

interface FileEditsDeps extends WorkspaceRoots {
  readonly floor: Floor;
}

export const createFileEdits = ({ floor, ...roots }: FileEditsDeps): FileEdits => {
  const locate = createTargetLocator(roots, floor);
  const known = new KnownFiles();

  const load = async (path: string, reader: FileReader): Promise<EditableFile> => {
    const { real, places } = await locate(path);
    const file = await readWhole(path, real, places);
    known.check(reader, file, path);
    return file;
  };

  /** Opens the folder of the file, lets `act` work in it, and closes it. */
  const inFolder = async (
    stamp: FileStamp,
    { makes }: { readonly makes: boolean },
    act: (place: Place) => Promise<void>,
  ): Promise<void> => {
    const { real, places } = await locate(stamp.path);
    if (real !== stamp.path) throw changed(stamp.path);
    const folder = await openFolder(real, places.root, { makes });
    try {
      const where = await whereIs(folder.handle, folder.path, await folder.handle.stat());
      if (where === undefined || !isInside(where, places.root)) throw outside(stamp.path);
      await act({ folder, name: basename(real), stamp, places });
    } finally {
      await folder.handle.close();
    }
  };

  return {
    locate: (path) => locateNow(path, roots),
    noteRead: (session, stamp) => known.noteRead(session, stamp),
    noteShown: (reader, stamp) => known.noteShown(reader, stamp),
    load: tellingOfWrites(load),
    write: (stamp, bytes, { session }) =>
      tellingOfWrites((_path: string) =>
        inFolder(stamp, { makes: true }, async (place) => {
          const version = await replace(place, bytes);
          known.noteRead(session, { path: stamp.path, version });
        }),
      )(stamp.path),
    remove: (stamp, { session }) =>
      tellingOfWrites((_path: string) =>
        inFolder(stamp, { makes: false }, async (place) => {
          await assertUnchanged(place);
          await unlink(at(place.folder, place.name));
          known.noteRead(session, { path: stamp.path, version: absent });
        }),
      )(stamp.path),
  };
};

interface Place {
  readonly folder: { readonly handle: FileHandle; readonly path: string };
  readonly name: string;
  readonly stamp: FileStamp;
  readonly places: Places;
}

const changed = (path: string) =>
  refuse(
    'not-allowed',
    `${basename(path)} was changed by somebody else just now, so nothing was written. Read it again, then decide.`,
  );

const readWhole = async (path: string, real: string, places: Places): Promise<EditableFile> => {
  let handle: FileHandle;
  try {
    const kind = await lstat(real);
    if (kind.isDirectory()) throw refuse('invalid-input', `'${path}' is a folder. Give the path of a file.`);
    if (!kind.isFile()) throw refuse('invalid-input', `'${path}' is not a regular file.`);
    handle = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { path: real, version: absent };
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw refuse('invalid-input', `'${path}' is not a regular file.`);
    const where = await whereIs(handle, real, stats);
    if (where === undefined || !isInside(where, places.root)) throw outside(path);
    if (isSecretPath(where, places) || (await isLinkToSecret(stats, places.home))) throw neverWritten(path);
    if (stats.size > maxBytes)
      throw refuse('invalid-input', `'${path}' has ${stats.size} bytes, too many to edit (${maxBytes}).`);
    return { path: real, version: toVersion(stats), bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
};

/** The file as it is now, seen from its opened folder; undefined if there is none. */
const statIn = async ({ folder, name }: Place): Promise<Stats | undefined> => {
  try {
    return await lstat(at(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const assertUnchanged = async (place: Place): Promise<Stats | undefined> => {
  const { stamp, places } = place;
  const stats = await statIn(place);
  if (stats !== undefined && !stats.isFile()) throw changed(stamp.path);
  if ((stats === undefined ? absent : toVersion(stats)) !== stamp.version) throw changed(stamp.path);
  if (stats !== undefined && (await isLinkToSecret(stats, places.home))) throw neverWritten(stamp.path);
  if (stats !== undefined && (stats.mode & 0o200) === 0)
    throw refuse('not-allowed', `'${stamp.path}' is write-protected, so it was left as it is.`);
  return stats;
};

/** Gives the new version. */
const replace = async (place: Place, bytes: Uint8Array): Promise<string> => {
  const before = await assertUnchanged(place);
  const beside = at(place.folder, `.${randomUUID()}.tmp`);
  const handle = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
  try {
    await handle.writeFile(bytes);
    if (before !== undefined) await keepRights(handle, before);
    await handle.sync();
    const version = toVersion(await handle.stat());
    await assertUnchanged(place);
    await rename(beside, at(place.folder, place.name));
    await place.folder.handle.sync().catch(() => undefined);
    return version;
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
};

const keepRights = async (handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> => {
  await handle.chmod(mode & 0o777);
  // Only the superuser can give files away; for others it is their own already.
  await handle.chown(uid, gid).catch(() => undefined);
};
