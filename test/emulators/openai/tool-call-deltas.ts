import type { JsonObject } from './conversation.js';
import type { ToolCallStyle } from './script.js';

/** A call whose id is settled; null leaves the id out. */
export interface IssuedCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

const DEFAULT_FRAGMENT_SIZE = 12;

/** Cuts at characters, never inside one: a half character in JSON would be an escape that no server sends. */
export function pieces(text: string, size: number): string[] {
  const characters = Array.from(text);
  const cut: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    cut.push(characters.slice(start, start + size).join(''));
  }
  return cut;
}

/** The deltas of parallel calls in the order they are sent, one for each chunk. */
export function toToolCallDeltas(calls: readonly IssuedCall[], style: ToolCallStyle): JsonObject[] {
  const lists = calls.map((call, index) => toDeltas(call, index, style));
  if (style.interleaved !== true) return lists.flat();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const alternating: JsonObject[] = [];
  for (let round = 0; round < longest; round += 1) {
    for (const list of lists) {
      const delta = list[round];
      if (delta !== undefined) alternating.push(delta);
    }
  }
  return alternating;
}

function toDeltas(call: IssuedCall, position: number, style: ToolCallStyle): JsonObject[] {
  const identity = call.id === null ? {} : { id: call.id };
  const index = style.index === 'missing' ? {} : { index: style.index === 'zero' ? 0 : position };
  const whole = { ...index, ...identity, type: 'function' };
  if (style.identity === 'whole')
    return [{ ...whole, function: { name: call.name, arguments: call.arguments } }];
  const fragments = pieces(call.arguments, style.fragmentSize ?? DEFAULT_FRAGMENT_SIZE);
  if (style.identity === 'every') {
    const texts = fragments.length === 0 ? [''] : fragments;
    return texts.map((text) => ({ ...whole, function: { name: call.name, arguments: text } }));
  }
  const [firstName = '', ...moreNames] =
    style.nameFragmentSize === undefined ? [call.name] : pieces(call.name, style.nameFragmentSize);
  return [
    { ...whole, function: { name: firstName, arguments: '' } },
    ...moreNames.map((name) => ({ ...index, function: { name } })),
    ...fragments.map((text) => ({ ...index, function: { arguments: text } })),
  ];
}

/** Puts verbatim deltas together for a request that does not stream, by index and, where that is missing, by turn. */
export function joinToolCallDeltas(groups: readonly (readonly unknown[])[]): JsonObject[] {
  const calls = new Map<
    number,
    { id?: string; type: string; function: { name: string; arguments: string } }
  >();
  let latest = 0;
  for (const raw of groups.flat()) {
    // Scripts are written by our own tests; a delta of another shape only yields an odd body, as it should.
    const delta = (raw ?? {}) as {
      index?: number;
      id?: string;
      function?: { name?: string; arguments?: string };
    };
    latest = delta.index ?? latest;
    const call = calls.get(latest) ?? { type: 'function', function: { name: '', arguments: '' } };
    if (delta.id !== undefined) call.id = delta.id;
    const name = delta.function?.name ?? '';
    if (name !== call.function.name) call.function.name += name;
    call.function.arguments += delta.function?.arguments ?? '';
    calls.set(latest, call);
  }
  return [...calls.values()];
}
