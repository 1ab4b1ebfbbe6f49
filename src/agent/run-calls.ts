import type { ToolCall, ToolMessage } from '../core/provider.js';
import type { TurnJournal } from '../core/turn.js';
import { type PreparedCall, type PrepareOptions, prepareCall, runCall } from './run-call.js';
import type { TurnRun } from './turn-run.js';

/** More calls of one step than this wait for each other, so that a confused model cannot open hundreds of files. */
const maxSideBySide = 8;

/**
 * Runs the calls of one step: neighbours that may run side by side do, an exclusive one runs alone. Results are
 * recorded and returned in the order of the calls, each as soon as those before it are. After an abort every call still
 * has its result. Rejects only if the journal does, and not before the calls under way have ended.
 */
export const runCalls = async (
  run: TurnRun,
  calls: readonly ToolCall[],
  options: PrepareOptions,
): Promise<readonly ToolMessage[]> => {
  const prepared = calls.map((call) => prepareCall(run, call, options));
  const results = new OrderedResults(run.journal);
  let index = 0;
  for (const group of toGroups(prepared)) {
    const first = index;
    index += group.length;
    await allEnded(group.map(async (call, offset) => results.put(first + offset, await runCall(run, call))));
  }
  return results.recorded;
};

const mayRunBeside = ({ plan }: PreparedCall): boolean =>
  plan.kind === 'refuse' || plan.tool.mode === 'parallel';

const toGroups = (prepared: readonly PreparedCall[]): readonly (readonly PreparedCall[])[] => {
  const groups: PreparedCall[][] = [];
  let isOpen = false;
  for (const call of prepared) {
    const last = groups.at(-1);
    const isParallel = mayRunBeside(call);
    if (last !== undefined && isOpen && isParallel && last.length < maxSideBySide) last.push(call);
    else groups.push([call]);
    isOpen = isParallel;
  }
  return groups;
};

/** Unlike Promise.all, leaves nobody running behind its back. */
const allEnded = async (work: readonly Promise<void>[]): Promise<void> => {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/** Hands results to the journal in the order of the calls, one at a time. */
class OrderedResults {
  readonly recorded: ToolMessage[] = [];
  readonly #journal: TurnJournal;
  readonly #waiting = new Map<number, ToolMessage>();
  #tail: Promise<void> = Promise.resolve();

  constructor(journal: TurnJournal) {
    this.#journal = journal;
  }

  put(index: number, message: ToolMessage): Promise<void> {
    this.#waiting.set(index, message);
    this.#tail = this.#tail.then(() => this.#flush());
    return this.#tail;
  }

  async #flush(): Promise<void> {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      await this.#journal.result(next);
      this.recorded.push(next);
    }
  }

  #take(): ToolMessage | undefined {
    const index = this.recorded.length;
    const message = this.#waiting.get(index);
    this.#waiting.delete(index);
    return message;
  }
}
