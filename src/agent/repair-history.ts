import { type ToolCallId, toToolCallId } from '../core/ids.js';
import type { AssistantMessage, ModelMessage, ToolCall, ToolMessage } from '../core/provider.js';
import { isCompleteObject, parseArguments } from './parse-arguments.js';

/** What a call whose result was lost is answered with. */
export const lostResultText =
  'No result was recorded: the work was interrupted. Whether the call had an effect is unknown.';

interface Slot {
  readonly call: ToolCall;
  result: ToolMessage | undefined;
}

/** An assistant message with its calls, or any other message. */
type Entry =
  | { readonly message: Exclude<ModelMessage, ToolMessage>; readonly slots?: undefined }
  | { readonly message: AssistantMessage; readonly slots: readonly Slot[] };

/**
 * Makes a stored history acceptable to every model service, whatever a crash, an abort or another service left in it.
 * 1. Each call has exactly one result, right behind its message and in the order of the calls.
 * 2. A result without a call is left out; so is a call that was cut off in its arguments and never answered.
 * 3. Arguments are JSON objects; call ids never repeat.
 * 4. No assistant message is empty.
 * Pure, and a repaired history is not changed by another repair.
 */
export const repairHistory = (messages: readonly ModelMessage[]): readonly ModelMessage[] => {
  const used = new Set<string>();
  return pairResults(messages).flatMap((entry) =>
    entry.slots === undefined ? [entry.message] : toMessages(entry, used),
  );
};

/** A call with arguments that every service can read: what cannot be read becomes an empty object. */
export const withReadableArguments = (call: ToolCall): ToolCall => {
  if (isCompleteObject(call.argumentsText)) return call;
  const parsed = parseArguments(call.argumentsText);
  return { ...call, argumentsText: parsed.ok ? JSON.stringify(parsed.value) : '{}' };
};

const pairResults = (messages: readonly ModelMessage[]): readonly Entry[] => {
  const entries: Entry[] = [];
  // The newest call of an id: a service may use the same ids in every turn.
  const open = new Map<ToolCallId, Slot>();
  for (const message of messages) {
    if (message.role === 'user') entries.push({ message });
    else if (message.role === 'tool') answer(open, message);
    else {
      const slots = message.toolCalls.map((call): Slot => ({ call, result: undefined }));
      for (const slot of slots) open.set(slot.call.id, slot);
      entries.push({ message, slots });
    }
  }
  return entries;
};

const answer = (open: ReadonlyMap<ToolCallId, Slot>, message: ToolMessage): void => {
  const slot = open.get(message.call);
  if (slot !== undefined) slot.result ??= message;
};

const toMessages = (
  { message, slots }: { readonly message: AssistantMessage; readonly slots: readonly Slot[] },
  used: Set<string>,
): readonly ModelMessage[] => {
  const kept = slots.filter(isWorthKeeping).map(({ call, result }) => {
    const id = unusedId(call.id, used);
    return {
      call: { ...withReadableArguments(call), id },
      result: { ...(result ?? lostResult), call: id },
    };
  });
  if (kept.length === 0 && message.text.trim() === '') return [];
  return [{ ...message, toolCalls: kept.map(({ call }) => call) }, ...kept.map(({ result }) => result)];
};

const lostResult = { role: 'tool', text: lostResultText, isError: true } as const;

const isWorthKeeping = ({ call, result }: Slot): boolean =>
  call.name !== '' && (result !== undefined || parseArguments(call.argumentsText).ok);

const unusedId = (id: ToolCallId, used: Set<string>): ToolCallId => {
  let candidate: string = id;
  for (let count = 2; used.has(candidate); count += 1) candidate = `${id.slice(0, 32)}-${count}`;
  used.add(candidate);
  return toToolCallId(candidate);
};
