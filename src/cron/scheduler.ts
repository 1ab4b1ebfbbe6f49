/**
 * Due jobs to runs. Place in the flow: clock → (here) → sink.
 *
 * 1. A run's record and the advance of its job are one write before anything of it happens: a crash never runs a slot twice.
 * 2. A tick begins and never waits: one slow job holds up nobody.
 * 3. What an earlier life left open is taken up as far as that can do no harm: what certainly had no effect is begun, a
 *    one-shot once more, anything else is reported as interrupted.
 */
import type { Clock } from '../core/clock.js';
import { type IdSource, toAccountId, toChatId, toMessageId, toPlatformId, toUserId } from '../core/ids.js';
import type { InboundMessage, InboundSink } from '../core/inbound.js';
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { Logger } from '../core/logger.js';
import { advanced, judgeSlot } from './lateness.js';
import { toPrompt } from './prompt.js';
import { runScript, type ScriptDeps } from './script.js';

/** Renewed with every tick. */
const LEASE_MS = 1_800_000;
const MAX_DUE = 1_000;

export const cronPlatform = toPlatformId('cron');
export const cronAccount = toAccountId('jobs');

export interface SchedulerDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Names this life of the process. */
  readonly owner: string;
  readonly maxParallel: number;
  readonly isCatchingUp: boolean;
  readonly script: ScriptDeps;
  /** Takes a run's end; idempotent. Does not reject but at a stop. */
  conclude(run: string, text: string, reason: 'end_turn' | 'error' | 'interrupted'): Promise<void>;
}

