import type { ToolCallId } from '../../src/core/ids.js';
import type { Category } from '../../src/core/permission.js';
import type {
  AssistantMessage,
  ModelMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '../../src/core/provider.js';
import type { OpenCall, TurnJournal } from '../../src/core/turn.js';

type Entry =
  | { readonly type: 'step'; readonly message: AssistantMessage }
  | { readonly type: 'begun'; readonly call: ToolCallId; readonly category: Category }
  | { readonly type: 'result'; readonly message: ToolMessage; readonly notice?: string | undefined };

interface JournalOptions {
  /** What joins before the first, second … model call. */
  readonly steering?: readonly (readonly string[])[];
  /** Entries of this type are refused. */
  readonly refuse?: { readonly type: Entry['type']; readonly error: Error };
}

/** Keeps a turn's record in memory, and what a restart would find in it. */
export class MemoryJournal implements TurnJournal {
  readonly entries: Entry[] = [];
  /** The stored messages in the order they were stored. */
  readonly messages: ModelMessage[] = [];
  readonly compactions: { readonly keep: number; readonly summary: string }[] = [];
  readonly #steering: (readonly string[])[];
  readonly #refuse: JournalOptions['refuse'];

  constructor({ steering = [], refuse }: JournalOptions = {}) {
    this.#steering = [...steering];
    this.#refuse = refuse;
  }

  async step(message: AssistantMessage): Promise<void> {
    this.#add({ type: 'step', message });
    this.messages.push(message);
  }

  async callBegun(call: ToolCall, category: Category): Promise<void> {
    this.#add({ type: 'begun', call: call.id, category });
  }

  async result(message: ToolMessage, notice?: string): Promise<void> {
    this.#add({ type: 'result', message, notice });
    this.messages.push(message);
  }

  async takeSteering(): Promise<readonly UserMessage[]> {
    const joined = (this.#steering.shift() ?? []).map((text): UserMessage => ({ role: 'user', text }));
    this.messages.push(...joined);
    return joined;
  }

  async compact(compaction: { readonly keep: number; readonly summary: string }): Promise<void> {
    this.compactions.push(compaction);
  }

  get results(): readonly ToolMessage[] {
    return this.entries.flatMap((entry) => (entry.type === 'result' ? [entry.message] : []));
  }

  /** What people were told beside results. */
  get notices(): readonly string[] {
    return this.entries.flatMap((entry) => (entry.type === 'result' ? (entry.notice ?? []) : []));
  }

  /** `step`, `begun c1`, `result c1` …, to compare orders. */
  get order(): readonly string[] {
    return this.entries.map((entry) => {
      if (entry.type === 'step') return 'step';
      return entry.type === 'begun' ? `begun ${entry.call}` : `result ${entry.message.call}`;
    });
  }

  /** Calls of the last step without a result, as they would be found after a crash. */
  get openCalls(): readonly OpenCall[] {
    const step = this.entries.findLast((entry) => entry.type === 'step');
    const calls = step?.message.toolCalls ?? [];
    return calls
      .filter((call) => !this.results.some((result) => result.call === call.id))
      .map((call): OpenCall => {
        const begun = this.entries.find((entry) => entry.type === 'begun' && entry.call === call.id);
        return begun?.type === 'begun'
          ? { call, isBegun: true, category: begun.category }
          : { call, isBegun: false };
      });
  }

  #add(entry: Entry): void {
    if (this.#refuse?.type === entry.type) throw this.#refuse.error;
    this.entries.push(entry);
  }
}
