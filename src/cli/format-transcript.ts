/** Conversations as files: lines of JSON for programs, Markdown for people. Pure. */
import type { SessionOverview, StoredMessage } from '../core/archive.js';
import { formatLocalTime } from '../core/local-time.js';
import type { ListedSession } from '../core/session-service.js';

/** Times as programs read them; null where it was not kept. */
const toIso = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());

const sessionLine = ({ id, key, place, title, createdAt, usedAt, messages, usage }: ListedSession) => ({
  type: 'session',
  id,
  key,
  place,
  title,
  createdAt: toIso(createdAt),
  usedAt: toIso(usedAt),
  messages,
  usage,
});

/** One line for the conversation, one for each message. */
export const toJsonLines = (session: ListedSession, messages: readonly StoredMessage[]): string =>
  [
    sessionLine(session),
    ...messages.map(({ message, turn, at }) => ({
      type: 'message',
      session: session.id,
      turn,
      at: toIso(at),
      ...message,
    })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** A code block that its text cannot end. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

const speakers = { user: 'User', assistant: 'Assistant', tool: 'Tool result' } as const;

const toBlock = ({ message, at }: StoredMessage, timezone: string | undefined): string => {
  const time = at === 0 ? '' : `, ${formatLocalTime(at, timezone)}`;
  const calls =
    message.role === 'assistant'
      ? message.toolCalls.map(({ name, argumentsText }) => `Called ${name}:\n\n${fenced(argumentsText)}`)
      : [];
  const text = message.role === 'tool' ? fenced(message.text) : message.text;
  return [`## ${speakers[message.role]}${time}`, ...(text === '' ? [] : [text]), ...calls].join('\n\n');
};

export const titleOf = ({ title }: Pick<SessionOverview, 'title'>): string =>
  title === '' ? '(nothing said yet)' : title;

/** `messages` may be a part of it. Ends with a line break. */
export const toMarkdown = (
  session: ListedSession,
  messages: readonly StoredMessage[],
  timezone: string | undefined,
): string => {
  const facts = [
    `- Id: ${session.id}`,
    `- Place: ${session.place}`,
    `- Begun: ${formatLocalTime(session.createdAt, timezone)}`,
    `- Last used: ${formatLocalTime(session.usedAt, timezone)}`,
    `- Messages: ${session.messages}`,
  ].join('\n');
  const blocks = messages.map((message) => toBlock(message, timezone));
  return `${[`# ${titleOf(session)}`, facts, ...blocks].join('\n\n')}\n`;
};
