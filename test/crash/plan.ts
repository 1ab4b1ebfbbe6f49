/** What a run does, drawn from its seed before it begins: nothing in it depends on time. Pure. */
import { type Letter, type LetterKind, type SideName, sideOf, writeLetter } from './letters.js';
import { createRandom, type Random } from './random.js';

/** What is waited for before the process is killed. `delayMs` passes after it. */
export type Moment =
  /** During the start, after so many calls of one platform. Nobody writes meanwhile. */
  | { readonly type: 'start'; readonly side: SideName; readonly count: number; readonly delayMs: number }
  | { readonly type: 'calls'; readonly side: SideName; readonly count: number; readonly delayMs: number }
  | { readonly type: 'requests'; readonly count: number; readonly delayMs: number }
  /** Its platform was told, or can see, that the letter is stored. */
  | { readonly type: 'confirmed'; readonly letter: Letter; readonly delayMs: number }
  /** The answer's send has arrived (`applied`: and is shown), and its sender is not told. */
  | { readonly type: 'held-send'; readonly letter: Letter; readonly applied: boolean }
  /** Its platform has asked to wait a second before the answer. */
  | { readonly type: 'flooded'; readonly letter: Letter; readonly delayMs: number }
  | { readonly type: 'held-effect'; readonly letter: Letter; readonly applied: boolean }
  /** After so many events of the model's answer; with `preview` once what there is of it is shown. */
  | {
      readonly type: 'held-model';
      readonly letter: Letter;
      readonly events: number;
      readonly preview: boolean;
    }
  /** The edit that completes a preview has arrived, and its sender is not told. */
  | { readonly type: 'held-edit'; readonly letter: Letter; readonly applied: boolean }
  /** After so many calls it is told to stop, and killed while it does. */
  | { readonly type: 'stop'; readonly side: SideName; readonly count: number; readonly delayMs: number };

export interface Cycle {
  /** Written while the gateway is down. */
  readonly away: readonly Letter[];
  /** Written while it runs. */
  readonly live: readonly Letter[];
  readonly moment: Moment;
  /** Before anybody writes, everything up to the cycle of this index must have been answered. */
  readonly settledIndex: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly kills: number;
  readonly chats: number;
  readonly isStreaming: boolean;
}

export interface Plan {
  /** Written and answered in a life that ends well, before all others. */
  readonly opening: readonly Letter[];
  readonly cycles: readonly Cycle[];
  /** One for each chat, written at the end: who has its answer has had all the others. */
  readonly closing: readonly Letter[];
}

const KINDS: readonly LetterKind[] = ['plain', 'plain', 'plain', 'photo', 'read', 'effect', 'picture'];
const MAX_DELAY_MS = 12;
/** About as long as a start takes. */
const MAX_START_MS = 400;

type Kind = Moment['type'];

const COMMON: readonly Kind[] = [
  ...repeat('calls', 5),
  ...repeat('requests', 4),
  ...repeat('held-send', 4),
  ...repeat('held-effect', 3),
  ...repeat('confirmed', 2),
  ...repeat('flooded', 2),
  ...repeat('start', 2),
  ...repeat('held-model', 1),
  ...repeat('stop', 1),
];
const STREAMING: readonly Kind[] = [...COMMON, ...repeat('held-model', 2), ...repeat('held-edit', 2)];

export function drawPlan(options: PlanOptions): Plan {
  const random = createRandom(options.seed);
  const desk = new Desk(options.chats);
  // One of a platform that tells nothing of what was before its first life.
  const opening = [desk.write(1, 'plain')];
  const kinds = drawKinds(random, options);
  const cycles = kinds.map((kind, index) => {
    // A turn that was cut off three times is given up, so no letter lives through more than two kills.
    const isStartNext = kinds[index + 1] === 'start';
    return drawCycle(kind, index - (isStartNext ? 1 : 2), random, desk, options);
  });
  return { opening, cycles, closing: desk.all().map((chat) => desk.write(chat, 'plain')) };
}

