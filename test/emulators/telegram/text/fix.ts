/**
 * Puts a bag of entities in the order the server keeps: links, mentions and code never cross, quotes never cross, and
 * bold-like entities are merged per type and then cut, so that what comes out nests properly.
 * A change that a reader could notice leaves a warning, since the server itself says nothing.
 */
import { badRequest } from '../api-error.js';
import { describeEntity, type Entity, familyOf, sortEntities } from './entity.js';

export type Warn = (warning: string) => void;

interface Span {
  readonly start: number;
  readonly end: number;
}

const endOf = (entity: Entity): number => entity.offset + entity.length;

/** Refuses entities outside the text or cutting a surrogate pair, in the server's words. */
export function assertBounds(text: string, entities: readonly Entity[]): void {
  for (const entity of entities) {
    if (entity.length === 0) continue;
    const end = endOf(entity);
    if (entity.offset > text.length) {
      throw badRequest(`entity begins after the end of the text at UTF-16 offset ${entity.offset}`);
    }
    if (cutsPair(text, entity.offset)) {
      throw badRequest(
        `entity begins in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, entity.offset + 1)}`,
      );
    }
    const beginning = `entity beginning at UTF-16 offset ${entity.offset}`;
    if (end > text.length)
      throw badRequest(`${beginning} ends after the end of the text at UTF-16 offset ${end}`);
    if (cutsPair(text, end)) {
      throw badRequest(
        `${beginning} ends in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, end + 1)}`,
      );
    }
  }
}

function cutsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

export function byteOffset(text: string, at: number): number {
  return Buffer.byteLength(text.slice(0, at));
}

export function fixEntities(entities: readonly Entity[], warn: Warn): Entity[] {
  const kept = entities.filter((entity) => {
    if (entity.length > 0) return true;
    warn(`entity-empty: ${describeEntity(entity)}`);
    return false;
  });
  if (kept.length === 0) return [];
  const sorted = sortEntities(kept);
  warnOverlaps(sorted, warn);
  const quotes = dropCrossing(
    sorted.filter((entity) => familyOf(entity.type) === 'quote'),
    warn,
  );
  const solid = dropCrossing(
    sorted.filter((entity) => familyOf(entity.type) === 'continuous' || familyOf(entity.type) === 'code'),
    warn,
  ).filter((entity) => staysWithinQuotes(entity, quotes, warn));
  const splittable = sorted.filter((entity) => familyOf(entity.type) === 'splittable');
  return combine(solid, quotes, splittable, warn);
}

/** Adds what the server found by itself: it gives way to links and code, and cuts bold-like entities. */
export function addFound(entities: readonly Entity[], found: readonly Entity[]): Entity[] {
  if (found.length === 0) return [...entities];
  const silent: Warn = () => undefined;
  const quotes = entities.filter((entity) => familyOf(entity.type) === 'quote');
  const solid = entities.filter(
    (entity) => familyOf(entity.type) === 'continuous' || familyOf(entity.type) === 'code',
  );
  const splittable = entities.filter((entity) => familyOf(entity.type) === 'splittable');
  const added = found.filter(
    (entity) =>
      staysWithinQuotes(entity, quotes, silent) &&
      !solid.some((other) => other.offset < endOf(entity) && entity.offset < endOf(other)),
  );
  return combine([...solid, ...added], quotes, splittable, silent);
}

function warnOverlaps(sorted: readonly Entity[], warn: Warn): void {
  const open: Entity[] = [];
  for (const entity of sorted) {
    while (open.length > 0 && endOf(open[open.length - 1] as Entity) <= entity.offset) open.pop();
    const crossed = open.find((other) => endOf(other) > entity.offset && endOf(other) < endOf(entity));
    if (crossed !== undefined) warn(`entity-overlap: ${describeEntity(crossed)} ${describeEntity(entity)}`);
    open.push(entity);
  }
}

function dropCrossing(sorted: readonly Entity[], warn: Warn): Entity[] {
  const kept: Entity[] = [];
  let lastEnd = 0;
  for (const entity of sorted) {
    if (entity.offset < lastEnd) {
      warn(`entity-dropped: ${describeEntity(entity)}`);
      continue;
    }
    lastEnd = endOf(entity);
    kept.push(entity);
  }
  return kept;
}

function staysWithinQuotes(entity: Entity, quotes: readonly Entity[], warn: Warn): boolean {
  for (const quote of quotes) {
    const apart = endOf(quote) <= entity.offset || endOf(entity) <= quote.offset;
    const inside = quote.offset <= entity.offset && endOf(entity) <= endOf(quote);
    if (apart || inside) continue;
    warn(`entity-dropped: ${describeEntity(entity)} crosses ${describeEntity(quote)}`);
    return false;
  }
  return true;
}

function combine(
  solid: readonly Entity[],
  quotes: readonly Entity[],
  splittable: readonly Entity[],
  warn: Warn,
): Entity[] {
  if (splittable.length === 0) return sortEntities([...solid, ...quotes]);
  const merged = mergeByType(splittable);
  const cuts = new Set<number>();
  for (const entity of [...solid, ...quotes]) cuts.add(entity.offset).add(endOf(entity));
  for (const spans of merged.values()) for (const span of spans) cuts.add(span.start);
  const sortedCuts = [...cuts].sort((a, b) => a - b);
  const code = solid.filter((entity) => familyOf(entity.type) === 'code');
  const pieces: Entity[] = [];
  for (const [type, spans] of merged) {
    for (const piece of spans.flatMap((span) => cutSpan(span, sortedCuts))) {
      const entity: Entity = { type, offset: piece.start, length: piece.end - piece.start };
      const holder = code.find((other) => other.offset <= piece.start && piece.end <= endOf(other));
      if (holder === undefined) pieces.push(entity);
      else warn(`entity-dropped: ${describeEntity(entity)} in ${describeEntity(holder)}`);
    }
  }
  return sortEntities([...solid, ...quotes, ...pieces]);
}

function mergeByType(sorted: readonly Entity[]): Map<string, Span[]> {
  const merged = new Map<string, Span[]>();
  for (const entity of sorted) {
    const spans = merged.get(entity.type) ?? [];
    const last = spans.at(-1);
    if (last !== undefined && entity.offset <= last.end) {
      spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, endOf(entity)) };
    } else {
      spans.push({ start: entity.offset, end: endOf(entity) });
    }
    merged.set(entity.type, spans);
  }
  return merged;
}

function cutSpan(span: Span, sortedCuts: readonly number[]): Span[] {
  const pieces: Span[] = [];
  let start = span.start;
  for (let index = firstAbove(sortedCuts, span.start); index < sortedCuts.length; index += 1) {
    const cut = sortedCuts[index];
    if (cut === undefined || cut >= span.end) break;
    pieces.push({ start, end: cut });
    start = cut;
  }
  pieces.push({ start, end: span.end });
  return pieces;
}

function firstAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
