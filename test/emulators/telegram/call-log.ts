/** Every API call in order of arrival, with an index by method so that a busy log is never walked for one of them. */
import type { ApiResponse, CallFilter, CallRecord } from './protocol.js';

/** The same record while it is still being written. */
export type OpenCall = { -readonly [Key in keyof CallRecord]: CallRecord[Key] } & { warnings: string[] };

export class CallLog {
  #all: OpenCall[] = [];
  #byMethod = new Map<string, OpenCall[]>();
  #nextId = 1;

  get size(): number {
    return this.#all.length;
  }

  begin(method: string, params: Readonly<Record<string, unknown>>): OpenCall {
    const call: OpenCall = {
      id: this.#nextId,
      method,
      params,
      receivedAt: nowMs(),
      outcome: 'pending',
      applied: false,
      warnings: [],
    };
    this.#nextId += 1;
    this.#all.push(call);
    const ofMethod = this.#byMethod.get(method);
    if (ofMethod === undefined) this.#byMethod.set(method, [call]);
    else ofMethod.push(call);
    return call;
  }

  finish(call: OpenCall, outcome: OpenCall['outcome'], status?: number, response?: ApiResponse): void {
    call.outcome = outcome;
    if (outcome === 'answered') call.answeredAt = nowMs();
    if (status !== undefined) call.status = status;
    if (response !== undefined) call.response = response;
  }

  select(filter: CallFilter, afterId = 0): readonly CallRecord[] {
    const source = filter.method === undefined ? this.#all : (this.#byMethod.get(filter.method) ?? []);
    return source.filter((call) => call.id > afterId && matchesCall(call, filter));
  }

  /** Stops at `limit`, so that waiting for a few calls stays cheap in a long log. */
  count(filter: CallFilter, withPending: boolean, limit: number): number {
    const source = filter.method === undefined ? this.#all : (this.#byMethod.get(filter.method) ?? []);
    let count = 0;
    for (const call of source) {
      if ((withPending || call.outcome !== 'pending') && matchesCall(call, filter)) count += 1;
      if (count >= limit) break;
    }
    return count;
  }

  clear(): void {
    this.#all = [];
    this.#byMethod = new Map();
  }
}

/** Epoch milliseconds with fractions, comparable between processes on one machine. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

export function matchesCall(
  call: Pick<CallRecord, 'method' | 'params' | 'response'>,
  filter: CallFilter,
): boolean {
  const { params } = call;
  if (filter.method !== undefined && filter.method !== call.method) return false;
  if (filter.chatId !== undefined && filter.chatId !== params['chat_id']) return false;
  if (filter.threadId !== undefined && filter.threadId !== Number(params['message_thread_id'])) return false;
  if (filter.textContains !== undefined && !textOf(params).includes(filter.textContains)) return false;
  if (filter.formatted !== undefined && filter.formatted !== isFormatted(params)) return false;
  return filter.ok === undefined || call.response?.ok === filter.ok;
}

function textOf(params: Readonly<Record<string, unknown>>): string {
  const text = params['text'] ?? params['caption'];
  return typeof text === 'string' ? text : '';
}

function isFormatted(params: Readonly<Record<string, unknown>>): boolean {
  const entities = params['entities'] ?? params['caption_entities'];
  return (Array.isArray(entities) && entities.length > 0) || Boolean(params['parse_mode']);
}
