import { chmodSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckContext, Finding } from './finding.js';

const base = { id: 'secrets', title: 'Secrets' } as const;
const OTHERS = 0o077;

const look = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const holdsSecret = (path: string, secrets: readonly string[]): boolean => {
  try {
    const text = readFileSync(path, 'utf8');
    return secrets.some((secret) => secret !== '' && text.includes(secret));
  } catch {
    return false;
  }
};

const filesIn = (folder: string): readonly string[] => {
  try {
    return [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  } catch {
    return [];
  }
};

/** What must be for the gateway's user alone: secrets, conversations, sessions of platforms. */
const privatePlaces = ({ paths }: CheckContext, secrets: readonly string[]): readonly string[] => [
  paths.envFile,
  ...(holdsSecret(paths.settingsFile, secrets) ? [paths.settingsFile] : []),
  ...['state.db', 'gateway.db'].flatMap((name) =>
    ['', '-wal', '-shm'].map((end) => join(paths.home, name + end)),
  ),
  paths.socket,
  ...paths.folders.filter((folder) => folder.endsWith('/session')).flatMap(filesIn),
];

const judge = (path: string, stats: Stats, isFixing: boolean): Finding => {
  const mode = stats.isDirectory() ? 0o700 : 0o600;
  const what = `${path} is open to other users of this host`;
  const fix = `Run \`chmod ${mode.toString(8)} ${path}\`.`;
  if (!isFixing) return { ...base, state: 'mend', text: what, fix, isFixable: true };
  try {
    chmodSync(path, mode);
    return { ...base, state: 'mended', text: `${path} is for its owner alone now` };
  } catch {
    return { ...base, state: 'mend', text: what, fix: `Run \`sudo chmod ${mode.toString(8)} ${path}\`.` };
  }
};

/** `secrets`: those of the settings, to know whether config.yaml holds one. */
export const checkSecrets = (context: CheckContext, secrets: readonly string[]): readonly Finding[] => {
  const open = privatePlaces(context, secrets).flatMap((path) => {
    const stats = look(path);
    return stats === undefined || (stats.mode & OTHERS) === 0 ? [] : [judge(path, stats, context.isFixing)];
  });
  return open.length > 0 ? open : [{ ...base, state: 'ok', text: 'only their owner can read them' }];
};
