import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type {
  AssistantMessage,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ToolCall,
} from '../../core/provider.js';
import type { DemoCall, WarmProvider } from './provider-definition.js';

export interface OfflinePorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly demoCalls?: readonly DemoCall[];
}

const maxQuotedLines = 20;
const wordWithBlanks = /\s*\S+\s*/gu;
const slowWordMs = 150;

const slowStory = `A long answer looks like this: it grows while it is written, word by word, and you need not wait for its end. Write something while it grows, and I hear of it at my next step. Press Stop, or write \`/stop\`, and it ends where it is; what was said so far stays. A real model answers at its own pace, sometimes slower than this and mostly faster.`;

const connectHint = `To connect a real model, put its key into \`.env\` in the gateway's home (\`~/.hermes\`, unless HERMES_HOME says otherwise) or into the environment:

\`\`\`sh
OPENAI_API_KEY=…
\`\`\`

or name a service in \`config.yaml\` beside it (any that speaks the OpenAI dialect):

\`\`\`yaml
model:
  provider: openai
  default: gpt-4.1-mini
  base_url: https://api.openai.com/v1
  api_key: …
\`\`\`

The gateway notices by itself.`;

/**
 * The built-in stand-in for a model: scripted, in process, without memory or understanding, and it says so. It streams
 * in words and can call tools, so that the whole path of an answer can be seen without any account.
 */
export const createOfflineProvider = ({ clock, ids, demoCalls = [] }: OfflinePorts): WarmProvider => ({
  name: 'offline',
  isDemo: true,
  warmUp: () => Promise.resolve(),
  async *stream(request, { signal }) {
    signal.throwIfAborted();
    const { text, toolCalls, wordMs } = toAnswer(request, ids, demoCalls);
    for (const delta of text.match(wordWithBlanks) ?? []) {
      yield { type: 'text-delta', text: delta };
      signal.throwIfAborted();
      if (wordMs !== undefined) await clock.sleep(wordMs, { signal });
    }
    yield toDone(request, text, toolCalls);
  },
});

interface Answer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Between two words; absent: as fast as it goes. */
  readonly wordMs?: number;
}

const toAnswer = (request: ModelRequest, ids: IdSource, demoCalls: readonly DemoCall[]): Answer => {
  const results = freshResults(request.messages);
  if (results.length > 0) return { text: results.map(tellResult).join('\n\n'), toolCalls: [] };
  const asked = request.messages.findLast((message) => message.role === 'user')?.text.trim() ?? '';
  if (/^slow\b/iu.test(asked)) return { text: slowStory, toolCalls: [], wordMs: slowWordMs };
  for (const demo of demoCalls) {
    const match = demo.pattern.exec(asked);
    const call = match === null ? undefined : demo.toCall(match);
    if (call === undefined || !request.tools.some((tool) => tool.name === call.name)) continue;
    const argumentsText = JSON.stringify(call.arguments);
    return {
      text: 'Let me do that.',
      toolCalls: [{ id: ids.next('tool-call'), name: call.name, argumentsText }],
    };
  }
  return { text: talk(request.messages, asked, demoCalls), toolCalls: [] };
};

/** The results that came after the last answer. */
const freshResults = (messages: readonly ModelMessage[]) => {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(last + 1).filter((message) => message.role === 'tool');
};

const tellResult = ({ text, isError }: { readonly text: string; readonly isError: boolean }): string => {
  const lines = text.split('\n');
  const shown = lines.slice(0, maxQuotedLines).map((line) => `> ${line}`);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`> … ${rest} more lines`] : [];
  const opening = isError ? 'The tool could not do that:' : 'The tool answered:';
  return [opening, '', ...shown, ...more].join('\n');
};

const talk = (messages: readonly ModelMessage[], asked: string, demoCalls: readonly DemoCall[]): string => {
  const quoted = asked
    .split('\n')
    .slice(0, maxQuotedLines)
    .map((line) => `> ${line}`)
    .join('\n');
  const isFirst = !messages.some((message) => message.role === 'assistant');
  const wantsHelp = /^\/?(?:help|hilfe|hello|hallo|hi)\b/iu.test(asked);
  if (!isFirst && !wantsHelp)
    return `You wrote:\n\n${quoted}\n\nI am only the **scripted demo**, so this is all I can say. Write \`help\` to see how to connect a real model.`;
  const examples = demoCalls.map(({ example }) => `- \`${example}\` to watch me use a tool`);
  const tools = ['You can write:\n', ...examples, '- `slow` to see an answer grow', '\n'].join('\n');
  return `Hello! I am a **scripted demo**, not a real model: I understand nothing and only show that messages come and go.\n\nYou wrote:\n\n${quoted}\n\n${tools}${connectHint}`;
};

const toDone = (request: ModelRequest, text: string, toolCalls: readonly ToolCall[]): ModelEvent => {
  const message: AssistantMessage = { role: 'assistant', text, toolCalls };
  const words = (texts: readonly string[]): number => texts.join(' ').split(/\s+/u).length;
  return {
    type: 'done',
    stop: toolCalls.length > 0 ? 'tool-calls' : 'end',
    message,
    usage: {
      inputTokens: words([request.system, ...request.messages.map((each) => each.text)]),
      outputTokens: words([text]),
    },
  };
};
