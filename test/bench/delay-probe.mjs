/**
 * Loaded into both programs by NODE_OPTIONS. SIGUSR2 begins to watch how late the event loop is; the next one tells, as
 * a line of JSON appended to the file that PROBE_FILE names.
 */
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

const NANOSECONDS_PER_MS = 1e6;
const delay = monitorEventLoopDelay({ resolution: 5 });
let isWatching = false;
let peakBytes = 0;
/** @type {NodeJS.Timeout | undefined} */
let timer;

process.on('SIGUSR2', () => {
  if (isWatching) {
    clearInterval(timer);
    delay.disable();
    const figures = {
      p99Ms: delay.percentile(99) / NANOSECONDS_PER_MS,
      meanMs: delay.mean / NANOSECONDS_PER_MS,
      peakBytes,
    };
    appendFileSync(process.env['PROBE_FILE'] ?? '/dev/null', `${JSON.stringify(figures)}\n`);
  } else {
    peakBytes = 0;
    delay.reset();
    delay.enable();
    timer = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    }, 50);
  }
  isWatching = !isWatching;
});
