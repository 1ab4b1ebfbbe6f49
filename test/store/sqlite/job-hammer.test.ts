import { expect, test } from 'vitest';
import { openSqliteStores } from '../../../src/store/sqlite/sqlite-stores.js';
import {
  aHammeredJob,
  CHANGES,
  JOBS,
  ORPHANS,
  SLOTS,
  setUpHammer,
  startSign,
} from '../../contracts/store/job-hammer.js';
import { startChild } from './child.js';
import { createLogRecorder } from './log-recorder.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

/** Collects what a process says; `ready` resolves with its first line. */
const listen = (owner: string, file: string) => {
  const child = startChild(new URL('./hammer-jobs.ts', import.meta.url), file, owner);
  const lines: string[] = [];
  let tellReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  const done = (async () => {
    for await (const line of child.lines) {
      lines.push(line);
      tellReady();
    }
  })();
  return { lines, ready, done, kill: child.kill };
};

test('two processes that hammer the same jobs claim each slot once, take each run over once and lose no change', async () => {
  const file = home.file('state.db');
  const { logger } = createLogRecorder();
  const stores = await openSqliteStores({ file, now: () => 0, logger });
  await setUpHammer(stores.jobs);
  const processes = ['one', 'other'].map((owner) => listen(owner, file));
  try {
    await Promise.all(processes.map(({ ready }) => ready));
    await stores.jobs.add(aHammeredJob(startSign, { isEnabled: false }));
    await Promise.all(processes.map(({ done }) => done));
  } finally {
    await Promise.all(processes.map(({ kill }) => kill()));
  }
  for (const { lines } of processes) expect(lines.at(-1)).toBe('done');
  const said = processes.flatMap(({ lines }) => lines);
  const claimed = said.filter((line) => line.startsWith('claimed '));
  expect(new Set(claimed).size).toBe(JOBS * SLOTS);
  expect(claimed).toHaveLength(JOBS * SLOTS);
  const taken = said.filter((line) => line.startsWith('taken '));
  expect(new Set(taken).size).toBe(ORPHANS);
  expect(taken).toHaveLength(ORPHANS);
  expect((await stores.jobs.find('changed'))?.begun).toBe(2 * CHANGES);
  // Each record is one of a slot that was claimed.
  const runs = await stores.jobs.runs(undefined, 10_000);
  expect(runs.filter(({ outcome }) => outcome === 'ok')).toHaveLength(JOBS * SLOTS);
  await stores.close();
}, 60_000);
