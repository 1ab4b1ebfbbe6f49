import { freshToolResults, type JsonObject, lastUserText, messagesOf, textOf } from './conversation.js';
import { Gates } from './gates.js';
import { type LogEntry, RequestLog } from './request-log.js';
import type {
  Condition,
  RecordedAnswer,
  Rule,
  ScriptedResponse,
  WorldOptions,
  WorldStatus,
} from './script.js';

const DEFAULT_MODELS = ['emulated-small', 'emulated-large'];
const DEFAULT_LOG_CAPACITY = 20_000;
const DEFAULT_LOG_BYTES = 128 * 1024 * 1024;
const ECHO: ScriptedResponse = { type: 'echo' };

/** Answers a wait: called for every change with the request it concerns; undefined means not yet. */
type Waiter = (entry: LogEntry | undefined) => void;

interface LiveRule {
  readonly rule: Rule;
  readonly matches: (request: RuleInput) => boolean;
  used: number;
}

interface RuleInput {
  readonly body: JsonObject;
  readonly userText: string;
  readonly call: number;
}

/** Everything that belongs to one API key: its script, its gates and the record of its requests. */
export class World {
  readonly options: WorldOptions;
  readonly models: readonly string[];
  readonly gates = new Gates();
  readonly log: RequestLog;
  modelListCount = 0;
  #fallback: ScriptedResponse;
  #queue: ScriptedResponse[] = [];
  #rules: LiveRule[] = [];
  readonly #waiters = new Set<Waiter>();
  /** Ends the answers that are still open, for a reset. */
  readonly #open = new Map<LogEntry, () => void>();
  #requestCount = 0;
  #acceptedCount = 0;
  #refusedCount = 0;

  constructor(options: WorldOptions) {
    this.options = options;
    this.models = options.models ?? DEFAULT_MODELS;
    this.log = new RequestLog(
      options.logCapacity ?? DEFAULT_LOG_CAPACITY,
      options.logBytes ?? DEFAULT_LOG_BYTES,
    );
    this.#fallback = options.fallback ?? ECHO;
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  get openCount(): number {
    return this.#open.size;
  }

  enqueue(responses: readonly ScriptedResponse[]): void {
    this.#queue.push(...responses);
  }

  addRule(rule: Rule): void {
    this.#rules.push({ rule, matches: toPredicate(rule.when), used: 0 });
  }

  setFallback(response: ScriptedResponse): void {
    this.#fallback = response;
  }

  /** Takes the next scripted response for an accepted request: rules first, then the queue, then the fallback. */
  choose(body: JsonObject, userText: string): { from: RecordedAnswer['from']; response: ScriptedResponse } {
    this.#acceptedCount += 1;
    if (this.#rules.length > 0) {
      const input: RuleInput = { body, userText, call: this.#acceptedCount };
      for (const live of this.#rules) {
        const response = live.matches(input) ? takeFrom(live) : undefined;
        if (response !== undefined) return { from: 'rule', response };
      }
    }
    const queued = this.#queue.shift();
    if (queued !== undefined) return { from: 'queue', response: queued };
    return { from: 'fallback', response: this.#fallback };
  }

  /** Records an arrival; `abandon` breaks its answer off. */
  record(
    arrival: Pick<LogEntry, 'path' | 'headers' | 'body' | 'answer'>,
    bytes: number,
    abandon: () => void,
  ): LogEntry {
    this.#requestCount += 1;
    const entry: LogEntry = {
      number: this.#requestCount,
      at: Date.now(),
      path: arrival.path,
      headers: arrival.headers,
      body: arrival.body,
      lastUserText: lastUserText(messagesOf(arrival.body)),
      answer: arrival.answer,
    };
    if (arrival.answer.error !== undefined) this.#refusedCount += 1;
    this.#open.set(entry, abandon);
    this.log.add(entry, bytes);
    this.changed(entry);
    return entry;
  }

  finish(entry: LogEntry, outcome: RecordedAnswer['outcome']): void {
    if (!this.#open.delete(entry)) return;
    delete entry.answer.waitingAt;
    entry.answer.outcome = outcome;
    this.changed(entry);
  }

  /** Tells the waits that something happened. */
  changed(entry: LogEntry | undefined): void {
    for (const waiter of this.#waiters) waiter(entry);
  }

  addWaiter(waiter: Waiter): () => void {
    this.#waiters.add(waiter);
    return () => this.#waiters.delete(waiter);
  }

  abandonAll(): void {
    for (const abandon of [...this.#open.values()]) abandon();
  }

  status(): WorldStatus {
    return {
      requestCount: this.#requestCount,
      refusedCount: this.#refusedCount,
      openCount: this.#open.size,
      queuedResponses: this.#queue.length,
      liveRules: this.#rules.filter((live) => !isSpent(live)).length,
      modelListCount: this.modelListCount,
      droppedCount: this.log.droppedCount,
      waiting: this.gates.counts(),
    };
  }
}

function isSpent(live: LiveRule): boolean {
  return live.rule.repeat !== true && live.used >= live.rule.respond.length;
}

function takeFrom(live: LiveRule): ScriptedResponse | undefined {
  const { respond, repeat } = live.rule;
  const response = respond[live.used] ?? (repeat === true ? respond.at(-1) : undefined);
  if (response !== undefined) live.used += 1;
  return response;
}

/** Throws a SyntaxError if the condition's regular expression is not one. */
function toPredicate(when: Condition): (request: RuleInput) => boolean {
  const pattern = when.userTextMatches === undefined ? undefined : new RegExp(when.userTextMatches, 'u');
  return ({ body, userText, call }) =>
    (when.call === undefined || when.call === call) &&
    (when.userText === undefined || userText.includes(when.userText)) &&
    (pattern === undefined || pattern.test(userText)) &&
    (when.model === undefined || body['model'] === when.model) &&
    (when.stream === undefined || (body['stream'] === true) === when.stream) &&
    (when.anyText === undefined || hasText(body, when.anyText)) &&
    holdsForResults(when, body);
}

function hasText(body: JsonObject, text: string): boolean {
  return messagesOf(body).some((message) => textOf(message['content']).includes(text));
}

function holdsForResults(when: Condition, body: JsonObject): boolean {
  const { toolResults, toolResultText } = when;
  if (toolResults === undefined && toolResultText === undefined) return true;
  const results = freshToolResults(messagesOf(body));
  if (toolResults !== undefined && results.length > 0 !== toolResults) return false;
  return toolResultText === undefined || results.some((result) => result.includes(toolResultText));
}
