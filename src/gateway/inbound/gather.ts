/**
 * Messages that belong together and arrive one by one. Place in the flow: router → (here) → mailbox.
 *
 * 1. Ordinary text never waits: only album parts and files without a word wait for more, and text that the sender's
 *    client may have cut. A text that follows them ends the wait.
 * 2. The wait counts from the last arrival, not from when a file was fetched, so a slow download splits nothing.
 * 3. What waits is stored already: a stop leaves it to the next start.
 */
import type { Clock } from '../../core/clock.js';
import type { InboxId, SessionKey } from '../../core/ids.js';
import type { InboundEdit, InboundMessage } from '../../core/inbound.js';
import { type InboundPart, textOf } from '../../core/parts.js';
import { applyEdit, type MessageItem } from '../sessions/items.js';

/** Parts of an album and several files at once arrive within this time of each other. */
const FILES_WAIT_MS = 600;
/** A person's client sends the pieces of a long text one after the other, at the pace that the platform allows. */
const TEXT_WAIT_MS = 2_000;
/** An endless row of files is taken up in portions. */
const MAX_ITEMS = 50;

interface GathererDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes on what is complete; must not throw. */
  release(key: SessionKey, item: MessageItem): void;
}

interface Group {
  readonly key: SessionKey;
  readonly items: MessageItem[];
  timer: AbortController;
}

const hasFile = ({ parts }: InboundMessage): boolean => parts.some(({ type }) => type === 'media');

const waitMs = (event: InboundMessage): number => {
  if (event.mayContinue === true) return TEXT_WAIT_MS;
  const isBareFile = hasFile(event) && textOf(event.parts).trim() === '';
  return event.album !== undefined || isBareFile ? FILES_WAIT_MS : 0;
};

/** A file does not continue a text. */
const belongs = (event: InboundMessage, { items }: Group): boolean =>
  !hasFile(event) || items.every((item) => hasFile(item.event));

const mergeParts = (events: readonly InboundMessage[]): readonly InboundPart[] => {
  const parts: InboundPart[] = [];
  let isCut = false;
  for (const event of events) {
    const [first, ...rest] = event.parts;
    const last = parts.at(-1);
    if (isCut && last?.type === 'text' && first?.type === 'text')
      parts.splice(-1, 1, { type: 'text', text: last.text + first.text }, ...rest);
    else parts.push(...event.parts);
    isCut = event.mayContinue === true;
  }
  return parts;
};

/** One message in place of several, with the first one's identity. */
const merge = (items: readonly MessageItem[], first: MessageItem): MessageItem => {
  if (items.length === 1) return first;
  const { album: _album, mayContinue: _mayContinue, ...event } = first.event;
  return {
    type: 'message',
    inboxes: items.flatMap(({ inboxes }) => inboxes),
    event: { ...event, parts: mergeParts(items.map((item) => item.event)) },
    isMerged: true,
  };
};

const groupName = (key: SessionKey, { sender, origin }: InboundMessage): string =>
  JSON.stringify([key, sender.user, origin.thread ?? null]);

export class Gatherer {
  readonly #deps: GathererDeps;
  readonly #groups = new Map<string, Group>();

  constructor(deps: GathererDeps) {
    this.#deps = deps;
  }

  /** Passes the message on at once, or keeps it for what may follow. */
  offer(key: SessionKey, item: MessageItem): void {
    const name = groupName(key, item.event);
    const ms = waitMs(item.event);
    let group = this.#groups.get(name);
    if (group !== undefined && !belongs(item.event, group)) {
      this.#close(name, group);
      group = undefined;
    }
    if (group === undefined && ms === 0) {
      this.#deps.release(key, item);
      return;
    }
    group ??= { key, items: [], timer: new AbortController() };
    group.items.push(item);
    this.#groups.set(name, group);
    if (ms === 0 || group.items.length >= MAX_ITEMS) this.#close(name, group);
    else this.#wait(name, group, ms);
  }

  /** An edit changes what still waits here. False if it is not here. */
  edit(key: SessionKey, edit: InboundEdit, inbox: InboxId): boolean {
    for (const group of this.#groups.values()) {
      if (group.key === key && applyEdit(group.items, edit, inbox)) return true;
    }
    return false;
  }

  /** Lets go of everything that waits in a session. */
  drop(key: SessionKey): readonly MessageItem[] {
    const dropped: MessageItem[] = [];
    for (const [name, group] of this.#groups) {
      if (group.key !== key) continue;
      this.#end(name, group);
      dropped.push(...group.items);
    }
    return dropped;
  }

  #wait(name: string, group: Group, ms: number): void {
    group.timer.abort(new Error('one more has arrived'));
    const timer = new AbortController();
    group.timer = timer;
    const signal = AbortSignal.any([timer.signal, this.#deps.signal]);
    void this.#deps.clock.sleep(ms, { signal }).then(
      () => this.#close(name, group),
      () => {},
    );
  }

  #close(name: string, group: Group): void {
    this.#end(name, group);
    const [first] = group.items;
    if (first !== undefined) this.#deps.release(group.key, merge(group.items, first));
  }

  #end(name: string, group: Group): void {
    this.#groups.delete(name);
    group.timer.abort(new Error('the wait is over'));
  }
}
