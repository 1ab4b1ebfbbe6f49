/**
 * Stored events to where they belong: commands act at once beside the mailbox, messages wait in it, edits change what
 * still waits, a stop stops. Place in the flow: inbox* → (here) → command or mailbox.
 *
 * 1. Per session in the order accepted: a message after `/new` never joins the conversation before it.
 * 2. Nothing here waits for a turn, so control is never stuck behind the work it controls.
 * 3. What is said into a recording counts like what is typed. Until it is understood, what follows it waits, but for
 *    whatever stops and for presses.
 */
import type { Clock } from '../../core/clock.js';
import type { InboxId, SessionKey } from '../../core/ids.js';
import type { InboundChoice, InboundEdit, InboundEvent, InboundMessage } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import { textOf } from '../../core/parts.js';
import type { SkillLibrary } from '../../core/skill.js';
import type { CommandContext, Offer } from '../commands/command.js';
import { commands, findCommand } from '../commands/index.js';
import { toDroppedText } from '../commands/stop.js';
import type { Questions } from '../questions/questions.js';
import type { SessionControls } from '../sessions/controls.js';
import { applyEdit, type MessageItem, type SessionItem } from '../sessions/items.js';
import { toChosen } from '../skills/chosen.js';
import type { Hearing } from '../voice/hearing.js';
import { saidIn, toSpokenCommand } from '../voice/spoken-words.js';
import { Gatherer } from './gather.js';
import { parseSlash, type SlashCommand } from './slash.js';

/** More than a person sends while one answer is made; beyond it something runs wild, and memory is not endless. */
const MAX_WAITING = 200;

export interface RouterDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborts when the gateway is down. */
  readonly signal: AbortSignal;
  keyOf(event: InboundEvent): SessionKey;
  /** Puts an item into the mailbox; false if it has to wait there. */
  put(key: SessionKey, item: SessionItem): boolean;
  waiting(key: SessionKey): SessionItem[] | undefined;
  onWaiting(key: SessionKey, event: InboundMessage): void;
  controls(key: SessionKey, event: InboundMessage, inbox: InboxId): SessionControls;
  stop(key: SessionKey): Promise<{ readonly dropped: number }>;
  answer(event: InboundEvent, name: string, answer: string | Offer): Promise<unknown>;
  readonly questions: Pick<Questions, 'isAnswer' | 'onOther' | 'take'>;
  readonly hearing: Hearing;
  readonly skills: Pick<SkillLibrary, 'find'>;
  /** Says what was understood, where that is wanted. */
  echo(event: InboundMessage): void;
  finish(ids: readonly InboxId[]): Promise<void>;
}

/** Somebody else's words are no command to us, whatever they begin with. */
const commandIn = (event: InboundMessage): SlashCommand | undefined => {
  if (event.isForwarded === true) return undefined;
  const said = saidIn(event);
  return parseSlash(said === undefined ? textOf(event.parts) : (toSpokenCommand(said, commands) ?? ''));
};

/** A message that is being listened to. */
interface Listening {
  readonly item: MessageItem;
  readonly controller: AbortController;
}

const droppedReason = new Error('nobody waits for what is said');

