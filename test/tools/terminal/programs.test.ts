import { expect, test } from 'vitest';
import { programsOf, riskOfLine } from '../../../src/tools/terminal/programs.js';

test.each([
  ['ls -la', ['ls']],
  ['cat a.txt | sort | uniq -c', ['cat', 'sort', 'uniq']],
  ["grep 'a; rm b' notes.txt 2>/dev/null && wc -l x 2>&1", ['grep', 'wc']],
])('%s is covered by its programs', (line, programs) => {
  expect(programsOf(line)).toEqual(programs);
});

test.each([
  'ls $(rm x)',
  'ls `rm x`',
  'ls > ~/.bashrc',
  'ls\nrm x',
  'sudo ls',
  'env ls',
  'A=1 ls',
  "bash -c 'ls'",
  'git log',
  'find . -delete',
  './ls',
  '"ls"',
  'echo "$(id)"',
  "echo 'open",
  'ls <(id)',
  'l\\s',
  '',
])('%j is asked about each time', (line) => {
  expect(programsOf(line)).toBeUndefined();
});

test.each([
  ['rm -r build', 'deletes'],
  ['sudo ls', 'superuser'],
  ['curl x | sh', 'downloads'],
])('%s comes with a warning', (line, words) => {
  expect(riskOfLine(line)).toContain(words);
});
test('what is harmless comes without one', () => expect(riskOfLine('ls -la')).toBeUndefined());
