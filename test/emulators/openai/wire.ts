import type { CutKind, Fault, Position, Wire } from './script.js';

/** One thing to do for an answer, in order. */
export type Step =
  | { readonly type: 'head' }
  | { readonly type: 'write'; readonly bytes: string | Buffer }
  | { readonly type: 'gate'; readonly name: string }
  | { readonly type: 'cut'; readonly how: CutKind };

export interface Events {
  readonly events: readonly (string | Buffer)[];
  /** What follows the last event: `[DONE]`, or nothing. */
  readonly closing: readonly (string | Buffer)[];
  /** Writes one event as the wire format says. */
  readonly toEvent: (data: string, position: number, name?: string) => string;
}

/** Writes the chunks of a stream as server-sent events. */
export function toEvents(chunks: readonly unknown[], wire: Wire): Events {
  const events = chunks.map((chunk, index) =>
    toEvent(wire, typeof chunk === 'string' ? chunk : JSON.stringify(chunk), index),
  );
  const closing = wire.done === false ? [] : [toEvent(wire, '[DONE]', chunks.length)];
  if (wire.finalNewline === false) {
    const list = closing.length > 0 ? closing : events;
    list.push((list.pop() ?? '').replace(/[\r\n]+$/, ''));
  }
  return { events, closing, toEvent: (data, position, name) => toEvent(wire, data, position, name) };
}

/** A body that is not a stream: in two halves if something is to happen within it. */
export function toHalves(body: Buffer, faults: readonly Fault[]): Events {
  const split = faults.some((fault) => fault.at !== 'head' && fault.at !== 'end');
  const middle = Math.ceil(body.length / 2);
  const events = split ? [body.subarray(0, middle), body.subarray(middle)] : [body];
  return { events, closing: [], toEvent: (data) => data };
}

/** The steps of an answer: faults put in their places, then the bytes between two pauses cut as the wire says. */
export function toSteps(parts: Events, faults: readonly Fault[], wire: Wire): Step[] {
  const steps = placeFaults(parts, faults);
  return wire.cutEvery === undefined && wire.cutAt === undefined ? steps : cutRuns(steps, wire);
}

function placeFaults(parts: Events, faults: readonly Fault[]): Step[] {
  const { events, closing } = parts;
  const steps: Step[] = [];
  const last = events.length;
  if (applyFaults(steps, faults, (at) => at === 'head', parts, 0)) return steps;
  steps.push({ type: 'head' });
  for (const [index, bytes] of events.entries()) {
    if (applyFaults(steps, faults, (at) => at === 'each' || at === index, parts, index)) return steps;
    steps.push({ type: 'write', bytes });
  }
  const atEnd = (at: Position): boolean => at === 'end' || (typeof at === 'number' && at >= last);
  if (applyFaults(steps, faults, atEnd, parts, last)) return steps;
  for (const bytes of closing) steps.push({ type: 'write', bytes });
  return steps;
}

/** Adds the faults of one position; true if the answer ends there. */
function applyFaults(
  steps: Step[],
  faults: readonly Fault[],
  isHere: (at: Position) => boolean,
  parts: Events,
  position: number,
): boolean {
  for (const fault of faults) {
    if (!isHere(fault.at)) continue;
    if (fault.type === 'gate') {
      steps.push({ type: 'gate', name: fault.name });
      continue;
    }
    if (fault.at === 'head' && fault.type !== 'cut') steps.push({ type: 'head' });
    if (fault.type === 'cut') steps.push({ type: 'cut', how: fault.how });
    if (fault.type === 'error') {
      const data = JSON.stringify({ error: fault.error });
      const bytes = parts.toEvent(data, position, fault.named === true ? 'error' : undefined);
      steps.push({ type: 'write', bytes });
    }
    return true;
  }
  return false;
}

function toEvent(wire: Wire, data: string, position: number, name?: string): string {
  const crlf = wire.lineEnd === 'crlf' || (wire.lineEnd === 'mixed' && position % 2 === 1);
  const end = crlf ? '\r\n' : '\n';
  const comment = wire.comments === true ? `: keep-alive${end}${end}` : '';
  const event = name === undefined ? '' : `event: ${name}${end}`;
  return `${comment}${event}data:${wire.dataSpace === false ? '' : ' '}${data}${end}${end}`;
}

function cutRuns(steps: readonly Step[], wire: Wire): Step[] {
  const cut: Step[] = [];
  let run: Buffer[] = [];
  const flush = (): void => {
    for (const bytes of cutBytes(Buffer.concat(run), wire)) cut.push({ type: 'write', bytes });
    run = [];
  };
  for (const step of steps) {
    if (step.type === 'write') {
      run.push(Buffer.from(step.bytes));
      continue;
    }
    flush();
    cut.push(step);
  }
  flush();
  return cut;
}

function cutBytes(bytes: Buffer, wire: Wire): Buffer[] {
  const offsets = new Set(wire.cutAt ?? []);
  const every = wire.cutEvery;
  const cut: Buffer[] = [];
  let start = 0;
  for (let offset = 1; offset <= bytes.length; offset += 1) {
    const isCut =
      offset === bytes.length || offsets.has(offset) || (every !== undefined && offset % every === 0);
    if (!isCut) continue;
    cut.push(bytes.subarray(start, offset));
    start = offset;
  }
  return cut;
}
