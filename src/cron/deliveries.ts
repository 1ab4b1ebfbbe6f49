/** Where the result of a run goes, and who hears of it if it does not arrive. */
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { Logger } from '../core/logger.js';
import type { GatewayServices } from '../core/services.js';
import { formatTarget, parseTargets, type Target } from '../core/targets.js';
import type { ToolDelivery } from '../core/tool.js';

export interface DeliveriesDeps {
  readonly store: JobStore;
  readonly logger: Logger;
  services(): GatewayServices;
}

export interface Parcel {
  readonly job: Job;
  readonly run: JobRun;
  readonly text: string;
}

interface Tried {
  readonly results: readonly ToolDelivery[];
  /** The targets that cannot be reached, also where the text came to another one instead. */
  readonly lost: readonly ToolDelivery[];
  /** Told already, beside the text itself. */
  readonly isTold?: boolean;
}

const isLost = ({ state }: ToolDelivery): boolean => state === 'failed';

/** Tells the first home that can be reached. */
const tell = async (
  { job, run }: Parcel,
  lost: readonly ToolDelivery[],
  { services, logger }: Omit<DeliveriesDeps, 'store'>,
  signal: AbortSignal,
): Promise<void> => {
  const gateway = services();
  const reasons = lost.map(({ target, detail }) => `${target}: ${detail}`).join('; ');
  const text = `⚠️ The job “${job.name}” ran, but its result could not be delivered to ${reasons}. It is kept here. I say this once.`;
  for (const { platform } of (await gateway.status()).adapters) {
    if (lost.some(({ target }) => target === platform) || !gateway.check(platform).ok) continue;
    const told = await gateway.deliver({ targets: platform, text, key: `job-lost/${run.id}` }, { signal });
    if (!told.every(isLost)) return;
  }
  logger.warn({ job: job.id, run: run.id }, 'nobody could be told of a lost delivery');
};

export const createDeliveries = (deps: DeliveriesDeps) => {
  const { store } = deps;
  const tryOne = async ({ job, run, text }: Parcel, target: Target, signal: AbortSignal): Promise<Tried> => {
    const send = (targets: string, said: string, key: string) =>
      deps
        .services()
        .deliver(
          { targets, text: said, key, ...(job.origin !== undefined && { origin: job.origin }) },
          { signal },
        );
    const results = await send(formatTarget(target), text, `job/${run.id}`);
    const lost = results.filter(isLost);
    const [first] = lost;
    if (target.type !== 'origin' || first === undefined || job.origin === undefined) return { results, lost };
    // The chat it was made in is gone.
    const note = job.lostTargets.includes(first.target)
      ? ''
      : `\n\n(It comes here, since the chat in which “${job.name}” was made cannot be reached: ${first.detail})`;
    const atHome = await send(job.origin.platform, `${text}${note}`, `job/${run.id}/instead`);
    if (atHome.some(isLost)) return { results, lost };
    const instead = atHome.map((one) => ({ ...one, target: `${first.target}, instead ${one.target}` }));
    return { results: instead, lost, isTold: true };
  };

  /** Keeps in mind which targets are lost, so that each loss is told once until the target is reached again. */
  const note = async (parcel: Parcel, tried: readonly Tried[], signal: AbortSignal): Promise<void> => {
    const known = parcel.job.lostTargets;
    const lost = tried.flatMap((one) => one.lost.map(({ target }) => target));
    const reached = tried.flatMap(({ results }) => results.filter(({ state }) => state === 'sent'));
    const isReached = (target: string): boolean => reached.some((one) => one.target === target);
    const fresh = lost.filter((target) => !known.includes(target));
    const lostTargets = [...known.filter((target) => !isReached(target)), ...fresh];
    if (fresh.length === 0 && lostTargets.length === known.length) return;
    const untold = tried.flatMap((one) => (one.isTold === true ? [] : one.lost));
    const news = untold.filter(({ target }) => fresh.includes(target));
    // Told before it is noted: a kill between the two tells it under the same key, which the outbox knows.
    if (news.length > 0) await tell(parcel, news, deps, signal);
    const now = await store.find(parcel.job.id);
    if (now !== undefined) await store.replace({ ...now, lostTargets, revision: now.revision + 1 });
  };

  /** One result a target. All are served side by side: one that cannot be reached now holds up no other. */
  return async (parcel: Parcel, signal: AbortSignal): Promise<readonly ToolDelivery[]> => {
    const parsed = parseTargets(parcel.job.deliver);
    if (!parsed.ok) return [];
    const targets = parsed.targets.filter(({ type }) => type !== 'local');
    const tried = await Promise.all(targets.map((target) => tryOne(parcel, target, signal)));
    signal.throwIfAborted();
    await note(parcel, tried, signal);
    return tried.flatMap(({ results }) => results);
  };
};
