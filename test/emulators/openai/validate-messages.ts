import { emptyArray, invalid, missing, noMatch, type Refusal, tooLong, wrongType } from './api-errors.js';
import { isObject, type JsonObject } from './conversation.js';
import { checkFunctionName } from './validate-tools.js';

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const CONTENT_LIMIT = 10_485_760;
const CALL_ID_LIMIT = 40;
const NAME_LIMIT = 64;
const NAME_PATTERN = '^[^\\s<|\\\\/>]+$';
const NAME_REGEXP = new RegExp(NAME_PATTERN);

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'audio', 'function_call', 'annotations'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};
const PLAIN_FIELDS = ['role', 'content', 'name'];

const PART_TYPES: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};
const TEXT_ONLY = ['text'];

/** The calls of one assistant message that wait for their results. */
interface OpenCalls {
  readonly ids: ReadonlySet<string>;
  /** Call id → index of the message that answered it. */
  readonly answered: Map<string, number>;
}

/** Checks every message by itself, and that calls and results pair up in the order the API demands. */
export function checkMessages(messages: readonly unknown[]): Refusal | undefined {
  let open: OpenCalls | undefined;
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) return wrongType(`messages[${index}]`, 'an object', message);
    const refusal = checkMessage(message, index);
    if (refusal !== undefined) return refusal;
    if (message['role'] === 'tool') {
      const misplaced = takeResult(message, index, open);
      if (misplaced !== undefined) return misplaced;
      continue;
    }
    const unanswered = checkAnswered(open, index);
    if (unanswered !== undefined) return unanswered;
    open = undefined;
    if (message['role'] === 'assistant' && Array.isArray(message['tool_calls'])) {
      const ids = collectIds(message['tool_calls'], index, seen);
      if ('error' in ids) return ids;
      open = { ids: ids.ids, answered: new Map() };
    }
  }
  return checkAnswered(open, messages.length - 1);
}

function takeResult(message: JsonObject, index: number, open: OpenCalls | undefined): Refusal | undefined {
  const id = String(message['tool_call_id']);
  if (open === undefined) {
    const rule = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    return invalid(`Invalid parameter: ${rule}`, `messages.[${index}].role`);
  }
  const param = `messages.[${index}].tool_call_id`;
  if (!open.ids.has(id)) {
    return invalid(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      param,
    );
  }
  const before = open.answered.get(id);
  if (before !== undefined) {
    const places = `in messages[${before}] and messages[${index}]`;
    return invalid(`Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', ${places}.`, param);
  }
  open.answered.set(id, index);
  return undefined;
}

function checkAnswered(open: OpenCalls | undefined, index: number): Refusal | undefined {
  if (open === undefined || open.answered.size === open.ids.size) return undefined;
  const absent = [...open.ids].filter((id) => !open.answered.has(id));
  const rule =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  const which = `The following tool_call_ids did not have response messages: ${absent.join(', ')}`;
  return invalid(`${rule} ${which}`, `messages.[${index}].role`);
}

