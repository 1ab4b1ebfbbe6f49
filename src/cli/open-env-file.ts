import { statSync } from 'node:fs';

const OTHERS_MAY_READ = 0o044;

/** Nothing for a file that is not there, or that we may not even look at: whoever reads it says so. */
const modeOf = (path: string): number => {
  try {
    return statSync(path).mode;
  } catch {
    return 0;
  }
};

/** A sentence if other users of the host can read the file that holds the secrets. */
export const warnOfOpenEnvFile = (path: string): readonly string[] => {
  if ((modeOf(path) & OTHERS_MAY_READ) === 0) return [];
  return [`The mode of ${path} lets other users of this host read its secrets. Run \`chmod 600 ${path}\`.`];
};
