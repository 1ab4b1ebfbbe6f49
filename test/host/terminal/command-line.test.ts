import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteWord, toCommandLine } from '../../../src/host/terminal/command-line.js';

const request = {
  run: ['node', "it's.mjs"],
  cwd: '/w/sub',
  workspace: '/w',
  isTerminal: false,
  endMark: 'END:',
  environment: { PATH: '/usr/bin', HOME: '/home/me', LANG: 'C.UTF-8' },
} as const;

test('a container is fresh, has the workspace at its own path, and no network where that is said', () => {
  const line = toCommandLine(request, { kind: 'docker', image: 'debian:12-slim', hasNetwork: false }).join(
    ' ',
  );
  expect(line).toBe(
    `docker run --rm --init -i --network none --cap-drop ALL --security-opt no-new-privileges --pids-limit 512 --volume /w:/w --workdir /w/sub --env LANG=C.UTF-8 debian:12-slim sh -c exec "$@" 2>&1 sh node it's.mjs`,
  );
});

test('another host is asked without questions, in the folder that is the same there', () => {
  const argv = toCommandLine(request, { kind: 'ssh', host: 'me@far', folder: '/srv/work', port: 2222 });
  expect(argv.slice(0, -1).join(' ')).toBe(
    'ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -p 2222 -- me@far',
  );
  expect(argv.at(-1)).toBe(`cd /srv/work/sub && exec sh -c 'exec "$@" 2>&1' sh node 'it'\\''s.mjs'`);
});

test.each(['', 'plain', "it's", '$(id) `id`', 'a\nb', '"x" \\ *'])(
  '%j comes through a shell as it is',
  (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' })).toBe(word);
  },
);
