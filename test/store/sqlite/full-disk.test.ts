import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

const mountAndRun = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"';

/** Runs a command with a disk of the given size mounted at `folder`, which nobody else sees. */
const withSmallDisk = (folder: string, sizeBytes: number, command: readonly string[]) =>
  spawnSync(
    'sh',
    ['-c', `exec unshare -m sh -c '${mountAndRun}' sh "$@"`, 'sh', String(sizeBytes), folder, ...command],
    { encoding: 'utf8' },
  );

/** Mounting takes the rights of root, which a container may not give even to root. */
const canMount = withSmallDisk('/mnt', 1 << 20, ['true']).status === 0;

test.skipIf(!canMount)(
  'a full disk refuses what does not fit, keeps the rest, and is forgotten once freed',
  () => {
    const script = fileURLToPath(new URL('./fill-disk.ts', import.meta.url));
    const run = withSmallDisk(home.path, 4 << 20, [process.execPath, '--import', 'tsx', script, home.path]);
    expect(run.status, run.stderr).toBe(0);
    const seen: Record<string, unknown> & { stored: string[]; refused: string } = JSON.parse(run.stdout);
    expect(seen).toMatchObject({
      openWhenFull: 'full later',
      acceptWhenFull: 'full later',
      sameAgain: 'done',
      integrity: 'ok',
      readWhenFull: seen.stored,
      after: [...seen.stored, seen.refused],
    });
    expect(seen.stored.length).toBeGreaterThan(5);
  },
  30_000,
);
