/** The typed client for tests. */
import type {
  CallRecord,
  Content,
  Credentials,
  Ending,
  FaultSpec,
  GroupSpec,
  PhoneSpec,
  SeenMessage,
  SeenReceipt,
  SendOptions,
  WaitCondition,
  WorldSpec,
  WorldState,
} from './protocol.js';

export type * from './protocol.js';

export interface Said {
  readonly messageId: string;
  /** As in `SeenMessage.chat`. */
  readonly chat: string;
}

interface Patience {
  readonly timeoutMs?: number;
}

/** What one person does with the phone. */
export interface PhoneControl {
  readonly number: string;
  /** To the bot in private, or where the options say. A string is a text. */
  sends(content: string | Content, options?: SendOptions): Promise<Said>;
  reacts(messageId: string, emoji: string, options?: SendOptions): Promise<Said>;
  edits(messageId: string, text: string, options?: SendOptions): Promise<Said>;
  deletes(messageId: string, options?: SendOptions): Promise<Said>;
  votes(messageId: string, options: readonly string[], send?: SendOptions): Promise<Said>;
  reads(messageIds: readonly string[], chat?: string): Promise<void>;
  /** Says that it could not decrypt a message of the bot. */
  asksAgain(messageId: string): Promise<void>;
  types(on: boolean, group?: string): Promise<void>;
}

export interface WhatsAppControl {
  readonly name: string;
  /** For `platforms.whatsapp.socket_url`. */
  readonly socketUrl: string;
  /** Begins anew: everything of an earlier world with this name is gone and its connections are cut. */
  reset(spec?: WorldSpec): Promise<WorldState>;
  remove(): Promise<void>;
  state(): Promise<WorldState>;
  setPhone(spec: PhoneSpec): Promise<void>;
  /** Makes a group, or changes it, which its members are told: who came, who went, its name. */
  setGroup(spec: GroupSpec): Promise<void>;
  phone(number: string): PhoneControl;
  /** Links a device without pairing and gives what it would have kept. */
  credentials(): Promise<Credentials>;
  /** The account's phone reads the QR code with this text. */
  scan(qr: string): Promise<{ readonly device: number }>;
  /** A code that the client shows is typed into the account's phone. Rejects for a wrong one. */
  enterCode(code: string): Promise<{ readonly device: number }>;
  /** The stanza of a phone's message once more, sealed as it was. */
  redeliver(messageId: string): Promise<void>;
  /** Anything at all: tag, attributes, content (text or nodes). */
  stanza(tag: string, attributes: Readonly<Record<string, string>>, content?: unknown): Promise<void>;
  /** Everything that stands in a chat, deleted or not, the bot's and the others'. */
  messages(chat: string): Promise<readonly SeenMessage[]>;
  /** What the bot wrote in a chat and still stands there, edits done. */
  botTexts(chat: string): Promise<readonly string[]>;
  /** What the bot sent, decrypted, in order: messages, edits, deletions, reactions. */
  sent(): Promise<readonly SeenMessage[]>;
  receipts(): Promise<readonly SeenReceipt[]>;
  /** By a regular expression for `CallRecord.call`; default all. */
  calls(call?: string): Promise<readonly CallRecord[]>;
  clearCalls(): Promise<void>;
  fault(spec: FaultSpec): Promise<void>;
  removeFaults(): Promise<void>;
  release(): Promise<void>;
  /** Ends every connection. */
  end(ending: Ending): Promise<void>;
  /** Ends every connection with a stream error of this code. */
  endWithCode(code: number): Promise<void>;
  /** New connections are refused: by an HTTP status, or by a login failure (401, 403, 503 …). Without either: no longer. */
  refuse(refusal: { readonly status?: number; readonly reason?: number }): Promise<void>;
  /** Pings and queries stay unanswered. */
  silence(on: boolean): Promise<void>;
  wait(condition: WaitCondition, patience?: Patience): Promise<void>;
  waitForReady(patience?: Patience): Promise<void>;
  waitForMessage(chat: string, contains: string, patience?: Patience): Promise<void>;
  /** Waits until what stands in the chat, deleted messages left out, satisfies the predicate, and gives it. */
  waitForChat(
    chat: string,
    predicate: (messages: readonly SeenMessage[]) => boolean,
    patience?: Patience,
  ): Promise<readonly SeenMessage[]>;
  /** The same for everything that the bot sent. */
  waitForSent(
    predicate: (sent: readonly SeenMessage[]) => boolean,
    patience?: Patience,
  ): Promise<readonly SeenMessage[]>;
}

const DEFAULT_TIMEOUT_MS = 10_000;

interface Listed {
  readonly messages: readonly SeenMessage[];
  readonly version: number;
}

