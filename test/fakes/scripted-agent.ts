/** An agent that does what the test says, one script a turn; those without a script repeat what they were asked. */
import { EventQueue } from '../../src/agent/event-queue.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { AssistantMessage, ToolCall, UserMessage } from '../../src/core/provider.js';
import type { Agent, TurnEnd, TurnEvent, TurnInput, TurnJournal } from '../../src/core/turn.js';

/** One turn under way. */
export interface Stage {
  readonly input: TurnInput;
  readonly journal: TurnJournal;
  readonly signal: AbortSignal;
  show(event: TurnEvent): void;
  /** A piece of the answer. */
  type(text: string): void;
  /** A step that says `text` and calls a tool that writes; resolves with what joined after it. */
  step(text: string, effect?: () => Promise<void>): Promise<readonly UserMessage[]>;
  /** Until the test lets go; rejects when the turn is aborted. */
  held(): Promise<void>;
}

/** Resolves with the answer; a rejection is a bug of the agent, an abort ends the turn as cancelled. */
export type TurnScript = (stage: Stage) => Promise<string>;

const lastUserText = ({ history }: TurnInput): string =>
  history.findLast((message) => message.role === 'user')?.text ?? '';

const echo: TurnScript = async ({ input }) => `echo: ${lastUserText(input)}`;

export class ScriptedAgent implements Agent {
  /** What the turns were given, in the order they began. */
  readonly inputs: TurnInput[] = [];
  readonly #scripts: TurnScript[];
  readonly #held: (() => void)[] = [];
  #permits = 0;
  #systemPrompt: () => Promise<string> = async () => 'You are scripted.';

  constructor(...scripts: readonly TurnScript[]) {
    this.#scripts = [...scripts];
  }

  add(...scripts: readonly TurnScript[]): void {
    this.#scripts.push(...scripts);
  }

  setSystemPrompt(create: () => Promise<string>): void {
    this.#systemPrompt = create;
  }

  /** Turns that wait to be let go. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Lets the turn go that has waited longest, or the next one that would wait. */
  release(): void {
    const next = this.#held.shift();
    if (next === undefined) this.#permits += 1;
    else next();
  }

  /** Turns that were held belong to a life that is over. */
  forgetHeld(): void {
    this.#held.length = 0;
  }

  systemPrompt(): Promise<string> {
    return this.#systemPrompt();
  }

  async toolNames(): Promise<readonly string[]> {
    return ['write_it'];
  }

  async *run(
    input: TurnInput,
    journal: TurnJournal,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<TurnEvent, void, undefined> {
    this.inputs.push(input);
    const script = this.#scripts.shift() ?? echo;
    const events = new EventQueue<TurnEvent>();
    let typed = '';
    const show = (event: TurnEvent): void => {
      if (event.type === 'text-delta') typed += event.text;
      events.push(event);
    };
    const stage = this.#createStage(input, journal, signal, show);
    const work = script(stage)
      .then((text): TurnEnd => endOf(input, 'end_turn', text, { role: 'assistant', text, toolCalls: [] }))
      .catch((error: unknown): TurnEnd => {
        if (!signal.aborted || error !== signal.reason) throw error;
        const partial = { role: 'assistant', text: typed, toolCalls: [], isPartial: true } as const;
        return endOf(input, 'cancelled', '', typed === '' ? undefined : partial);
      })
      .finally(() => events.close());
    // Whoever reads the events sees the rejection.
    work.catch(() => undefined);
    yield { type: 'turn-start', turn: input.turn };
    yield* events;
    yield await work;
  }

  #createStage(
    input: TurnInput,
    journal: TurnJournal,
    signal: AbortSignal,
    show: (event: TurnEvent) => void,
  ): Stage {
    const { turn } = input;
    let stepCount = 0;
    return {
      input,
      journal,
      signal,
      show,
      type: (text) => show({ type: 'text-delta', turn, text }),
      step: async (text, effect = async () => undefined) => {
        stepCount += 1;
        const call = aWrite(`${turn}-call-${stepCount}`);
        await journal.step({ role: 'assistant', text, toolCalls: [call] });
        show({ type: 'step-end', turn, text });
        await journal.callBegun(call, 'write');
        await effect();
        signal.throwIfAborted();
        await journal.result({ role: 'tool', call: call.id, text: 'done', isError: false });
        const joined = await journal.takeSteering();
        signal.throwIfAborted();
        return joined;
      },
      held: () =>
        new Promise<void>((resolve, reject) => {
          signal.throwIfAborted();
          if (this.#permits > 0) {
            this.#permits -= 1;
            return resolve();
          }
          this.#held.push(resolve);
          signal.addEventListener(
            'abort',
            () => {
              const index = this.#held.indexOf(resolve);
              if (index !== -1) this.#held.splice(index, 1);
              reject(signal.reason);
            },
            { once: true },
          );
        }),
    };
  }
}

const aWrite = (id: string): ToolCall => ({ id: toToolCallId(id), name: 'write_it', argumentsText: '{}' });

const endOf = (
  { turn }: TurnInput,
  reason: TurnEnd['reason'],
  text: string,
  message: AssistantMessage | undefined,
): TurnEnd => ({
  type: 'turn-end',
  turn,
  reason,
  text,
  ...(message !== undefined && { message }),
  usage: { inputTokens: 1, outputTokens: 1 },
  steps: 1,
});