function collectIds(
  calls: readonly unknown[],
  index: number,
  seen: Set<string>,
): { readonly ids: ReadonlySet<string> } | Refusal {
  const ids = new Set<string>();
  for (const call of calls) {
    const id = isObject(call) ? String(call['id']) : '';
    if (seen.has(id)) {
      const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${index}].`;
      return invalid(message, `messages.[${index}].tool_calls`);
    }
    seen.add(id);
    ids.add(id);
  }
  return { ids };
}

function checkMessage(message: JsonObject, index: number): Refusal | undefined {
  const param = `messages[${index}]`;
  const { role } = message;
  if (role === undefined) return missing(`${param}.role`);
  if (typeof role !== 'string' || !ROLES.includes(role)) {
    const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    const text = `Invalid value: '${String(role)}'. Supported values are: ${supported}.`;
    return invalid(text, `${param}.role`, 'invalid_value');
  }
  const fields = FIELDS[role] ?? PLAIN_FIELDS;
  const unknown = Object.keys(message).find((name) => !fields.includes(name));
  if (unknown !== undefined) {
    return invalid(`Unknown parameter: '${param}.${unknown}'.`, `${param}.${unknown}`, 'unknown_parameter');
  }
  return (
    checkName(message['name'], `${param}.name`) ??
    (role === 'assistant' ? checkToolCalls(message['tool_calls'], `${param}.tool_calls`) : undefined) ??
    (role === 'tool' ? checkCallId(message['tool_call_id'], `${param}.tool_call_id`) : undefined) ??
    checkContent(message, role, index)
  );
}

function checkName(name: unknown, param: string): Refusal | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string') return wrongType(param, 'a string', name);
  if (name.length > NAME_LIMIT) return tooLong(param, NAME_LIMIT, name.length);
  return NAME_REGEXP.test(name) ? undefined : noMatch(param, NAME_PATTERN);
}

function checkToolCalls(calls: unknown, param: string): Refusal | undefined {
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls)) return wrongType(param, 'an array of objects', calls);
  if (calls.length === 0) return emptyArray(param);
  for (const [index, call] of calls.entries()) {
    const refusal = checkToolCall(call, `${param}[${index}]`);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkToolCall(call: unknown, param: string): Refusal | undefined {
  if (!isObject(call)) return wrongType(param, 'an object', call);
  const refusal = checkCallId(call['id'], `${param}.id`);
  if (refusal !== undefined) return refusal;
  if (call['type'] === undefined) return missing(`${param}.type`);
  if (call['type'] !== 'function') {
    const message = `Invalid value: '${String(call['type'])}'. Supported values are: 'function' and 'custom'.`;
    return invalid(message, `${param}.type`, 'invalid_value');
  }
  const called = call['function'];
  if (!isObject(called)) {
    return called === undefined
      ? missing(`${param}.function`)
      : wrongType(`${param}.function`, 'an object', called);
  }
  const nameRefusal = checkFunctionName(called['name'], `${param}.function.name`);
  if (nameRefusal !== undefined) return nameRefusal;
  const callArguments = called['arguments'];
  if (callArguments === undefined) return missing(`${param}.function.arguments`);
  if (typeof callArguments === 'string') return undefined;
  return wrongType(`${param}.function.arguments`, 'a string', callArguments);
}

function checkCallId(id: unknown, param: string): Refusal | undefined {
  if (id === undefined) return missing(param);
  if (typeof id !== 'string') return wrongType(param, 'a string', id);
  return id.length > CALL_ID_LIMIT ? tooLong(param, CALL_ID_LIMIT, id.length) : undefined;
}

function checkContent(message: JsonObject, role: string, index: number): Refusal | undefined {
  const { content } = message;
  const param = `messages[${index}].content`;
  if (typeof content === 'string') {
    return content.length > CONTENT_LIMIT ? tooLong(param, CONTENT_LIMIT, content.length) : undefined;
  }
  if (content === undefined || content === null) {
    const replaced =
      message['tool_calls'] ?? message['function_call'] ?? message['refusal'] ?? message['audio'];
    if (role === 'assistant' && replaced !== undefined) return undefined;
    if (content === undefined && role !== 'assistant') return missing(param);
    return invalid(
      "Invalid value for 'content': expected a string, got null.",
      `messages.[${index}].content`,
    );
  }
  if (!Array.isArray(content)) {
    return wrongType(param, 'one of a string or array of objects', content);
  }
  if (content.length === 0) return emptyArray(param);
  return checkParts(content, PART_TYPES[role] ?? TEXT_ONLY, param);
}

function checkParts(parts: readonly unknown[], types: readonly string[], param: string): Refusal | undefined {
  for (const [index, part] of parts.entries()) {
    const partParam = `${param}[${index}]`;
    if (!isObject(part)) return wrongType(partParam, 'an object', part);
    const type = part['type'];
    if (type === undefined) return missing(`${partParam}.type`);
    if (typeof type !== 'string' || !types.includes(type)) {
      const supported = types.map((name) => `'${name}'`).join(', ');
      const message = `Invalid value: '${String(type)}'. Supported values are: ${supported}.`;
      return invalid(message, `${partParam}.type`, 'invalid_value');
    }
    if (type === 'text' && typeof part['text'] !== 'string') {
      const { text } = part;
      return text === undefined
        ? missing(`${partParam}.text`)
        : wrongType(`${partParam}.text`, 'a string', text);
    }
  }
  return undefined;
}
