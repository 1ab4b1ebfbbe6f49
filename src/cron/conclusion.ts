/**
 * A run's end: kept, delivered, recorded. Idempotent: what was delivered before is not again, since the outbox knows its key.
 * How the run went and whether it arrived are two things, and both are recorded.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import type { Job, JobRun, RunDelivery, RunOutcome } from '../core/job.js';
import type { ToolDelivery } from '../core/tool.js';
import { createDeliveries, type DeliveriesDeps } from './deliveries.js';
import { isSilent } from './silence.js';

export interface ConclusionDeps extends DeliveriesDeps {
  readonly clock: Clock;
  /** `cron/output` of the home. */
  readonly folder: string;
  /** The run is over but for its delivery. */
  onConcluding(run: string): void;
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

/** What a run that is being delivered came to; what is said of it later changes nothing. */
const endingOf = (job: Job, run: JobRun, text: string, reason: string): Ending => {
  const { outcome, error, answer = '' } = run;
  return run.state === 'concluding' && outcome !== undefined
    ? { job, run, text: answer, outcome, ...(error !== undefined && { error }) }
    : { job, run, text, ...outcomeOf(run, job, text, reason) };
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
  const deliver = createDeliveries(deps);

  /** Path of the file, below the home. A disk that refuses it keeps nobody from the answer itself. */
  const keep = async ({ run, job, text, outcome, error }: Ending): Promise<string | undefined> => {
    const path = join(folder, job.id);
    const name = `${new Date(run.startedAt).toISOString().replaceAll(':', '-')}.md`;
    const head = `# ${job.name}\n\nJob ${job.id}, run ${run.id}: ${outcome}${error === undefined ? '' : ` – ${error}`}\n\n`;
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await writeFile(join(path, name), `${head}${text}\n`, { mode: 0o600 });
      return join('cron', 'output', job.id, name);
    } catch (problem) {
      logger.error({ error: problem, job: job.id, run: run.id }, 'output of a job could not be kept');
      return undefined;
    }
  };

  const conclude = async (id: string, text: string, reason: string, signal: AbortSignal): Promise<void> => {
    const found = await store.findRun(id);
    const job = found && (await store.find(found.job));
    if (found === undefined || job === undefined || found.state === 'ended') return deps.onEnded(id);
    const ending = endingOf(job, found, text, reason);
    const { outcome, error } = ending;
    const output = found.output ?? (await keep(ending));
    const { question: _question, ...rest } = found;
    const run: JobRun = {
      ...rest,
      state: 'concluding',
      answer: ending.text,
      outcome,
      delivery: 'pending',
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
    };
    const { owner } = found.lease;
    if (!(await store.saveRun(run, owner))) return deps.onEnded(id);
    deps.onConcluding(id);
    const results = outcome === 'silent' ? [] : await deliver({ job, run, text: messageOf(ending) }, signal);
    const { answer: _answer, ...known } = run;
    const ended: JobRun = { ...known, ...toDelivery(results), state: 'ended', endedAt: clock.now() };
    await store.saveRun(ended, owner);
    logger.info({ job: job.id, run: id, outcome, delivery: ended.delivery }, 'job ended');
    deps.onEnded(id);
  };

  const underWay = new Map<string, Promise<void>>();
  /** A run ends once, however many tell of it. */
  return (id: string, text: string, reason: string, signal: AbortSignal): Promise<void> => {
    const known = underWay.get(id);
    if (known !== undefined) return known;
    const work = conclude(id, text, reason, signal).finally(() => underWay.delete(id));
    underWay.set(id, work);
    return work;
  };
};
