/** Reads what a request says. Everything takes unknown input, because refused requests are read too. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function messagesOf(body: unknown): readonly JsonObject[] {
  const messages = isObject(body) ? body['messages'] : undefined;
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

/** The text of a content member: a string, or the text parts of a list, one a line. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content) {
    if (isObject(part) && typeof part['text'] === 'string') texts.push(part['text']);
  }
  return texts.join('\n');
}

export function lastUserText(messages: readonly JsonObject[]): string {
  const last = messages.findLast((message) => message['role'] === 'user');
  return last === undefined ? '' : textOf(last['content']);
}

/** The user texts after the last assistant message; while a tool loop runs, the ones before it. */
export function unansweredUserTexts(messages: readonly JsonObject[]): readonly string[] {
  const texts: string[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.['role'] === 'user') texts.unshift(textOf(message['content']));
    else if (message?.['role'] === 'assistant' && texts.length > 0) break;
  }
  return texts;
}

/** The tool results after the last assistant message. */
export function freshToolResults(messages: readonly JsonObject[]): readonly string[] {
  const texts: string[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.['role'] === 'assistant') break;
    if (message?.['role'] === 'tool') texts.unshift(textOf(message['content']));
  }
  return texts;
}

/** Characters of everything the model would read: contents, tool calls and tool definitions. */
export function promptLength(body: JsonObject): number {
  let length = body['tools'] === undefined ? 0 : JSON.stringify(body['tools']).length;
  for (const message of messagesOf(body)) {
    length += textOf(message['content']).length;
    if (message['tool_calls'] !== undefined) length += JSON.stringify(message['tool_calls']).length;
  }
  return length;
}
