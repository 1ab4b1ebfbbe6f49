/** What no permission lifts (see core/floor.ts). */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Floor } from '../../core/floor.js';
import { type FloorPlaces, pathProblem } from './places.js';
import { commandProblem, toPath } from './rules.js';
import type { ShellCommand } from './shell-words.js';
import { programOf, unwrapArgv, unwrapLine } from './unwrap.js';

const toReal = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    // It is not there yet.
    return resolve(path);
  }
};

/** Longer lines are looked at only so far by the patterns; taking them apart is linear. */
const maxPatternLength = 20_000;

const bombs: readonly RegExp[] = [
  /(?<![\w:.])([\w:.]{1,40})\s*\(\s*\)\s*\{[^}]*\1\s*\|\s*\1\s*&[^}]*\}\s*;?\s*\1/u,
  /%0\s*\|\s*%0/u,
  /\bfork\b\s*(?:\(\s*\))?\s*(?:while|until)\b/u,
  /\b(?:while|for|until|loop)\b[^\n]{0,80}\bfork\s*\(?/u,
];

const bombText = 'It would start processes without end until this host stands still.';

export const createFloor = (given: FloorPlaces): Floor => {
  const real: FloorPlaces = {
    ...given,
    home: toReal(given.home),
    workspace: toReal(given.workspace),
    program: toReal(given.program),
  };
  // A link to one of them is another name of the same.
  const variants = real.home === given.home && real.workspace === given.workspace ? [real] : [given, real];
  const firstOf = (find: (places: FloorPlaces) => string | undefined): string | undefined => {
    for (const places of variants) {
      const problem = find(places);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const judge = (commands: readonly ShellCommand[], cwd: string): string | undefined =>
    firstOf((places) => {
      let folder = cwd;
      for (const command of commands) {
        const problem = commandProblem(command, { places, cwd: folder });
        if (problem !== undefined) return problem;
        if (programOf(command) === 'cd')
          folder = toPath(command.words[1] ?? '~', { places, cwd: folder }) ?? folder;
      }
      return undefined;
    });
  return {
    path: (name, access) => firstOf((places) => pathProblem(resolve(name), access, places)),
    command: (line, { cwd }) => {
      const start = line.slice(0, maxPatternLength);
      if (bombs.some((bomb) => bomb.test(start))) return bombText;
      return judge(unwrapLine(line), cwd);
    },
    argv: (argv, { cwd }) => judge(unwrapArgv(argv), cwd),
  };
};