export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #active = new Map<string, { readonly job: Job; readonly run: JobRun }>();
  #sink: InboundSink | undefined;
  #signal: AbortSignal = new AbortController().signal;
  #ticking: Promise<number> | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** From now on runs can be begun. Takes up what an earlier life left. */
  async begin(sink: InboundSink, signal: AbortSignal): Promise<void> {
    this.#sink = sink;
    this.#signal = signal;
    for (const run of await this.#deps.store.openRuns()) await this.#takeUp(run);
  }

  active(run: string): { readonly job: Job; readonly run: JobRun } | undefined {
    return this.#active.get(run);
  }

  get isReady(): boolean {
    return this.#sink !== undefined && !this.#signal.aborted;
  }

  /** Knows the runs of an earlier life, before their turns are taken up. */
  async load(): Promise<void> {
    const { store } = this.#deps;
    for (const run of await store.openRuns()) {
      const job = await store.find(run.job);
      if (job !== undefined) this.#active.set(run.id, { job, run });
    }
  }

  ended(run: string): void {
    this.#active.delete(run);
  }

  /** Begins what is due; gives the number of runs begun. */
  tick(): Promise<number> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  async #tick(): Promise<number> {
    if (!this.isReady) return 0;
    const { store, clock } = this.#deps;
    await this.#renew();
    let begun = 0;
    for (const job of await store.due(clock.now(), MAX_DUE)) {
      if (this.#active.size >= this.#deps.maxParallel) break;
      if (await this.#take(job)) begun += 1;
    }
    return begun;
  }

  /** A run beside the schedule. False: another one of it has not ended. */
  async runNow(job: Job): Promise<boolean> {
    const run = this.#newRun(job, 'manual', this.#deps.clock.now());
    if ((await this.#deps.store.claim({ ...job, revision: job.revision + 1 }, run)) !== 'claimed')
      return false;
    this.#start(job, run);
    return true;
  }

  async #renew(): Promise<void> {
    const { store, clock, owner } = this.#deps;
    const expiresAt = clock.now() + LEASE_MS;
    for (const { run } of this.#active.values())
      await store.takeRun(run.id, { owner, expiresAt }, clock.now());
  }

  async #take(job: Job): Promise<boolean> {
    const { store, clock, logger, isCatchingUp } = this.#deps;
    const now = clock.now();
    const { dueAt, isMissed } = judgeSlot(job, now, job.isCatchingUp ?? isCatchingUp);
    const after = advanced(job, now);
    const run = this.#newRun(job, 'schedule', dueAt);
    if (isMissed) {
      if (await store.replace(after)) await this.#leaveOut(job, run, 'missed');
      return false;
    }
    const claim = await store.claim(after, run);
    if (claim === 'busy' && (await store.replace(after))) await this.#leaveOut(job, run, 'skipped');
    if (claim !== 'claimed') return false;
    logger.info({ job: job.id, run: run.id, dueAt, lateMs: now - dueAt }, 'job begun');
    this.#start(after, run);
    return true;
  }

  async #leaveOut(job: Job, run: JobRun, outcome: 'missed' | 'skipped'): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const error =
      outcome === 'missed'
        ? 'The gateway was not running when it was due.'
        : 'The run before it had not ended.';
    logger.warn({ job: job.id, dueAt: run.dueAt, outcome }, 'slot of a job left out');
    await store.addRun({ ...run, state: 'ended', outcome, error, endedAt: clock.now() });
  }

  #newRun(job: Job, trigger: JobRun['trigger'], dueAt: number): JobRun {
    const { ids, clock, owner } = this.#deps;
    const startedAt = clock.now();
    const lease = { owner, expiresAt: startedAt + LEASE_MS };
    const id = ids.next('correlation');
    const names = { id, job: job.id, jobName: job.name };
    return { ...names, trigger, dueAt, startedAt, state: 'claimed', attempts: 1, delivery: 'none', lease };
  }

  #start(job: Job, run: JobRun): void {
    this.#active.set(run.id, { job, run });
    void this.#perform(job, run).catch((error: unknown) => {
      if (this.#signal.aborted) return;
      this.#deps.logger.error({ error, job: job.id, run: run.id }, 'job could not be run');
      this.#active.delete(run.id);
    });
  }

  async #perform(job: Job, run: JobRun): Promise<void> {
    const { store, owner, script, conclude } = this.#deps;
    if (job.script === undefined) return this.#ask(job, run, toPrompt(job, undefined));
    const preparing: JobRun = { ...run, state: 'preparing' };
    if (!(await store.saveRun(preparing, owner))) return;
    const result = await runScript(job.script, { ...script, workdir: job.workdir }, { signal: this.#signal });
    const { output, error } = result;
    const prepared = error === undefined ? preparing : { ...preparing, scriptError: error };
    await store.saveRun(prepared, owner);
    if (error !== undefined && (job.isScriptOnly || job.prompt === ''))
      return conclude(run.id, output, 'error');
    if (job.isScriptOnly) return conclude(run.id, output === '' ? '[SILENT]' : output, 'end_turn');
    if (result.isDone && error === undefined) return conclude(run.id, '[SILENT]', 'end_turn');
    return this.#ask(job, prepared, toPrompt(job, result));
  }

  async #ask(job: Job, run: JobRun, text: string): Promise<void> {
    const { store, owner } = this.#deps;
    await this.#sink?.accept([this.#toMessage(job, run, text)]);
    const asked: JobRun = { ...run, state: 'asked' };
    await store.saveRun(asked, owner);
    if (this.#active.has(run.id)) this.#active.set(run.id, { job, run: asked });
  }

  #toMessage(job: Job, run: JobRun, text: string): InboundMessage {
    const now = this.#deps.clock.now();
    const chat = toChatId(run.id);
    return {
      type: 'message',
      dedupeKey: `cron/${run.id}/${run.attempts}`,
      correlation: this.#deps.ids.next('correlation'),
      origin: { platform: cronPlatform, account: cronAccount, chat, chatKind: 'direct', chatTitle: job.name },
      sender: { user: toUserId(job.id), displayName: job.name, isBot: false },
      receivedAt: now,
      sentAt: now,
      message: toMessageId(run.id),
      parts: [{ type: 'text', text }],
      addressed: 'direct',
    };
  }

  async #takeUp(found: JobRun): Promise<void> {
    const { store, clock, owner, conclude } = this.#deps;
    if (found.lease.owner === owner) return;
    const lease = { owner, expiresAt: clock.now() + LEASE_MS };
    // Whoever holds the home's lock knows that every other owner is gone.
    const run = await store.takeRun(found.id, lease, Number.MAX_SAFE_INTEGER);
    const job = run && (await store.find(run.job));
    if (run === undefined || job === undefined) return;
    this.#active.set(run.id, { job, run });
    if (run.state === 'asked') return;
    if (run.state === 'claimed') return this.#start(job, run);
    if (job.schedule.kind === 'once' && run.attempts < 2)
      return this.#start(job, { ...run, state: 'claimed', attempts: run.attempts + 1 });
    await conclude(run.id, 'The gateway was stopped while its script ran.', 'interrupted');
  }
}
