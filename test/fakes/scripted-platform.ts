/** A platform in memory: its chats are there to be read, its people write when the test says so. */
import {
  GatewayError,
  never,
  PlatformError,
  type PlatformErrorCode,
  type RetryFate,
} from '../../src/core/errors.js';
import { type MessageId, toAccountId, toPlatformId } from '../../src/core/ids.js';
import type { InboundEvent, InboundSink } from '../../src/core/inbound.js';
import type { EncodedMessage, Receipt } from '../../src/core/outbound.js';
import { type Choice, type OutboundPart, textOf } from '../../src/core/parts.js';
import type {
  ChoicesFacet,
  CommandInfo,
  EditingFacet,
  PlatformAdapter,
  PreviewFacet,
  ProgressFacet,
  ReactingFacet,
  RunOptions,
  SendRequest,
  TypingFacet,
} from '../../src/core/platform.js';
import type { Route } from '../../src/core/route.js';
import type { TurnEvent } from '../../src/core/turn.js';
import { aMessage, aPress } from './builders.js';
import { CallScript } from './call-script.js';
import { ManualClock } from './manual-clock.js';
import { ScriptedChat } from './scripted-chat.js';

interface PlatformSketch {
  readonly id?: string;
  readonly clock?: ManualClock;
  /** Longest message, in UTF-16 units. */
  readonly maxLength?: number;
  readonly isIdempotent?: boolean;
  readonly canEdit?: boolean;
  readonly canPreview?: boolean;
  /** Shows choices as buttons. Default false. */
  readonly canChoose?: boolean;
  readonly canReact?: boolean;
  /** An earlier connection to the same platform: its chats go on. */
  readonly earlier?: ScriptedPlatform;
}

interface Batch {
  readonly events: readonly InboundEvent[];
  readonly onStored: () => void;
}

export const platformError = (
  code: PlatformErrorCode = 'unavailable',
  { outcome = 'none', retry = never }: { outcome?: 'none' | 'unknown'; retry?: RetryFate } = {},
): PlatformError =>
  new PlatformError({
    code,
    outcome,
    retry,
    message: `scripted ${code}`,
    userText: `The platform says ${code}.`,
  });

/** How long it waits before a batch that was not stored is offered again. */
const RETRY_MS = 1_000;
const PREVIEW_INTERVAL_MS = 1_000;

const MAX_CHOICES = 20;

const choicesOf = ({ payload }: EncodedMessage): { readonly choices?: readonly Choice[] } =>
  // Made by `encode` beneath.
  typeof payload === 'object' && payload !== null
    ? (payload as { readonly choices?: readonly Choice[] })
    : {};

