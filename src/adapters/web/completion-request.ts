/** Bodies of OpenAI's chat completions to what the agent is asked. Pure. */
import * as z from 'zod';
import type { CompletionRequest } from '../../core/completion.js';
import type { ModelMessage } from '../../core/provider.js';
import { toStorableText } from './encode.js';
import { type Checked, failed, passed } from './http-problem.js';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(z.union([textPart, z.object({ type: z.string() })])), z.null()]);

/** What is not named here, such as a temperature, has no meaning for an agent and is passed over. */
const completionBody = z.object({
  model: z.string().optional(),
  messages: z
    .array(z.object({ role: z.string(), content: content.optional(), tool_calls: z.unknown().optional() }))
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  n: z.number().nullish(),
  tools: z.array(z.unknown()).nullish(),
});

export interface AskedCompletion {
  readonly request: CompletionRequest;
  readonly isStreamed: boolean;
  readonly hasUsage: boolean;
}

type Message = z.output<typeof completionBody>['messages'][number];

const unsupported = (what: string) => failed(400, 'unsupported', what);

const textOf = ({ content: given }: Message): Checked<string> => {
  if (given === undefined || given === null) return passed('');
  if (typeof given === 'string') return passed(toStorableText(given));
  const texts: string[] = [];
  for (const part of given) {
    if (!('text' in part))
      return unsupported(`A part of the type '${part.type}' cannot be taken here. Send text alone.`);
    texts.push(part.text);
  }
  return passed(toStorableText(texts.join('\n')));
};

const readMessages = (messages: readonly Message[]): Checked<Omit<CompletionRequest, 'model'>> => {
  const instructions: string[] = [];
  const conversation: ModelMessage[] = [];
  for (const message of messages) {
    const text = textOf(message);
    if (!text.ok) return text;
    switch (message.role) {
      case 'system':
      case 'developer':
        instructions.push(text.value);
        break;
      case 'user':
        conversation.push({ role: 'user', text: text.value });
        break;
      case 'assistant':
        conversation.push({ role: 'assistant', text: text.value, toolCalls: [] });
        break;
      default:
        return unsupported(
          `A message of the role '${message.role}' cannot be taken: the agent calls its own tools.`,
        );
    }
  }
  const last = conversation.at(-1);
  if (last?.role !== 'user' || last.text.trim() === '')
    return failed(400, 'invalid-request', 'The last message has to be one of the role user, with a text.');
  return passed({ instructions: instructions.join('\n\n'), messages: conversation });
};

export const parseCompletion = (body: unknown): Checked<AskedCompletion> => {
  const parsed = completionBody.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') || 'the body';
    return failed(
      400,
      'invalid-request',
      `${path} is not right: ${issue?.message ?? 'invalid'}. Send a body as for OpenAI's chat completions.`,
    );
  }
  const { model, messages, stream, stream_options: options, n, tools } = parsed.data;
  if ((n ?? 1) !== 1) return unsupported('Only one choice can be had: leave n out.');
  if (tools !== null && tools !== undefined && tools.length > 0)
    return unsupported('The agent has tools of its own: leave tools out.');
  const read = readMessages(messages);
  if (!read.ok) return read;
  const named = model === undefined || model === '' ? {} : { model };
  return passed({
    request: { ...named, ...read.value },
    isStreamed: stream === true,
    hasUsage: options?.include_usage === true,
  });
};
