import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { StoredFile } from '../../../core/parts.js';
import type {
  ModelMessage,
  ModelRequest,
  ToolCall,
  ToolMessage,
  ToolSpec,
  UserMessage,
} from '../../../core/provider.js';

const maxNameLength = 64;

type Pictures = NonNullable<ModelRequest['pictures']>;
type UserContent = ChatCompletionUserMessageParam['content'];

/**
 * Total: what the service would refuse for its form is made acceptable: odd names, and half a character, as a cut text or
 * a model's escape leaves it.
 */
export const toRequestBody = ({
  model,
  system,
  messages,
  tools,
  pictures = new Map(),
}: ModelRequest): ChatCompletionCreateParamsStreaming => ({
  model,
  messages: [{ role: 'system', content: system.toWellFormed() }, ...toMessages(messages, pictures)],
  stream: true,
  stream_options: { include_usage: true },
  // An empty list is refused.
  ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
});

/**
 * A result cannot hold pictures in this dialect, and results stand together behind their calls: so the pictures come
 * behind the last of them, in a message of their own.
 */
const toMessages = (
  messages: readonly ModelMessage[],
  pictures: Pictures,
): readonly ChatCompletionMessageParam[] => {
  const all: ChatCompletionMessageParam[] = [];
  let waiting: StoredFile[] = [];
  const showWaiting = (): void => {
    if (waiting.length === 0) return;
    const names = waiting.map(({ fileName }) => fileName).join(', ');
    const text = `[What the tools showed, in this order: ${names}]`;
    all.push({ role: 'user', content: toContent({ role: 'user', text, images: waiting }, pictures) });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') showWaiting();
    all.push(toMessage(message, pictures));
    if (message.role === 'tool') waiting.push(...(message.images ?? []).filter((file) => pictures.has(file)));
  }
  showWaiting();
  return all;
};

const toMessage = (message: ModelMessage, pictures: Pictures): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: toContent(message, pictures) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.call, content: resultText(message).toWellFormed() };
    case 'assistant': {
      const content = message.text.toWellFormed();
      if (message.toolCalls.length === 0) return { role: 'assistant', content };
      // No text is spelled null here, as the service itself answers it.
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: message.toolCalls.map(toCall),
      };
    }
  }
};

/** A list only where there are pictures: services that see none mostly take nothing but a string. */
const toContent = ({ text, images = [] }: UserMessage, pictures: Pictures): UserContent => {
  const shown = images.flatMap((file) => pictures.get(file) ?? []);
  const words = text.toWellFormed();
  if (shown.length === 0) return words;
  return [
    ...(words === '' ? [] : [{ type: 'text' as const, text: words }]),
    ...shown.map(({ mimeType, base64 }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mimeType};base64,${base64}` },
    })),
  ];
};

/** The dialect has no field for a failure, so the text has to say it. */
const resultText = ({ text, isError }: ToolMessage): string =>
  isError && !/^error\b/iu.test(text) ? `Error: ${text}` : text;

const toCall = ({ id, name, argumentsText }: ToolCall) => ({
  id,
  type: 'function' as const,
  function: {
    name: name.replace(/[^\w-]/gu, '_').slice(0, maxNameLength) || 'unknown',
    arguments: argumentsText.toWellFormed(),
  },
});

const toTool = ({ name, description, parameters }: ToolSpec): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
});
