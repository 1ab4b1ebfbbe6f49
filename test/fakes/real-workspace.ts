import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessPort } from '../../src/host/process-groups.js';
import { createWorkspace } from '../../src/host/workspace.js';
import { ManualClock } from './manual-clock.js';

/** A home with secrets, and in it a workspace, on the real disk. */
export const createRealWorkspace = () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-workspace-')));
  const home = join(base, 'home');
  const workspace = join(home, 'workspace');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(home, '.env'), 'OPENAI_API_KEY=hidden');
  writeFileSync(join(home, 'config.yaml'), 'hidden: true');
  writeFileSync(join(home, 'gateway.db'), 'hidden');
  writeFileSync(join(base, 'outside.txt'), 'hidden');
  const services = createWorkspace({
    workspace,
    places: { workspace, home },
    processes: createProcessPort({ clock: new ManualClock() }),
    program: join(base, 'program'),
    pid: process.pid,
  });
  return {
    base,
    home,
    workspace,
    services,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
};