export class ScriptedPlatform implements PlatformAdapter {
  readonly platform;
  readonly account = toAccountId('bot');
  readonly idempotentSend: boolean;
  readonly script = new CallScript();
  /** The command menu as people see it. */
  menu: readonly CommandInfo[] = [];
  /** What a page that draws turns itself was told. */
  readonly turnEvents: TurnEvent[] = [];
  readonly editing?: EditingFacet;
  readonly preview?: PreviewFacet;
  readonly progress: ProgressFacet = { publish: (_route, event) => void this.turnEvents.push(event) };
  readonly typing: TypingFacet;
  readonly choices?: ChoicesFacet;
  readonly reacting?: ReactingFacet;
  /** What those who pressed were told, in order. */
  readonly acknowledged: (string | undefined)[] = [];
  readonly commandMenu = {
    publish: (commands: readonly CommandInfo[], { signal }: { readonly signal: AbortSignal }) =>
      this.#call('menu', signal, () => {
        this.menu = commands;
      }),
  };
  readonly #clock: ManualClock;
  readonly #maxLength: number;
  readonly #chats: Map<string, ScriptedChat>;
  readonly #receipts = new Map<string, Receipt>();
  readonly #inbound: Batch[] = [];
  readonly #watchers = new Set<() => void>();
  #runCount = 0;
  #breakOff: (error: Error) => void = () => undefined;
  #saidCount: number;

  constructor(sketch: PlatformSketch = {}) {
    const { id = 'fake', clock = new ManualClock(), maxLength = 4_000, isIdempotent = false } = sketch;
    const { canEdit = true, canPreview = canEdit } = sketch;
    this.platform = toPlatformId(id);
    this.#clock = clock;
    this.#maxLength = maxLength;
    const { earlier } = sketch;
    this.#chats = earlier === undefined ? new Map() : earlier.#chats;
    this.#saidCount = earlier === undefined ? 0 : earlier.#saidCount;
    this.idempotentSend = isIdempotent;
    if (canEdit) this.editing = { edit: (request, options) => this.#edit(request, options.signal) };
    if (canPreview) {
      const minIntervalMs = () => PREVIEW_INTERVAL_MS;
      this.preview = { minIntervalMs, encodePreview: (text) => this.#cut(text.trim())[0] };
    }
    if (sketch.canChoose === true) {
      this.choices = {
        maxChoices: MAX_CHOICES,
        acknowledge: (_press, text, { signal }) =>
          this.#call('acknowledge', signal, () => void this.acknowledged.push(text)),
      };
    }
    if (sketch.canReact === true) {
      this.reacting = {
        react: ({ route, message }, reaction, { signal }) =>
          this.#call('react', signal, () => void this.chat(route.chat).reactions.push({ message, reaction })),
      };
    }
    this.typing = {
      lastsMs: 5_000,
      show: ({ chat }, { signal }) =>
        this.#call('typing', signal, () => {
          this.chat(chat).typingCount += 1;
        }),
    };
  }

  /** How often it began to receive. */
  get runCount(): number {
    return this.#runCount;
  }

  /** Its connection ends with this error. */
  breakOff(error: Error): void {
    this.#breakOff(error);
  }

  chat(name = 'c1'): ScriptedChat {
    const chat = this.#chats.get(name) ?? new ScriptedChat();
    this.#chats.set(name, chat);
    return chat;
  }

  /** A person writes; resolves when it is stored. */
  say(text: string, sketch: Omit<NonNullable<Parameters<typeof aMessage>[0]>, 'text'> = {}): Promise<void> {
    this.#saidCount += 1;
    const id = `m${this.#saidCount}`;
    return this.push([aMessage({ id, platform: this.platform, ...sketch, text })]);
  }

  /** A person presses the button with this label, wherever it stands; resolves when the press is stored. */
  press(
    label: string,
    sketch: Omit<NonNullable<Parameters<typeof aMessage>[0]>, 'text'> = {},
  ): Promise<void> {
    this.#saidCount += 1;
    const { chat = 'c1' } = sketch;
    const shown = this.chat(chat).messages.findLast(({ choices }) =>
      choices?.some((one) => one.label === label),
    );
    const token = shown?.choices?.find((one) => one.label === label)?.token;
    if (shown === undefined || token === undefined) throw new Error(`there is no button '${label}'`);
    return this.push([
      aPress({ id: `b${this.#saidCount}`, platform: this.platform, ...sketch, token, message: shown.id }),
    ]);
  }

  /** Resolves when all of them are stored. */
  push(events: readonly InboundEvent[]): Promise<void> {
    return new Promise((resolve) => {
      this.#inbound.push({ events, onStored: resolve });
      this.#touch();
    });
  }

  /** Resolves once `check` holds; looked at whenever something happens here. */
  until(check: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!check()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Resolves once a message of the chat shows the text. */
  showing(text: string, chat = 'c1'): Promise<void> {
    return this.until(() => this.chat(chat).texts.some((one) => one.includes(text)));
  }

  support() {
    const hint = 'Plain text.';
    return { text: { level: 'native' as const, maxLength: this.#maxLength, unit: 'utf16' as const, hint } };
  }

  encode(parts: readonly OutboundPart[]): readonly EncodedMessage[] {
    const messages = this.#cut(textOf(parts).trim());
    const choices = parts.flatMap((part) => (part.type === 'choices' ? part.choices : []));
    if (choices.length === 0) return messages;
    const payload = { choices: choices.map((one) => ({ ...one })) };
    return messages.map((one, index) => (index === messages.length - 1 ? { ...one, payload } : one));
  }

  annotate({ text }: EncodedMessage, note: string): readonly EncodedMessage[] {
    return this.#cut(`${note}\n${text}`);
  }

  async run(sink: InboundSink, { signal, report }: RunOptions): Promise<void> {
    this.#runCount += 1;
    this.#touch();
    await this.#call('run', signal, () => report({ state: 'connected' }));
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const broken = new Promise<never>((_resolve, reject) => {
      this.#breakOff = reject;
    });
    while (!signal.aborted) {
      await Promise.race([stopped, broken, this.until(() => this.#inbound.length > 0)]);
      const batch = this.#inbound[0];
      if (signal.aborted || batch === undefined) return;
      try {
        await sink.accept(batch.events);
        this.#inbound.shift();
        batch.onStored();
        report({ state: 'connected' });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        report({ state: 'unhealthy', detail: error.message });
        await this.#clock.sleep(RETRY_MS, { signal }).catch(() => undefined);
      }
    }
  }

  send(request: SendRequest, { signal }: { readonly signal: AbortSignal }): Promise<Receipt> {
    const { route, encoded, replyTo, idempotencyKey } = request;
    return this.#call('send', signal, () => {
      this.#refuseOversized(encoded);
      const known = this.idempotentSend ? this.#receipts.get(idempotencyKey) : undefined;
      if (known !== undefined) return known;
      const message = this.chat(route.chat).add({
        text: encoded.text,
        ...(route.thread !== undefined && { thread: route.thread }),
        ...(replyTo !== undefined && { replyTo }),
        ...choicesOf(encoded),
      });
      const receipt = { messages: [message], sentAt: this.#clock.now() };
      this.#receipts.set(idempotencyKey, receipt);
      return receipt;
    });
  }

  #edit(
    { route, encoded, message }: { route: Route; encoded: EncodedMessage; message: MessageId },
    signal: AbortSignal,
  ): Promise<Receipt> {
    return this.#call('edit', signal, () => {
      this.#refuseOversized(encoded);
      const { choices } = choicesOf(encoded);
      if (!this.chat(route.chat).change(message, encoded.text, choices)) throw platformError('message-gone');
      return { messages: [message], sentAt: this.#clock.now() };
    });
  }

  async #call<T>(kind: Parameters<CallScript['run']>[0], signal: AbortSignal, apply: () => T): Promise<T> {
    try {
      return await this.script.run(kind, signal, apply);
    } finally {
      this.#touch();
    }
  }

  #refuseOversized({ text }: EncodedMessage): void {
    if (text.length > this.#maxLength) throw platformError('refused');
  }

  /** At spaces where there are some, never through a surrogate pair. */
  #cut(text: string): readonly EncodedMessage[] {
    const pieces: string[] = [];
    for (let rest = text.trim(); rest !== ''; ) {
      let end = rest.length;
      if (end > this.#maxLength) {
        const space = rest.slice(0, this.#maxLength + 1).search(/\s\S*$/u);
        end = space > 0 ? space : this.#maxLength;
        if (/[\uD800-\uDBFF]/u.test(rest.charAt(end - 1)) && /[\uDC00-\uDFFF]/u.test(rest.charAt(end)))
          end -= 1;
      }
      pieces.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end).trimStart();
    }
    return pieces.map((piece) => ({ text: piece, payload: piece }));
  }

  #touch(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