export function createWhatsAppControl(baseUrl: string, name: string): WhatsAppControl {
  const call = async <Result>(verb: string, body: unknown = {}): Promise<Result> => {
    const response = await fetch(`${baseUrl}/control/${encodeURIComponent(name)}/${verb}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    // The emulator is our own and answers what protocol.ts says.
    const answer = (await response.json()) as Result & { readonly error?: string };
    if (!response.ok) throw new Error(`${verb}: ${answer.error}`);
    return answer;
  };
  const tell = async (verb: string, body: unknown = {}): Promise<void> => {
    await call(verb, body);
  };
  const calls = async (pattern = ''): Promise<readonly CallRecord[]> =>
    (await call<{ calls: readonly CallRecord[] }>('calls', { call: pattern })).calls;
  const wait = async (condition: WaitCondition, patience: Patience = {}): Promise<void> => {
    const { met } = await call<{ met: boolean }>('wait', { ...condition, ...patience });
    if (met) return;
    const last = (await calls())
      .slice(-12)
      .map((record) => `${record.call}${record.applied ? '' : ' (not applied)'}`);
    const { complaints } = await call<WorldState>('state');
    throw new Error(
      `waited in vain for ${JSON.stringify(condition)}; last calls: ${last.join(', ') || 'none'}; ${complaints.join('; ')}`,
    );
  };
  const waitUntil = async (
    read: () => Promise<Listed>,
    change: (after: number) => WaitCondition,
    predicate: (messages: readonly SeenMessage[]) => boolean,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Patience = {},
  ): Promise<readonly SeenMessage[]> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const { messages, version } = await read();
      if (predicate(messages)) return messages;
      const left = Math.max(1, Math.ceil(deadline - performance.now()));
      await wait(change(version), { timeoutMs: left });
    }
  };
  const standing = ({ messages, version }: Listed): Listed => ({
    messages: messages.filter(({ deleted }) => !deleted),
    version,
  });
  return {
    name,
    socketUrl: `${baseUrl.replace(/^http/u, 'ws')}/ws/${encodeURIComponent(name)}`,
    reset: (spec = {}) => call('reset', spec),
    remove: () => tell('remove'),
    state: () => call('state'),
    setPhone: (spec) => tell('phone', spec),
    setGroup: (spec) => tell('group', spec),
    phone: (number) => createPhoneControl(number, call),
    credentials: () => call('credentials'),
    scan: (qr) => call('scan', { qr }),
    enterCode: (code) => call('code', { code }),
    redeliver: (messageId) => tell('redeliver', { messageId }),
    stanza: (...stanza) => tell('stanza', { stanza }),
    messages: async (chat) => (await call<Listed>('messages', { chat })).messages,
    botTexts: async (chat) =>
      standing(await call<Listed>('messages', { chat }))
        .messages.filter(({ from, targetId }) => from === 'bot' && targetId === undefined)
        .map(({ text }) => text),
    sent: async () => (await call<Listed>('sent')).messages,
    receipts: async () => (await call<{ receipts: readonly SeenReceipt[] }>('receipts')).receipts,
    calls,
    clearCalls: () => tell('clear-calls'),
    fault: (spec) => tell('fault', spec),
    removeFaults: () => tell('remove-faults'),
    release: () => tell('release'),
    end: (ending) => tell('end', { ending }),
    endWithCode: (code) => tell('end', { code }),
    refuse: (refusal) => tell('refuse', refusal),
    silence: (on) => tell('silence', { on }),
    wait,
    waitForReady: (patience) => wait({ kind: 'ready' }, patience),
    waitForMessage: (chat, contains, patience) => wait({ kind: 'message', chat, contains }, patience),
    waitForChat: (chat, predicate, patience) =>
      waitUntil(
        async () => standing(await call('messages', { chat })),
        (after) => ({ kind: 'chat-changed', chat, after }),
        predicate,
        patience,
      ),
    waitForSent: (predicate, patience) =>
      waitUntil(
        () => call('sent'),
        (after) => ({ kind: 'sent-changed', after }),
        predicate,
        patience,
      ),
  };
}

function createPhoneControl(
  number: string,
  call: <Result>(verb: string, body?: unknown) => Promise<Result>,
): PhoneControl {
  const send = (content: Content, options: SendOptions = {}): Promise<Said> =>
    call('send', { from: number, content, options });
  return {
    number,
    sends: (content, options) =>
      send(typeof content === 'string' ? { kind: 'text', text: content } : content, options),
    reacts: (messageId, emoji, options) => send({ kind: 'reaction', messageId, emoji }, options),
    edits: (messageId, text, options) => send({ kind: 'edit', messageId, text }, options),
    deletes: (messageId, options) => send({ kind: 'delete', messageId }, options),
    votes: (messageId, chosen, options) => send({ kind: 'vote', messageId, options: chosen }, options),
    reads: async (messageIds, chat) => {
      await call('read', { from: number, messageIds, type: 'read', ...(chat === undefined ? {} : { chat }) });
    },
    asksAgain: async (messageId) => {
      await call('ask-again', { from: number, messageIds: [messageId] });
    },
    types: async (on, group) => {
      await call('typing', { from: number, on, ...(group === undefined ? {} : { chat: group }) });
    },
  };
}
