import type { PlatformId } from '../core/ids.js';
import type { Agent, InactivityLimit, SystemPromptContext, TurnEnd, TurnEvent } from '../core/turn.js';
import { ActivityWatch } from './activity-watch.js';
import { AgentMemory } from './agent-memory.js';
import { EventQueue } from './event-queue.js';
import { buildSystemPrompt, type PromptSources, topicsFor } from './system-prompt.js';
import { runTurn } from './turn.js';
import type { TurnDeps } from './turn-run.js';

export { withFallback } from './providers/fallback.js';
export { createProvider, tryModel } from './providers/index.js';
export type { ProviderSettings, WarmProvider } from './providers/provider-definition.js';
export { createToolRegistry } from './tool-registry.js';

export interface AgentDeps extends TurnDeps {
  readonly prompt: PromptSources;
  /** Default: none. */
  readonly inactivity?: InactivityLimit;
  /** Whether the gateway delivers the files that an answer names; default true. */
  readonly mediaDelivery?: boolean;
  /** Absolute; told to the model. */
  readonly workspace?: string;
  /** The tools that a platform has now, of which those are offered that there are. Default: all. May not reject. */
  /** Runs a turn so that its tools work in `folder`; what runs beside it keeps its own. Default: just runs it. */
  readonly within?: <Result>(folder: string, turn: () => Promise<Result>) => Promise<Result>;
  readonly toolsOf?: (platform: PlatformId) => Promise<readonly string[]>;
}

export const createAgent = (deps: AgentDeps): Agent => {
  const memory = new AgentMemory();
  return {
    async *run(input, journal, { signal, logger }) {
      const events = new EventQueue<TurnEvent>();
      // One signal for all that can end the turn: joining several is the dearest part of a short one.
      const ending = new AbortController();
      const onAbort = (): void => ending.abort(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const limit = input.inactivity ?? deps.inactivity;
      const activity = new ActivityWatch(deps.clock, limit, (reason) => ending.abort(reason));
      let isOver = false;
      const { workspace } = input;
      const begin = (): Promise<TurnEnd> =>
        runTurn({
          ...deps,
          provider: deps.provider.forTurn?.() ?? deps.provider,
          logger,
          tools: deps.tools.only(input.tools),
          input,
          journal,
          memory,
          activity,
          signal: ending.signal,
          emit: (event) => events.push(event),
        });
      const within = workspace === undefined ? begin() : (deps.within?.(workspace, begin) ?? begin());
      const turn = within.then((end) => {
        activity.stop();
        signal.removeEventListener('abort', onAbort);
        isOver = true;
        events.push(end);
        events.close();
      });
      try {
        yield { type: 'turn-start', turn: input.turn };
        yield* events;
      } finally {
        // A turn that nobody reads any longer must not go on acting.
        if (!isOver) ending.abort(new Error('the turn is no longer followed'));
        await turn;
      }
    },
    systemPrompt: (context) => loadSystemPrompt(deps, context),
    async toolNames(platform) {
      return deps.tools.only(await deps.toolsOf?.(platform)).specs.map(({ name }) => name);
    },
  };
};

const loadSystemPrompt = async (
  { prompt, mediaDelivery = true, workspace }: AgentDeps,
  context: SystemPromptContext,
): Promise<string> => {
  const hasInstructions = context.isUnattended !== true || context.workspace !== undefined;
  const [soul, instructions, skills, kept] = await Promise.all([
    prompt.loadSoul(),
    hasInstructions ? prompt.loadInstructions(context.workspace) : undefined,
    prompt.loadSkills?.(context) ?? [],
    Promise.all(topicsFor(context).map(async (topic) => [topic, await prompt.loadMemory?.(topic)])),
  ]);
  const memory = Object.fromEntries(kept);
  return buildSystemPrompt({ soul, instructions, skills, memory, context, mediaDelivery, workspace });
};
