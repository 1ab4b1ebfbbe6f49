/**
 * A claimed run to a question that the agent is asked. Place in the flow: scheduler → (here) → sink.
 *
 * 1. What is about to happen is stored before it happens, so that whoever finds the run knows what may have happened.
 * 2. What is asked is stored before it is asked, and asked again under the same key, which the sink knows.
 * 3. What an earlier life left open is taken up as far as that can do no harm: what certainly had no effect is begun, a
 *    one-shot's script runs once more, anything else is interrupted.
 * 4. What the store refuses for now is tried again; what breaks otherwise has failed, and that is reported.
 */
import type { Clock } from '../core/clock.js';
import { StoreError } from '../core/errors.js';
import { growingDelay } from '../core/growing-delay.js';
import { type IdSource, toAccountId, toChatId, toMessageId, toPlatformId, toUserId } from '../core/ids.js';
import type { InboundMessage, InboundSink } from '../core/inbound.js';
import type { Job, JobRun, JobStore } from '../core/job.js';
import type { Logger } from '../core/logger.js';
import type { SkillLibrary } from '../core/skill.js';
import { type LoadedSkill, toPrompt } from './prompt.js';
import { formatInZone } from './schedule/wall-clock.js';
import { runScript, type ScriptDeps, type ScriptResult } from './script.js';

/** Renewed with every tick. */
export const LEASE_MS = 1_800_000;
/** Between tries of what the store refused for now. */
const RETRY = { firstMs: 1_000, maxMs: 60_000 };

export const cronPlatform = toPlatformId('cron');
export const cronAccount = toAccountId('jobs');

export interface PerformerDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Names this life of the process. */
  readonly owner: string;
  readonly script: ScriptDeps;
  readonly skills: Pick<SkillLibrary, 'find'>;
  /** Removes every configured secret from a text. */
  readonly redact: (text: string) => string;
  /** Takes a run's end; idempotent. */
  conclude(run: string, text: string, reason: 'end_turn' | 'error' | 'interrupted' | 'missed'): Promise<void>;
}

interface ActiveRun {
  readonly job: Job;
  readonly run: JobRun;
}

export class Performer {
  readonly #deps: PerformerDeps;
  readonly #active = new Map<string, ActiveRun>();
  /** Ids of those that are over but for their delivery. */
  readonly #concluding = new Set<string>();
  /** Told when a run is over or has ended. */
  readonly #listeners = new Set<() => void>();
  #sink: InboundSink | undefined;
  #signal: AbortSignal = new AbortController().signal;

  constructor(deps: PerformerDeps) {
    this.#deps = deps;
  }

  /** Takes over the runs of an earlier life, before anything that the gateway takes up ends one of them. */
  async load(): Promise<void> {
    const { store, clock, owner } = this.#deps;
    const lease = { owner, expiresAt: clock.now() + LEASE_MS };
    for (const { id } of await store.openRuns()) {
      // Whoever holds the home's lock knows that every other owner is gone.
      const run = await store.takeRun(id, lease, Number.MAX_SAFE_INTEGER);
      const job = run && (await store.find(run.job));
      if (run !== undefined && job !== undefined) this.#active.set(run.id, { job, run });
    }
  }

