import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../scripts/system-programs.mjs';

test('a program is found by any of its names, and only where it can be run', () => {
  const [one, other] = ['a', 'b'].map((name) => mkdtempSync(join(tmpdir(), `hermes-${name}-`)));
  onTestFinished(() => {
    for (const folder of [one, other]) rmSync(folder ?? '', { recursive: true, force: true });
  });
  const program = { title: 'It', commands: ['it', 'it-too'], debianPackage: 'it' };
  const searchPath = [one, other].join(delimiter);
  writeFileSync(join(one ?? '', 'it'), '', { mode: 0o600 });
  expect(findProgram(program, searchPath)).toBeUndefined();
  const path = join(other ?? '', 'it-too');
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  expect(findProgram(program, searchPath)).toBe(path);
  expect(findProgram(program, '')).toBeUndefined();
});
