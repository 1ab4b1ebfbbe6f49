/** The typed client's four groups of calls. */
import type { FaultHandle, TelegramControl, WaitOptions } from './control.js';
import type {
  CallFilter,
  CallRecord,
  ChatMessage,
  FaultSpec,
  FaultState,
  PushedUpdate,
  UpdateSpec,
  WaitCondition,
} from './protocol.js';

const DEFAULT_TIMEOUT_MS = 10_000;

export interface Wire {
  call<Result>(verb: string, path: string, body?: unknown): Promise<Result>;
  /** For calls whose answer says nothing. */
  tell(verb: string, path: string, body?: unknown): Promise<void>;
  select(filter?: string | CallFilter): Promise<readonly CallRecord[]>;
  chat(chatId: number): Promise<{ readonly version: number; readonly messages: readonly ChatMessage[] }>;
  wait(condition: WaitCondition, options?: WaitOptions): Promise<void>;
}

export function createWire(root: string): Wire {
  const call = <Result>(verb: string, path: string, body?: unknown): Promise<Result> =>
    request(verb, `${root}${path}`, body);
  const select = async (filter: string | CallFilter = {}): Promise<readonly CallRecord[]> => {
    const pairs = Object.entries(toFilter(filter)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return (await call<{ calls: CallRecord[] }>('GET', `/calls?${new URLSearchParams(pairs)}`)).calls;
  };
  return {
    call,
    tell: async (verb, path, body) => {
      await call(verb, path, body);
    },
    select,
    chat: (chatId) => call('GET', `/chats/${chatId}/messages`),
    wait: async (condition, options = {}) => {
      const result = await call<{ met: boolean }>('POST', '/wait', { ...condition, ...options });
      if (result.met) return;
      const last = (await select())
        .slice(-12)
        .map((record) => `${record.method} ${record.status ?? record.outcome}`);
      throw new Error(
        `waited in vain for ${JSON.stringify(condition)}; last calls: ${last.join(', ') || 'none'}`,
      );
    },
  };
}

type Actions = Pick<
  TelegramControl,
  | 'reset'
  | 'remove'
  | 'setChat'
  | 'setUser'
  | 'sendText'
  | 'sendDirect'
  | 'editText'
  | 'press'
  | 'redeliver'
  | 'pushUpdate'
  | 'addFile'
  | 'tick'
  | 'deliver'
  | 'clearCalls'
>;

export function createActions({ call, tell }: Wire): Actions {
  const push = (update: UpdateSpec): Promise<PushedUpdate> => call('POST', '/updates', update);
  return {
    reset: (spec = {}) => call('POST', '', spec),
    remove: () => tell('DELETE', ''),
    setChat: (spec) => tell('POST', '/chats', spec),
    setUser: (spec) => tell('POST', '/users', spec),
    sendText: (userId, chatId, text, options = {}) =>
      push({ kind: 'message', userId, chatId, text, ...options }),
    sendDirect: (userId, text, options = {}) => push({ kind: 'message', userId, text, ...options }),
    editText: (chatId, messageId, text, entities) =>
      push({
        kind: 'edited_message',
        chatId,
        messageId,
        text,
        ...(entities === undefined ? {} : { entities }),
      }),
    press: (userId, chatId, messageId, data) =>
      push({ kind: 'callback_query', userId, chatId, messageId, data }),
    redeliver: (updateId) => push({ kind: 'redeliver', updateId }),
    pushUpdate: push,
    addFile: ({ bytes, ...file }) =>
      call('POST', '/files', {
        ...file,
        ...(bytes === undefined ? {} : { contentBase64: Buffer.from(bytes).toString('base64') }),
      }),
    tick: () => tell('POST', '/tick'),
    deliver: () => tell('POST', '/deliver'),
    clearCalls: () => tell('DELETE', '/calls'),
  };
}

type Reads = Pick<TelegramControl, 'state' | 'calls' | 'warnings' | 'messages' | 'botTexts'>;

export function createReads({ call, select, chat }: Wire): Reads {
  return {
    state: () => call('GET', ''),
    calls: select,
    warnings: async () => (await select()).flatMap((record) => record.warnings),
    messages: async (chatId, options = {}) =>
      (await chat(chatId)).messages.filter((message) => options.deleted === true || !message.deleted),
    botTexts: async (chatId) => (await chat(chatId)).messages.filter(isOfBot).map((message) => message.text),
  };
}

type FaultControls = Pick<
  TelegramControl,
  'fault' | 'faults' | 'clearFaults' | 'release' | 'flood' | 'conflict'
>;

export function createFaultControls(wire: Wire): FaultControls {
  const { call, tell } = wire;
  const list = async (): Promise<readonly FaultState[]> =>
    (await call<{ faults: FaultState[] }>('GET', '/faults')).faults;
  const add = async (spec: FaultSpec): Promise<FaultHandle> => {
    const { id } = await call<{ id: number }>('POST', '/faults', spec);
    return {
      id,
      release: () => tell('POST', `/release/${id}`),
      remove: () => tell('DELETE', `/faults/${id}`),
      state: async () => {
        const state = (await list()).find((fault) => fault.id === id);
        if (state === undefined) throw new Error(`fault ${id} was removed`);
        return state;
      },
      waitUntilHeld: (count = 1, options = {}) => wire.wait({ kind: 'held', count, faultId: id }, options),
    };
  };
  return {
    fault: (match, action) => add({ ...match, action }),
    faults: list,
    clearFaults: () => tell('DELETE', '/faults'),
    release: async () => (await call<{ released: number }>('POST', '/release')).released,
    flood: (match, seconds) =>
      add({
        ...match,
        action: {
          kind: 'error',
          code: 429,
          description: `Too Many Requests: retry after ${seconds}`,
          parameters: { retry_after: seconds },
        },
      }),
    conflict: (times = 1) => tell('POST', '/conflict', { times }),
  };
}

type Waits = Pick<
  TelegramControl,
  | 'wait'
  | 'waitForCalls'
  | 'waitForMessage'
  | 'waitForBotMessages'
  | 'waitForChat'
  | 'waitForPoll'
  | 'waitForConfirmed'
>;

export function createWaits({ wait, select, chat }: Wire): Waits {
  const waitForChat: Waits['waitForChat'] = async (chatId, predicate, options = {}) => {
    const deadline = performance.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    for (;;) {
      const { version, messages } = await chat(chatId);
      const visible = messages.filter((message) => !message.deleted);
      if (predicate(visible)) return visible;
      const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
      await wait({ kind: 'chat-changed', chatId, after: version }, { timeoutMs }).catch((error: Error) => {
        throw new Error(
          `${error.message}; chat ${chatId}: ${JSON.stringify(visible.map(({ text }) => text))}`,
        );
      });
    }
  };
  return {
    wait,
    waitForCalls: async (filter, count = 1, options = {}) => {
      await wait({ kind: 'calls', count, ...toFilter(filter) }, options);
      return select(filter);
    },
    waitForMessage: async (chatId, wanted, options = {}) => {
      const isWanted = (message: ChatMessage): boolean =>
        isOfBot(message) && (typeof wanted === 'string' ? message.text.includes(wanted) : wanted(message));
      const found = (await waitForChat(chatId, (messages) => messages.some(isWanted), options)).find(
        isWanted,
      );
      if (found === undefined) throw new Error('a predicate must give the same answer twice');
      return found;
    },
    waitForBotMessages: async (chatId, count, options = {}) => {
      await wait({ kind: 'bot-messages', chatId, count }, options);
      return (await chat(chatId)).messages.filter(isOfBot);
    },
    waitForChat,
    waitForPoll: (options = {}) => wait({ kind: 'poll' }, options),
    waitForConfirmed: (updateId, options = {}) => wait({ kind: 'confirmed', updateId }, options),
  };
}

function isOfBot(message: ChatMessage): boolean {
  return message.from === 'bot' && !message.deleted;
}

function toFilter(filter: string | CallFilter): CallFilter {
  return typeof filter === 'string' ? { method: filter } : filter;
}

/** `Result` is what that control is documented to answer; both ends live in this folder. */
async function request<Result>(verb: string, url: string, body: unknown): Promise<Result> {
  const response = await fetch(url, {
    method: verb,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`emulator: ${JSON.stringify(answer)}`);
  return answer as Result;
}