export class Router {
  readonly #deps: RouterDeps;
  readonly #gatherer: Gatherer;
  /** The last unfinished command of a session; what follows it waits for it. */
  readonly #busy = new Map<SessionKey, Promise<void>>();
  readonly #listening = new Map<SessionKey, Set<Listening>>();
  /** Sessions whose line was full when it was last looked at. */
  readonly #full = new Set<SessionKey>();

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    const { clock, signal } = deps;
    this.#gatherer = new Gatherer({ clock, signal, release: (key, item) => this.#put(key, item) });
  }

  /** Lets go of the session's messages that wait for what belongs to them. */
  dropHeld(key: SessionKey): readonly MessageItem[] {
    const listening = [...(this.#listening.get(key) ?? [])];
    this.#listening.delete(key);
    for (const { controller } of listening) controller.abort(droppedReason);
    return [...this.#gatherer.drop(key), ...listening.map(({ item }) => item)];
  }

  /** Must not throw. */
  route(id: InboxId, event: InboundEvent): void {
    const key = this.#deps.keyOf(event);
    if (this.#deps.hearing.needs(event)) {
      const heard = this.#listen(key, id, event);
      this.#enqueue(key, event, async () => {
        const said = await heard;
        if (said === undefined) return;
        this.#deps.echo(said);
        if (this.#isControl(said)) await this.#control(key, id, said);
        else this.#take(key, id, said);
      });
      return;
    }
    const isSlow = this.#isControl(event);
    if (this.#listening.has(key) && isUrgent(event)) {
      void this.#guard(event, this.#control(key, id, event));
      return;
    }
    if (!this.#busy.has(key) && !isSlow) {
      this.#take(key, id, event);
      return;
    }
    this.#enqueue(key, event, async () =>
      isSlow ? this.#control(key, id, event) : this.#take(key, id, event),
    );
  }

  /** Behind what came before it in its session. */
  #enqueue(key: SessionKey, event: InboundEvent, work: () => Promise<void>): void {
    const before = this.#busy.get(key) ?? Promise.resolve();
    const done = this.#guard(event, before.then(work)).then(() => {
      if (this.#busy.get(key) === done) this.#busy.delete(key);
    });
    this.#busy.set(key, done);
  }

  #guard({ correlation }: InboundEvent, work: Promise<unknown>): Promise<unknown> {
    return work.catch((error: unknown) => this.#deps.logger.error({ error, correlation }, 'command failed'));
  }

  /** Undefined for a message that was dropped meanwhile, or that a stop leaves to the next start. Never rejects. */
  async #listen(key: SessionKey, id: InboxId, event: InboundMessage): Promise<InboundMessage | undefined> {
    const controller = new AbortController();
    const item: MessageItem = { type: 'message', inboxes: [id], event };
    const listening = { item, controller };
    const all = this.#listening.get(key) ?? new Set();
    this.#listening.set(key, all.add(listening));
    const signal = AbortSignal.any([controller.signal, this.#deps.signal]);
    try {
      return await this.#deps.hearing.listen(event, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      this.#deps.logger.error({ error, correlation: event.correlation }, 'recording not listened to');
      return event;
    } finally {
      all.delete(listening);
      if (all.size === 0 && this.#listening.get(key) === all) this.#listening.delete(key);
    }
  }

  #isControl(event: InboundEvent): boolean {
    if (event.type === 'edit') return false;
    if (event.type === 'action' || commandIn(event) !== undefined) return true;
    return this.#deps.questions.isAnswer(event);
  }

  #take(key: SessionKey, id: InboxId, event: InboundEvent): void {
    if (event.type === 'edit') this.#edit(key, id, event);
    if (event.type !== 'message') return;
    this.#deps.questions.onOther(event);
    this.#gatherer.offer(key, { type: 'message', inboxes: [id], event });
  }

  #put(key: SessionKey, item: MessageItem): void {
    if (this.#isFull(key)) {
      this.#refuse(key, item);
      return;
    }
    this.#full.delete(key);
    const starts = this.#deps.put(key, item);
    if (!starts) this.#deps.onWaiting(key, item.event);
  }

  #isFull(key: SessionKey): boolean {
    return (this.#deps.waiting(key)?.length ?? 0) >= MAX_WAITING;
  }

  /** The line is full. Its sender is told once for each full line, or the notices would bury the answer. */
  #refuse(key: SessionKey, { inboxes, event }: MessageItem): void {
    const { correlation } = event;
    this.#deps.logger.warn({ correlation, session: key }, 'waiting line is full');
    const text = `⚠️ ${MAX_WAITING} messages are waiting already, so I take no more until I have answered: send again what still matters then.`;
    const isTold = this.#full.has(key);
    // Also those whose line has emptied without a further message, so that they do not pile up.
    for (const one of this.#full) if (!this.#isFull(one)) this.#full.delete(one);
    this.#full.add(key);
    (isTold ? Promise.resolve() : this.#deps.answer(event, 'full', text))
      .then(() => this.#deps.finish(inboxes))
      .catch((error: unknown) => this.#deps.logger.error({ error, correlation }, 'refusal lost'));
  }

  #edit(key: SessionKey, id: InboxId, event: InboundEdit): void {
    const waiting = this.#deps.waiting(key);
    const isApplied =
      this.#gatherer.edit(key, event, id) || (waiting !== undefined && applyEdit(waiting, event, id));
    const { correlation } = event;
    this.#deps.logger.debug({ correlation, isApplied }, 'message edited');
    if (isApplied) return;
    // A message that was taken up already is not answered twice; its sender sees the answer to what was asked.
    this.#deps.finish([id]).catch((error: unknown) => {
      this.#deps.logger.error({ error, correlation }, 'edit not finished');
    });
  }

  async #control(key: SessionKey, id: InboxId, event: InboundEvent): Promise<void> {
    // What was handed on is finished by the turn that it became.
    if (await this.#obey(key, id, event)) return;
    await this.#deps.finish([id]);
  }

  /** True if the entry went on into the mailbox. */
  async #act(key: SessionKey, id: InboxId, event: InboundEvent): Promise<boolean> {
    if (event.type === 'edit') return false;
    if (event.type === 'message') {
      const slash = commandIn(event);
      return slash === undefined ? this.#choose(key, id, event) : this.#run(key, id, event, slash);
    }
    switch (event.action) {
      case 'choose':
        return this.#choose(key, id, event);
      case 'stop': {
        const { dropped } = await this.#deps.stop(key);
        if (dropped > 0) await this.#deps.answer(event, event.action, toDroppedText(dropped));
        return false;
      }
    }
  }

  async #choose(key: SessionKey, id: InboxId, event: InboundChoice | InboundMessage): Promise<boolean> {
    const consequence = await this.#deps.questions.take(event);
    switch (consequence.kind) {
      case 'command': {
        const slash = parseSlash(consequence.line);
        return slash === undefined ? false : this.#run(key, id, event, slash);
      }
      case 'settled':
        if (consequence.text !== undefined) await this.#deps.answer(event, 'answer', consequence.text);
        return false;
      case 'none':
        // Somebody was quicker, and the number was meant for nothing else than what it says.
        this.#take(key, id, event);
        return true;
    }
  }

  /** One that breaks is answered all the same, and not left to be done again. */
  async #obey(key: SessionKey, id: InboxId, event: InboundEvent): Promise<boolean> {
    try {
      return await this.#act(key, id, event);
    } catch (error) {
      if (this.#deps.signal.aborted || event.type === 'edit') throw error;
      this.#deps.logger.error({ error, correlation: event.correlation }, 'command failed');
      const text =
        '⚠️ Something went wrong on my side and this was not done. The operator finds the reason in the log.';
      await this.#deps.answer(event, 'failure', text);
      return false;
    }
  }

  /** True if the command's entry went on into the mailbox. */
  async #run(
    key: SessionKey,
    id: InboxId,
    event: InboundChoice | InboundMessage,
    slash: SlashCommand,
  ): Promise<boolean> {
    const { name, args } = slash;
    const command = findCommand(name);
    const said = event.type === 'message' ? event : asTyped(event, name, args);
    const skill = command === undefined ? await this.#deps.skills.find(name) : undefined;
    if (skill !== undefined) {
      this.#take(key, id, toChosen(said, skill.name, slash));
      return true;
    }
    const { hasExchange, ...controls } = this.#deps.controls(key, said, id);
    let isHandedOn = false;
    const retry = async (): Promise<boolean> => {
      if (isHandedOn || !(await hasExchange())) return false;
      isHandedOn = true;
      this.#deps.put(key, { type: 'retry', inboxes: [id], event: said });
      return true;
    };
    const context: CommandContext = { ...controls, retry, event: said, args, commands };
    const answer =
      command === undefined
        ? `I do not know /${name}. /help lists what I understand.`
        : await command.run(context);
    if (answer !== undefined) await this.#deps.answer(event, name, answer);
    return isHandedOn;
  }
}

/** What must not wait until a recording is understood. */
const isUrgent = (event: InboundEvent): boolean =>
  event.type === 'action' || (event.type === 'message' && commandIn(event)?.name === 'stop');

/** A chosen command as its sender would have typed it. */
const asTyped = (event: InboundChoice, name: string, args: string): InboundMessage => {
  const { token: _token, press: _press, action: _action, ...said } = event;
  const parts = [{ type: 'text' as const, text: `/${name} ${args}`.trim() }];
  return { ...said, type: 'message', sentAt: event.receivedAt, parts, addressed: 'direct' };
};
