/** Jobs in the words in which every hand shows them. */
import type { JobRun, RunDelivery } from './job.js';
import type { ShownJob } from './job-service.js';

const deliveryWords: Readonly<Record<RunDelivery, string>> = {
  none: '',
  pending: ', being delivered',
  sent: ', delivered',
  failed: ', NOT delivered',
  unknown: ', unknown whether delivered',
};

/** `ok, delivered`; how it went and whether it arrived are two things. */
export const toRunWords = ({ state, outcome, delivery }: JobRun): string => {
  if (state !== 'ended') return 'running';
  if (outcome === 'ok' && delivery === 'none') return 'ok, kept';
  return `${outcome ?? 'over'}${deliveryWords[delivery]}`;
};

/** When it runs next on its zone's clocks, or why it does not. */
export const toNextWords = ({ isEnabled, nextAt, nextRuns }: ShownJob): string => {
  if (isEnabled && nextRuns[0] !== undefined) return nextRuns[0];
  return nextAt === undefined ? 'over' : 'paused';
};