  /** From now on runs can be begun. Takes up what an earlier life left. */
  async begin(sink: InboundSink, signal: AbortSignal): Promise<void> {
    this.#sink = sink;
    this.#signal = signal;
    for (const { job, run } of [...this.#active.values()]) this.#takeUp(job, run);
  }

  get isReady(): boolean {
    return this.#sink !== undefined && !this.#signal.aborted;
  }

  /** How many take up room. */
  get size(): number {
    return this.#active.size - this.#concluding.size;
  }

  runs(): readonly JobRun[] {
    return [...this.#active.values()].map(({ run }) => run);
  }

  active(run: string): ActiveRun | undefined {
    return this.#active.get(run);
  }

  /** It is over but for its delivery, for which nobody has to wait. */
  concluding(run: string): void {
    if (this.#active.has(run)) this.#concluding.add(run);
    for (const tell of this.#listeners) tell();
  }

  ended(run: string): void {
    this.#active.delete(run);
    this.#concluding.delete(run);
    for (const tell of this.#listeners) tell();
  }

  /** Resolves when no run takes up room; `withDeliveries`: nor is being delivered. Else with the signal's end. */
  settled({ withDeliveries }: { readonly withDeliveries: boolean }, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        const left = withDeliveries ? this.#active.size : this.size;
        if (left > 0 && !signal.aborted) return;
        this.#listeners.delete(check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      this.#listeners.add(check);
      signal.addEventListener('abort', check);
      check();
    });
  }

  start(job: Job, run: JobRun): void {
    this.#active.set(run.id, { job, run });
    this.#see(run, () => this.#perform(job, run));
  }

  /** Ends the run of a slot that passed with nobody there. */
  tellMissed(job: Job, run: JobRun): void {
    const due = formatInZone(run.dueAt, job.zone);
    const text = `It was due at ${due}, when the gateway was not running, and that is too long ago to run it now.`;
    this.#active.set(run.id, { job, run });
    this.#see(run, () => this.#deps.conclude(run.id, text, 'missed'));
  }

  /** Sees to a run in the background. Where something of ours breaks, the run has failed, and that is reported. */
  #see(run: JobRun, work: () => Promise<void>): void {
    const { logger, conclude } = this.#deps;
    const isOver = () => this.#signal.aborted;
    const report = async (error: unknown): Promise<void> => {
      if (isOver()) return;
      logger.error({ error, job: run.job, run: run.id }, 'job could not be run');
      const text = 'Something went wrong on my side and it could not be run; the log has the reason.';
      await this.#stored(() => conclude(run.id, text, 'error'));
    };
    void work()
      .catch(report)
      .catch((error: unknown) => {
        // The run stays open, and the next start takes it up.
        if (!isOver()) logger.error({ error, job: run.job, run: run.id }, 'job could not be ended');
      });
  }

  /** Repeats what the store refused for now, such as on a full disk. */
  async #stored<Result>(write: () => Promise<Result>): Promise<Result> {
    const { clock, logger } = this.#deps;
    for (let failures = 1; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof StoreError) || error.retry.kind === 'never') throw error;
        const delayMs = growingDelay(failures, RETRY);
        logger.error({ error, delayMs }, 'a run of a job could not be stored, trying again');
        await clock.sleep(delayMs, { signal: this.#signal });
      }
    }
  }

  async #perform(job: Job, run: JobRun): Promise<void> {
    const { store, owner, script } = this.#deps;
    const conclude = (text: string, reason: 'end_turn' | 'error') =>
      this.#stored(() => this.#deps.conclude(run.id, text, reason));
    if (job.script === undefined) return this.#ask(job, run, await this.#toQuestion(job, undefined));
    const preparing: JobRun = { ...run, state: 'preparing' };
    if (!(await this.#stored(() => store.saveRun(preparing, owner)))) return;
    const result = await runScript(job.script, { ...script, workdir: job.workdir }, { signal: this.#signal });
    const { output, error } = result;
    const prepared = error === undefined ? preparing : { ...preparing, scriptError: error };
    await this.#stored(() => store.saveRun(prepared, owner));
    if (error !== undefined && (job.isScriptOnly || job.prompt === '')) return conclude(output, 'error');
    if (error === undefined && (result.isDone || (job.isScriptOnly && output === '')))
      return conclude('[SILENT]', 'end_turn');
    if (job.isScriptOnly) return conclude(output, 'end_turn');
    return this.#ask(job, prepared, await this.#toQuestion(job, result));
  }

  async #toQuestion(job: Job, result: ScriptResult | undefined): Promise<string> {
    const { skills, redact } = this.#deps;
    const scope = job.workdir === undefined ? {} : { workspace: job.workdir };
    const loaded: LoadedSkill[] = [];
    for (const name of job.skills) loaded.push({ name, skill: await skills.find(name, scope) });
    return redact(toPrompt(job, result, loaded));
  }

  /** Stored before it is asked: whoever finds it so asks again, and the sink knows the key. */
  async #ask(job: Job, run: JobRun, question: string): Promise<void> {
    const { store, owner } = this.#deps;
    const asked: JobRun = { ...run, state: 'asked', question };
    if (!(await this.#stored(() => store.saveRun(asked, owner)))) return;
    if (this.#active.has(run.id)) this.#active.set(run.id, { job, run: asked });
    await this.#accept(job, asked, question);
  }

  async #accept(job: Job, run: JobRun, question: string): Promise<void> {
    await this.#stored(async () => this.#sink?.accept([this.#toMessage(job, run, question)]));
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

  #takeUp(job: Job, run: JobRun): void {
    const { conclude } = this.#deps;
    const { question } = run;
    switch (run.state) {
      case 'claimed':
        if (run.outcome === 'missed') this.tellMissed(job, run);
        else this.start(job, run);
        return;
      case 'preparing':
        if (job.schedule.kind === 'once' && run.attempts < 2)
          this.start(job, { ...run, state: 'claimed', attempts: run.attempts + 1 });
        else
          this.#see(run, () =>
            conclude(run.id, 'The gateway was stopped while its script ran.', 'interrupted'),
          );
        return;
      case 'asked':
        if (question !== undefined) this.#see(run, () => this.#accept(job, run, question));
        return;
      case 'concluding':
        // What it came to is stored, and wins.
        this.#see(run, () => conclude(run.id, '', 'interrupted'));
        return;
      case 'ended':
        this.ended(run.id);
        return;
      default:
        run.state satisfies never;
    }
  }
}
