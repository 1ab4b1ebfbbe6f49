/** A bare Baileys socket against the emulator, for the emulator's own tests. */
import {
  type AuthenticationCreds,
  BufferJSON,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type proto,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { createWhatsAppControl, type WhatsAppControl, type WorldSpec } from './control.js';
import { startWhatsAppEmulator, type WhatsAppEmulator } from './server.js';

type Logger = NonNullable<UserFacingSocketConfig['logger']>;

const nothing = (): void => undefined;
const silent: Logger = {
  level: 'silent',
  child: () => silent,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

export interface Auth {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
}

export interface Upsert {
  readonly message: WAMessage;
  readonly type: string;
}

export class BareBot {
  readonly auth: Auth;
  readonly socket: WASocket;
  readonly updates: Partial<ConnectionState>[] = [];
  readonly upserts: Upsert[] = [];
  readonly reactions: unknown[] = [];
  readonly messageUpdates: unknown[] = [];
  readonly #changed = new Set<() => void>();

  constructor(socketUrl: string, auth: Auth, config: Partial<UserFacingSocketConfig> = {}) {
    this.auth = auth;
    this.socket = makeWASocket({
      waWebSocketUrl: socketUrl,
      auth,
      logger: silent,
      retryRequestDelayMs: 1,
      ...config,
    });
    this.socket.ev.process((events) => {
      if (events['creds.update']) Object.assign(auth.creds, events['creds.update']);
      if (events['connection.update']) this.updates.push(events['connection.update']);
      for (const message of events['messages.upsert']?.messages ?? [])
        this.upserts.push({ message, type: events['messages.upsert']?.type ?? '' });
      this.reactions.push(...(events['messages.reaction'] ?? []));
      this.messageUpdates.push(...(events['messages.update'] ?? []));
      for (const look of this.#changed) look();
    });
  }

  /** The first value that the probe gives, now or after an event. */
  until<Value>(what: string, probe: () => Value | undefined | false, timeoutMs = 8_000): Promise<Value> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#changed.delete(look);
        reject(new Error(`waited in vain for ${what}; ${JSON.stringify(this.updates)}`));
      }, timeoutMs);
      const look = (): void => {
        const value = probe();
        if (value === undefined || value === false) return;
        clearTimeout(timer);
        this.#changed.delete(look);
        resolve(value);
      };
      this.#changed.add(look);
      look();
    });
  }

  untilOpen(): Promise<true> {
    return this.until('an open connection', () =>
      this.updates.some(({ connection }) => connection === 'open'),
    );
  }

  /** The code that Baileys gives with the close. */
  untilClosed(): Promise<number> {
    return this.until('a closed connection', () => {
      const closed = this.updates.find(({ connection }) => connection === 'close');
      return closed === undefined ? undefined : statusOf(closed.lastDisconnect?.error);
    });
  }

  untilMessage(id: string): Promise<Upsert> {
    return this.until(`message ${id}`, () => this.upserts.find(({ message }) => message.key.id === id));
  }

  end(): void {
    this.socket.end(undefined);
  }
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('output' in error)) return 0;
  const { output } = error;
  return typeof output === 'object' && output !== null && 'statusCode' in output
    ? Number(output.statusCode)
    : 0;
}

export function freshAuth(): Auth {
  return { creds: initAuthCreds(), keys: memoryKeys() };
}

export interface Rig {
  readonly emulator: WhatsAppEmulator;
  readonly control: WhatsAppControl;
  /** A socket whose device is linked already, unless told otherwise. */
  connect(auth?: Auth, config?: Partial<UserFacingSocketConfig>): Promise<BareBot>;
  linked(): Promise<Auth>;
}

export const ANN = '15550100001';
export const BOB = '15550100002';
export const BOT = '15550109999';
export const GROUP = '120363000000000001@g.us';

const people: WorldSpec = {
  phones: [
    { number: ANN, name: 'Ann' },
    { number: BOB, name: 'Bob', addressing: 'pn' },
  ],
  groups: [{ id: GROUP, subject: 'Plans', members: [ANN, BOB] }],
};

/** One emulator for a test file, one fresh world for each test. */
export function useEmulator(): (spec?: WorldSpec) => Promise<Rig> {
  let emulator: WhatsAppEmulator;
  let worlds = 0;
  const bots: BareBot[] = [];
  const controls: WhatsAppControl[] = [];
  beforeAll(async () => {
    // libsignal prints whole sessions; here they are nobody's.
    for (const method of ['info', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation(nothing);
    emulator = await startWhatsAppEmulator();
  });
  afterEach(async () => {
    for (const bot of bots.splice(0)) bot.end();
    for (const control of controls.splice(0)) await control.remove();
  });
  afterAll(() => emulator.close());
  return async (spec = {}) => {
    worlds += 1;
    const control = createWhatsAppControl(emulator.url, `w${worlds}`);
    controls.push(control);
    await control.reset({ ...people, ...spec });
    const linked = async (): Promise<Auth> => toAuth(await control.credentials());
    return {
      emulator,
      control,
      linked,
      connect: async (auth, config) => {
        const bot = new BareBot(control.socketUrl, auth ?? (await linked()), config);
        bots.push(bot);
        return bot;
      },
    };
  };
}

function toAuth({ creds, preKeys }: { readonly creds: unknown; readonly preKeys: unknown }): Auth {
  const revive = (value: unknown): unknown => JSON.parse(JSON.stringify(value), BufferJSON.reviver);
  const keys = memoryKeys();
  // The emulator gives what Baileys would have written itself.
  void keys.set({ 'pre-key': revive(preKeys) as never });
  return { creds: revive(creds) as AuthenticationCreds, keys };
}

function memoryKeys(): SignalKeyStore {
  const values = new Map<string, string>();
  return {
    get: (type, ids) => {
      const found: Record<string, unknown> = {};
      for (const id of ids) {
        const value = values.get(`${type} ${id}`);
        if (value !== undefined) found[id] = JSON.parse(value, BufferJSON.reviver);
      }
      // Only what `set` was given under the same type comes out again.
      return found as never;
    },
    set: (data) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries ?? {}))
          if (value === null || value === undefined) values.delete(`${type} ${id}`);
          else values.set(`${type} ${id}`, JSON.stringify(value, BufferJSON.replacer));
    },
  };
}

export function textOf(message: proto.IMessage | null | undefined): string {
  return message?.conversation ?? message?.extendedTextMessage?.text ?? '';
}
