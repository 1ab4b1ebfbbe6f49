/**
 * A run's end: kept, delivered, recorded. Idempotent: what was delivered before is not again, since the outbox knows its key.
 * How the run went and whether it arrived are two things, and both are recorded.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import type { Job, JobRun, JobStore, RunDelivery, RunOutcome } from '../core/job.js';
import type { Logger } from '../core/logger.js';
import type { GatewayServices } from '../core/services.js';
import { formatTarget, parseTargets } from '../core/targets.js';
import type { ToolDelivery } from '../core/tool.js';
import { isSilent } from './silence.js';

export interface ConclusionDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly owner: string;
  /** `cron/output` of the home. */
  readonly folder: string;
  services(): GatewayServices;
  onEnded(run: string): void;
}

interface Ending {
  readonly run: JobRun;
  readonly job: Job;
  readonly text: string;
  readonly outcome: RunOutcome;
  readonly error?: string;
}

const outcomeOf = (
  run: JobRun,
  { silence = 'marker' }: Job,
  text: string,
  reason: string,
): Pick<Ending, 'outcome' | 'error'> => {
  if (run.scriptError !== undefined) return { outcome: 'failed', error: run.scriptError };
  if (reason === 'interrupted' || reason === 'missed') return { outcome: reason, error: text };
  if (reason !== 'end_turn' && reason !== 'max_tokens')
    return { outcome: 'failed', error: text.slice(0, 500) || reason };
  if (silence === 'always') return { outcome: 'silent' };
  return { outcome: silence === 'marker' && isSilent(text) ? 'silent' : 'ok' };
};

const failures: Readonly<Partial<Record<RunOutcome, string>>> = {
  interrupted: 'was interrupted',
  missed: 'was missed',
};

const messageOf = ({ job, text, outcome, error }: Ending): string => {
  if (outcome === 'ok') return isSilent(text) ? `The job “${job.name}” ran and had nothing to tell.` : text;
  const what = failures[outcome] ?? 'failed';
  const more = text.trim() === '' || text === error || isSilent(text) ? '' : `\n\n${text}`;
  return `⚠️ The job “${job.name}” ${what}: ${error ?? 'no reason is known'}${more}`;
};

const severity: readonly ToolDelivery['state'][] = ['unknown', 'failed', 'waiting', 'sent'];

const toDelivery = (results: readonly ToolDelivery[]): Pick<JobRun, 'delivery' | 'deliveryDetail'> => {
  const worst = severity.find((state) => results.some((result) => result.state === state));
  if (worst === undefined) return { delivery: 'none' };
  const delivery: RunDelivery = worst === 'waiting' ? 'pending' : worst;
  const deliveryDetail = results
    .map(({ target, state, detail }) => `${target}: ${state} (${detail})`)
    .join('; ');
  return { delivery, deliveryDetail };
};

export const createConclusion = (deps: ConclusionDeps) => {
  const { store, clock, logger, folder } = deps;

  const keep = async ({ run, job, text, outcome, error }: Ending): Promise<string> => {
    const path = join(folder, job.id);
    await mkdir(path, { recursive: true, mode: 0o700 });
    const name = `${new Date(run.startedAt).toISOString().replaceAll(':', '-')}.md`;
    const head = `# ${job.name}\n\nJob ${job.id}, run ${run.id}: ${outcome}${error === undefined ? '' : ` – ${error}`}\n\n`;
    await writeFile(join(path, name), `${head}${text}\n`, { mode: 0o600 });
    return join('cron', 'output', job.id, name);
  };

  const deliver = async (ending: Ending, signal: AbortSignal): Promise<readonly ToolDelivery[]> => {
    const { job, run, outcome } = ending;
    const parsed = parseTargets(job.deliver);
    if (outcome === 'silent' || !parsed.ok) return [];
    const results: ToolDelivery[] = [];
    for (const target of parsed.targets) {
      if (target.type === 'local') continue;
      const request = {
        targets: formatTarget(target),
        text: messageOf(ending),
        key: `job/${run.id}`,
        ...(job.origin !== undefined && { origin: job.origin }),
      };
      results.push(...(await deps.services().deliver(request, { signal })));
    }
    signal.throwIfAborted();
    return results;
  };

  /** Tells the first home that can be reached of a target that was lost, once until it is reached again. */
  const tellLosses = async ({ job, run }: Ending, results: readonly ToolDelivery[], signal: AbortSignal) => {
    const failed = results.filter(({ state }) => state === 'failed').map(({ target }) => target);
    const reached = results.filter(({ state }) => state === 'sent').map(({ target }) => target);
    const fresh = failed.filter((target) => !job.lostTargets.includes(target));
    const lostTargets = [...job.lostTargets.filter((target) => !reached.includes(target)), ...fresh];
    if (lostTargets.length === job.lostTargets.length && fresh.length === 0) return;
    const now = await store.find(job.id);
    if (now !== undefined) await store.replace({ ...now, lostTargets, revision: now.revision + 1 });
    if (fresh.length === 0) return;
    const services = deps.services();
    const reasons = results
      .filter(({ target }) => fresh.includes(target))
      .map(({ target, detail }) => `${target}: ${detail}`);
    const text = `⚠️ The job “${job.name}” ran, but its result could not be delivered to ${reasons.join('; ')}. It is kept here. I say this once.`;
    for (const { platform } of (await services.status()).adapters) {
      if (fresh.includes(platform) || !services.check(platform).ok) continue;
      const told = await services.deliver({ targets: platform, text, key: `job-lost/${run.id}` }, { signal });
      if (told.some(({ state }) => state !== 'failed')) return;
    }
    logger.warn({ job: job.id, run: run.id, targets: fresh }, 'nobody could be told of a lost delivery');
  };

  return async (id: string, text: string, reason: string, signal: AbortSignal): Promise<void> => {
    const run = await store.findRun(id);
    const job = run && (await store.find(run.job));
    if (run === undefined || job === undefined || run.state === 'ended') return deps.onEnded(id);
    const ending: Ending = { run, job, text, ...outcomeOf(run, job, text, reason) };
    const { outcome, error } = ending;
    const output = await keep(ending);
    const { question: _question, ...rest } = run;
    const known: JobRun = { ...rest, outcome, output, ...(error !== undefined && { error }) };
    await store.saveRun({ ...known, delivery: 'pending' }, run.lease.owner);
    const results = await deliver(ending, signal);
    await tellLosses(ending, results, signal);
    const ended: JobRun = { ...known, ...toDelivery(results), state: 'ended', endedAt: clock.now() };
    await store.saveRun(ended, run.lease.owner);
    logger.info({ job: job.id, run: id, outcome, delivery: ended.delivery }, 'job ended');
    deps.onEnded(id);
  };
};
