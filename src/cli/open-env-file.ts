import { statSync } from 'node:fs';

const OTHERS_MAY_READ = 0o044;

/** A sentence if other users of the host can read the file that holds the secrets. */
export const warnOfOpenEnvFile = (path: string): readonly string[] => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS_MAY_READ) === 0) return [];
  return [`Other users of this host can read the secrets in ${path}. Run \`chmod 600 ${path}\`.`];
};