/** A start that is cut short comes neither first, when there is nothing to lose, nor after another one. */
function drawKinds(random: Random, { kills, isStreaming }: PlanOptions): readonly Kind[] {
  const kinds: Kind[] = [];
  while (kinds.length < kills) {
    const kind = random.pick(isStreaming ? STREAMING : COMMON);
    const before = kinds.at(-1);
    if (kind !== 'start' || (before !== undefined && before !== 'start')) kinds.push(kind);
  }
  return kinds;
}

function drawCycle(
  kind: Kind,
  settledIndex: number,
  random: Random,
  desk: Desk,
  { isStreaming }: PlanOptions,
): Cycle {
  desk.beginCycle();
  // A chat of its own: nothing else is under way there, so that what is waited for does happen.
  const [own = 0, ...others] = random.sample(desk.quiet(), 8);
  const away = random
    .sample(desk.all(), random.below(3))
    .filter((chat) => chat !== own)
    .map((chat) => desk.write(chat, random.pick(KINDS)));
  const writers = kind === 'start' ? [] : others.slice(0, 3 + random.below(5));
  const letters = writers.flatMap((chat) =>
    Array.from({ length: 1 + random.below(3) }, () => desk.write(chat, random.pick(KINDS))),
  );
  const moment = drawMoment(kind, own, writers, random, desk, isStreaming);
  if (!('letter' in moment)) return { away, live: letters, moment, settledIndex };
  const live = [...letters];
  live.splice(random.below(live.length + 1), 0, moment.letter);
  return { away, live, moment, settledIndex };
}

/** `writers`: as many model requests are certain to come, and as many calls of the platform where they write. */
function drawMoment(
  kind: Kind,
  own: number,
  writers: readonly number[],
  random: Random,
  desk: Desk,
  isStreaming: boolean,
): Moment {
  const delayMs = random.below(MAX_DELAY_MS + 1);
  const applied = random.chance(0.5);
  const upTo = (most: number): number => 1 + random.below(Math.max(1, most));
  switch (kind) {
    case 'start': {
      const side = random.chance(0.5) ? 'telegram' : 'discord';
      const count = random.below(side === 'telegram' ? 3 : 2);
      return { type: kind, side, count, delayMs: count === 0 ? random.below(MAX_START_MS) : delayMs };
    }
    case 'calls':
    case 'stop': {
      const side = sideOf(random.pick(writers));
      const count = upTo(writers.filter((chat) => sideOf(chat) === side).length);
      return { type: kind, side, count, delayMs };
    }
    case 'requests':
      return { type: kind, count: upTo(writers.length), delayMs };
    case 'flooded':
      return { type: kind, letter: desk.write(own, 'plain'), delayMs };
    case 'confirmed':
      return { type: kind, letter: desk.write(own, random.pick(KINDS)), delayMs };
    case 'held-send':
    case 'held-edit':
      return { type: kind, letter: desk.write(own, 'plain'), applied };
    case 'held-effect':
      return { type: kind, letter: desk.write(own, 'effect'), applied };
    case 'held-model':
      return {
        type: kind,
        letter: desk.write(own, 'plain'),
        events: 2 + random.below(6),
        preview: isStreaming && random.chance(0.7),
      };
  }
}

function repeat(kind: Kind, count: number): readonly Kind[] {
  return Array.from({ length: count }, () => kind);
}

/** Numbers the letters of each chat, and knows which chats have had none for two cycles. */
class Desk {
  readonly #counts: number[];
  readonly #lastCycle: number[];
  #cycle = 0;

  constructor(chats: number) {
    this.#counts = Array.from({ length: chats }, () => 0);
    this.#lastCycle = Array.from({ length: chats }, () => Number.NEGATIVE_INFINITY);
  }

  beginCycle(): void {
    this.#cycle += 1;
  }

  all(): readonly number[] {
    return [...this.#counts.keys()];
  }

  /** At least one, as a cycle writes to less than a third of the chats. */
  quiet(): readonly number[] {
    return this.all().filter((chat) => (this.#lastCycle[chat] ?? 0) < this.#cycle - 1);
  }

  write(chat: number, kind: LetterKind): Letter {
    const number = (this.#counts[chat] ?? 0) + 1;
    this.#counts[chat] = number;
    this.#lastCycle[chat] = this.#cycle;
    return writeLetter(chat, number, kind);
  }
}
