import { type IdSource, toToolCallId } from '../../../core/ids.js';
import type { ToolCall } from '../../../core/provider.js';
import { splitGluedObjects } from './glued-objects.js';
import { type Fields, toFields, toText } from './wire.js';

interface Slot {
  id: string;
  name: string;
  argumentsText: string;
}

/**
 * Puts tool calls together from deltas. The rule of the dialect: a delta belongs to the call of its index; id and name
 * come once. Its imitators leave out the index or the id, give every call index 0, repeat id and name in every delta,
 * or send a call whole. What decides then, in this order: another index, another id, and, where there is neither, a name
 * after arguments that are already complete.
 */
export class ToolCallAssembler {
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();

  push(value: unknown): void {
    const delta = toFields(value);
    const called = toFields(delta['function']);
    const name = toText(called['name']);
    const argumentsText = toArgumentsText(called['arguments']);
    const slot = this.#slotOf(delta, name, argumentsText);
    const id = toText(delta['id']);
    if (slot.id === '') slot.id = id;
    // A name never goes on after the arguments have begun: there it is a repetition.
    if (slot.argumentsText === '') slot.name = mergeName(slot.name, name);
    slot.argumentsText += argumentsText;
  }

  /** The calls in the order they began. A call without a name cannot be meant and is left out. */
  finish(ids: IdSource): readonly ToolCall[] {
    return this.#slots
      .filter(({ name }) => name !== '')
      .flatMap(({ id, name, argumentsText }) =>
        splitGluedObjects(argumentsText).map((text, position) => ({
          id: id === '' || position > 0 ? ids.next('tool-call') : toToolCallId(id),
          name,
          argumentsText: text,
        })),
      );
  }

  #slotOf(delta: Fields, name: string, argumentsText: string): Slot {
    const id = toText(delta['id']);
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined;
    const known = index === undefined ? this.#slots.at(-1) : this.#byIndex.get(index);
    if (known === undefined) return this.#open(index);
    if (id !== '' && known.id !== '' && id !== known.id)
      return this.#slots.find((slot) => slot.id === id) ?? this.#open(index);
    if (id !== '' && known.id === '' && index === undefined && known.name !== '' && name !== '')
      return this.#open(index);
    const isAnother = id === '' && name !== '' && argumentsText !== '' && isComplete(known.argumentsText);
    return isAnother || this.#isNextWithoutIndex(delta, known, name) ? this.#open(index) : known;
  }

  /** Without index and id, a name after complete arguments, or another name after any, begins a call. */
  #isNextWithoutIndex(delta: Fields, known: Slot, name: string): boolean {
    if (typeof delta['index'] === 'number' || toText(delta['id']) !== '' || name === '') return false;
    return known.argumentsText !== '' && (name !== known.name || isComplete(known.argumentsText));
  }

  #open(index: number | undefined): Slot {
    const slot: Slot = { id: '', name: '', argumentsText: '' };
    this.#slots.push(slot);
    if (index !== undefined) this.#byIndex.set(index, slot);
    return slot;
  }
}

/** Appends a fragment; a name that comes again, whole or growing, is not doubled. */
const mergeName = (known: string, name: string): string => (name.startsWith(known) ? name : known + name);

/** Some services send the object itself. */
const toArgumentsText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : toText(value);

const isComplete = (text: string): boolean => {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
