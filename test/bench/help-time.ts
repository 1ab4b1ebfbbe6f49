import { spawnSync } from 'node:child_process';
import { median } from './percentile.js';

export interface HelpTime {
  readonly helpMs: number;
  readonly emptyMs: number;
  /** Median of the differences, pair by pair. */
  readonly moreMs: number;
}

/** `hermes --help` beside `node -e 0`, one after the other. */
export function measureHelp(distMain: string, pairs: number): HelpTime {
  const helpMs: number[] = [];
  const emptyMs: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    emptyMs.push(runMs(['-e', '0']));
    helpMs.push(runMs([distMain, '--help']));
  }
  const moreMs = median(helpMs.map((ms, pair) => ms - (emptyMs[pair] ?? 0)));
  return { helpMs: median(helpMs), emptyMs: median(emptyMs), moreMs };
}

function runMs(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const tookMs = performance.now() - startedAt;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return tookMs;
}
