import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CheckContext, Finding } from './finding.js';

const home = { id: 'home', title: 'Home' } as const;
const disk = { id: 'disk', title: 'Disk' } as const;

/** File systems that come over a network, as Linux numbers them: their locks and their order of writes cannot be relied on. */
const remote: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1397113167: 'AFS',
};

/** A database, its log and a few pictures need this much to go on for a while. */
const LOW_BYTES = 1024 ** 3;
const FULL_BYTES = 100 * 1024 ** 2;

const nearestThere = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
};

const userName = (): string => (process.getuid === undefined ? 'this user' : `user id ${process.getuid()}`);

const judgeHome = (path: string, there: string): Finding => {
  if (!isWritable(there))
    return {
      ...home,
      state: 'mend',
      text: `${there} cannot be written by ${userName()}`,
      fix: `Run \`sudo chown -R $(id -u) ${there}\`, or set HERMES_HOME to a folder of this user.`,
    };
  if (there !== path)
    return { ...home, state: 'note', text: `${path} is not there yet; it is made at the first start` };
  return { ...home, state: 'ok', text: `${path} can be written` };
};

const judgeFileSystem = (path: string, type: number): Finding => {
  const name = remote[type >>> 0];
  if (name === undefined)
    return { ...home, id: 'home.disk', state: 'ok', text: 'it lies on a disk of this host' };
  return {
    ...home,
    id: 'home.disk',
    state: 'mend',
    text: `${path} lies on a network file system (${name}), where a database can be damaged`,
    fix: 'Set HERMES_HOME to a folder on a disk of this host.',
  };
};

const judgeSpace = (path: string, freeBytes: number): Finding => {
  const free = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`;
  if (freeBytes >= LOW_BYTES) return { ...disk, state: 'ok', text: free };
  const isFull = freeBytes < FULL_BYTES;
  const fix = `Free some space on the disk of ${path}; sessions.retention_mb in config.yaml limits what the gateway keeps.`;
  const text = `only ${Math.floor(freeBytes / 1024 ** 2)} MB free`;
  return { ...disk, state: isFull ? 'mend' : 'note', text, fix };
};

export const checkHome = ({ paths }: CheckContext): readonly Finding[] => {
  const there = nearestThere(paths.home);
  const first = judgeHome(paths.home, there);
  try {
    const { type, bavail, bsize } = statfsSync(there);
    // Elsewhere the numbers mean other things.
    const local = process.platform === 'linux' ? [judgeFileSystem(there, type)] : [];
    return [first, ...local, judgeSpace(there, bavail * bsize)];
  } catch {
    return [first, { ...disk, state: 'skipped', text: 'this system does not say how much room is left' }];
  }
};
