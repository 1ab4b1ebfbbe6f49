import type { JobTime } from './job-time.js';
import type { Row } from './report.js';

/** Of the most jobs, beside that of the fewest. */
const MAX_TICK_RATIO = 3;

/** Only the most has a bar: the others show that nothing grows on the way. Pure. */
export const toJobRows = ({ ticks, dueAtOnce, dueMs, bytesPerJob }: JobTime): readonly Row[] => {
  const tickRows = ticks.map(({ jobs, cpuMs }): Row => {
    const ratio = cpuMs / (ticks[0]?.cpuMs ?? Number.NaN);
    const row = {
      name: `tick with ${jobs} jobs`,
      floor: '',
      gateway: `${(cpuMs * 1_000).toFixed(1)} µs`,
      ratio: `${ratio.toFixed(2)}× (CPU)`,
    };
    if (jobs !== ticks.at(-1)?.jobs) return { ...row, bar: '' };
    return { ...row, bar: `≤ ${MAX_TICK_RATIO}×`, isReached: ratio <= MAX_TICK_RATIO };
  });
  const due = { name: `${dueAtOnce} jobs due at once`, gateway: `${dueMs.toFixed(0)} ms`, ratio: '' };
  const idle = {
    name: 'memory an idle job',
    gateway: `${Math.max(0, bytesPerJob).toFixed(1)} bytes`,
    ratio: '',
  };
  return [...tickRows, ...[due, idle].map((row): Row => ({ ...row, floor: '', bar: '' }))];
};
