/** Turns for programs, which bring their whole conversation and take the answer: no session, no outbox, nobody to ask. */
import type { Clock } from '../core/clock.js';
import {
  type CompletionEvent,
  type CompletionRequest,
  type CompletionService,
  restOf,
} from '../core/completion.js';
import { type IdSource, toAccountId, toChatId, toPlatformId, toUserId } from '../core/ids.js';
import type { Logger } from '../core/logger.js';
import type { Agent, TurnInput, TurnJournal } from '../core/turn.js';
import { RedactStream } from './outbound/redact-stream.js';
import type { GatewaySettings } from './settings.js';

/** No adapter serves it, so that nothing can be sent to it and nobody asked on it. */
const programs = toPlatformId('api');

interface CompletionDeps {
  readonly agent: Agent;
  readonly settings: Pick<GatewaySettings, 'model' | 'maxSteps' | 'contextTokens'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
}

/** A program that loses its connection asks again; nothing of the turn is kept for then. */
const forgetful: TurnJournal = {
  step: async () => {},
  callBegun: async () => {},
  result: async () => {},
  takeSteering: async () => [],
  compact: async () => {},
};

const toInput = async (
  { model, instructions, messages }: CompletionRequest,
  { agent, settings, ids }: CompletionDeps,
): Promise<TurnInput> => {
  const own = await agent.systemPrompt({
    platformTitle: 'an OpenAI-compatible client',
    chatKind: 'direct',
    renderingHint: 'What you write is Markdown.',
  });
  const turn = ids.next('turn');
  const chat = toChatId(turn);
  return {
    turn,
    session: ids.next('session'),
    model: model ?? settings.model.name,
    system: instructions === '' ? own : `${own}\n\n${instructions}`,
    tools: await agent.toolNames(programs),
    history: messages,
    openCalls: [],
    caller: {
      origin: { platform: programs, account: toAccountId('http'), chat, chatKind: 'direct' },
      // Whoever may call is the owner: the same token opens the page.
      user: toUserId('owner'),
      isOwner: true,
    },
    correlation: ids.next('correlation'),
    maxSteps: settings.maxSteps,
    contextTokens: settings.contextTokens,
  };
};

export const createCompletions = (deps: CompletionDeps): CompletionService => {
  const { agent, settings, clock, logger, redact } = deps;

  async function* complete(
    request: CompletionRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<CompletionEvent, void, undefined> {
    const startedAt = clock.now();
    const input = await toInput(request, deps);
    const own = logger.child({ turn: input.turn, correlation: input.correlation });
    const stream = new RedactStream(redact);
    let shown = '';
    for await (const event of agent.run(input, forgetful, { signal, logger: own })) {
      let text = '';
      switch (event.type) {
        case 'text-delta':
          text = stream.push(event.text);
          break;
        case 'text-reset':
          // What is gone cannot be taken back; what comes stands apart from it.
          stream.reset();
          text = shown === '' ? '' : '\n\n';
          shown = '';
          break;
        case 'step-end':
          text = stream.end();
          if (shown + text !== '') text += '\n\n';
          shown = '';
          break;
        case 'turn-end': {
          const end = { ...event, text: redact(event.text) };
          text = stream.end();
          text += restOf(shown + text, end.text);
          if (text !== '') yield { type: 'text', text };
          const { reason, steps, usage, error } = event;
          const durationMs = clock.now() - startedAt;
          own.info({ platform: programs, reason, durationMs, steps, usage, error }, 'turn ended');
          yield { type: 'end', end };
          return;
        }
        default:
          continue;
      }
      if (event.type === 'text-delta') shown += text;
      if (text !== '') yield { type: 'text', text };
    }
  }

  return { complete, models: () => [settings.model.name] };
};
