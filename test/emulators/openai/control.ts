/** The test's hand on an emulator, in this process or another. Also the door to the builders. */
import type {
  Condition,
  Outcome,
  RecordedRequest,
  Rule,
  ScriptedResponse,
  WorldOptions,
  WorldStatus,
} from './script.js';

export * from './builders.js';
export type {
  RecordedRequest,
  ScriptedResponse,
  WorldOptions,
  WorldStatus,
} from './script.js';

export interface RequestFilter {
  /** Only requests with a higher number. */
  readonly after?: number;
  /** The last user message contains this. */
  readonly userText?: string;
  readonly outcome?: Outcome;
  readonly refused?: boolean;
}

/** All given members must hold. The first four look for one request, the others at the whole world. */
export interface WaitCondition extends RequestFilter {
  /** So many requests have arrived since the reset. */
  readonly requests?: number;
  /** An answer waits at this gate … */
  readonly gate?: string;
  /** … or so many do. */
  readonly waiting?: number;
  /** No answer is open. */
  readonly idle?: boolean;
}

export interface WaitResult {
  readonly requestCount: number;
  /** The first request that fits, if the condition was about one. */
  readonly request: RecordedRequest | null;
}

/** Every method rejects if the emulator refuses the call or is gone. */
export interface OpenAiControl {
  /** What an OpenAI client takes as its base URL. */
  readonly baseUrl: string;
  readonly key: string;
  /** Makes the key known, with an empty script and record; breaks off what is open. */
  reset(options?: WorldOptions): Promise<void>;
  /** Makes the key unknown. */
  forget(): Promise<void>;
  /** Appends to the queue; each response serves one request. */
  respond(...responses: readonly ScriptedResponse[]): Promise<void>;
  /** The responses serve the next matching requests in turn, before the queue is asked. */
  when(condition: Condition, ...responses: readonly ScriptedResponse[]): Promise<void>;
  /** As `when`, and the last response serves all later matches. */
  always(condition: Condition, ...responses: readonly ScriptedResponse[]): Promise<void>;
  /** Replaces the echo for whatever neither rules nor queue answer. */
  otherwise(response: ScriptedResponse): Promise<void>;
  /** Lets `count` answers (default 1) through a gate, now or when they come. */
  release(gate: string, count?: number): Promise<void>;
  openGate(gate: string): Promise<void>;
  closeGate(gate: string): Promise<void>;
  requests(filter?: RequestFilter): Promise<readonly RecordedRequest[]>;
  status(): Promise<WorldStatus>;
  /** Resolves as soon as the condition holds; only the signal ends it otherwise. */
  waitFor(condition: WaitCondition, signal?: AbortSignal): Promise<WaitResult>;
}

/** `url` is the emulator's, with or without `/v1`. The key is not known before `reset`. */
export function createOpenAiControl(url: string, key: string): OpenAiControl {
  const root = url.replace(/\/(v1\/?)?$/, '');
  const call = createCaller(`${root}/control/${encodeURIComponent(key)}`);
  const addRule = (rule: Rule): Promise<void> => call<void>('POST', '/rules', { ...rule });
  const turnGate = (gate: string, turn: object): Promise<void> =>
    call<void>('POST', `/gates/${encodeURIComponent(gate)}`, turn);
  return {
    baseUrl: `${root}/v1`,
    key,
    reset: (options = {}) => call('PUT', '', { ...options }),
    forget: () => call('DELETE', ''),
    respond: (...responses) => call('POST', '/responses', { responses }),
    when: (when, ...respond) => addRule({ when, respond }),
    always: (when, ...respond) => addRule({ when, respond, repeat: true }),
    otherwise: (response) => call('POST', '/fallback', { response }),
    release: (gate, count = 1) => turnGate(gate, { release: count }),
    openGate: (gate) => turnGate(gate, { open: true }),
    closeGate: (gate) => turnGate(gate, { open: false }),
    async requests(filter = {}) {
      const answer = await call<{ requests: RecordedRequest[] }>('GET', `/requests?${toQuery(filter)}`);
      return answer.requests;
    },
    status: () => call('GET', ''),
    waitFor: (condition, signal) => call('GET', `/wait?${toQuery(condition)}`, undefined, signal),
  };
}

function toQuery(members: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.toString();
}

type Caller = <T>(method: string, path: string, body?: object, signal?: AbortSignal) => Promise<T>;

function createCaller(base: string): Caller {
  return async <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`emulator control: ${method} ${path}: ${JSON.stringify(answer)}`);
    // The emulator is ours: each call's answer has the shape that this file declares for it.
    return answer as T;
  };
}
