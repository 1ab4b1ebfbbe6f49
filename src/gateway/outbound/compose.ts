import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type { Delivery, EncodedMessage, OutboundMessage } from '../../core/outbound.js';
import type { OutboundPart } from '../../core/parts.js';
import type { PlatformAdapter } from '../../core/platform.js';
import { fallBack } from './fallback.js';

const duplicateNote = '(possible duplicate)';

/**
 * Most platform messages that one saying may become. A runaway answer would otherwise occupy a chat, at the pace that
 * platforms allow, for many minutes; the whole text stays in the session's history.
 */
const MAX_MESSAGES = 60;

interface ComposeDeps {
  readonly ids: IdSource;
  readonly clock: Clock;
  /** The last gate before a text leaves: no configured secret passes it. */
  readonly redact: (text: string) => string;
}

const cutRunaway = (
  adapter: PlatformAdapter,
  message: OutboundMessage,
  encoded: readonly EncodedMessage[],
): readonly EncodedMessage[] => {
  if (encoded.length <= MAX_MESSAGES) return encoded;
  const kept = encoded.slice(0, MAX_MESSAGES);
  const lost = encoded.slice(MAX_MESSAGES).reduce((sum, { text }) => sum + text.length, 0);
  const note = `(Cut here: ${lost} more characters do not fit. Ask for a shorter answer, or for the rest in parts.)`;
  return [...kept, ...adapter.encode([{ type: 'text', text: note }], message.route)];
};

/** Markup inside a secret hides it from the first look at the source; what people will read is looked at again. */
const withoutSecrets = (
  encoded: EncodedMessage,
  isLast: boolean,
  adapter: PlatformAdapter,
  { route, parts }: OutboundMessage,
  { redact }: ComposeDeps,
): readonly EncodedMessage[] => {
  const text = redact(encoded.text);
  if (text === encoded.text) return [encoded];
  const rest = parts.filter((part) =>
    part.type === 'media' ? encoded.files?.includes(part.file.path) : part.type === 'choices' && isLast,
  );
  return adapter.encode([{ type: 'text', text }, ...rest], route);
};

const redacted = (part: OutboundPart, { redact }: ComposeDeps): OutboundPart => {
  switch (part.type) {
    case 'text':
      return { ...part, text: redact(part.text) };
    case 'choices':
      return { ...part, choices: part.choices.map((one) => ({ ...one, label: redact(one.label) })) };
    case 'media':
      return part;
  }
};

/** One saying as the rows that carry it, each within the platform's limits, in order. Pure but for ids and time. */
export const compose = (
  message: OutboundMessage,
  adapter: PlatformAdapter,
  deps: ComposeDeps,
): readonly Delivery[] => {
  const { route, replaces } = message;
  const parts = fallBack(
    message.parts.map((part) => redacted(part, deps)),
    adapter,
  );
  const shown = { ...message, parts };
  const whole = adapter
    .encode(parts, route)
    .flatMap((one, index, all) => withoutSecrets(one, index === all.length - 1, adapter, shown, deps));
  const encoded = cutRunaway(adapter, message, whole);
  const [first, ...rest] = encoded;
  if (first === undefined) return [];
  // A preview whose sending was interrupted may or may not be on the screen: what follows it could be a repeat, also where
  // repeats are harmless, as it is another message than the preview was.
  const isUncertain = replaces !== undefined && replaces.message === undefined;
  const messages = isUncertain ? [...adapter.annotate(first, duplicateNote), ...rest] : encoded;
  return toRows(message, messages, deps, { isUncertain });
};

/** Encoded messages of one saying as rows. */
export const toRows = (
  message: Omit<OutboundMessage, 'parts'>,
  encoded: readonly EncodedMessage[],
  deps: Pick<ComposeDeps, 'ids' | 'clock'>,
  { isUncertain = false }: { readonly isUncertain?: boolean } = {},
): readonly Delivery[] => {
  const now = deps.clock.now();
  const { replaces } = message;
  return encoded.map((part, index) => ({
    id: deps.ids.next('delivery'),
    route: message.route,
    encoded: part,
    ...(index === 0 && message.replyTo !== undefined && { replyTo: message.replyTo }),
    ...(index === 0 && replaces?.message !== undefined && { edits: replaces.message }),
    cause: message.cause,
    idempotencyKey: `${message.idempotencyKey}/${index}`,
    correlation: message.correlation,
    state: 'pending' as const,
    attempts: 0,
    isRepeat: isUncertain && index === 0,
    createdAt: now,
    notBefore: 0,
  }));
};

/** The rows that take the place of one whose send has an unknown outcome: the same text, marked. */
export const composeRepeat = (
  delivery: Delivery,
  adapter: PlatformAdapter,
  deps: ComposeDeps,
): readonly Delivery[] =>
  adapter.annotate(delivery.encoded, duplicateNote).map((encoded, index) => {
    const { receipt: _receipt, error: _error, ...rest } = delivery;
    return {
      ...rest,
      id: deps.ids.next('delivery'),
      encoded,
      idempotencyKey: `${delivery.idempotencyKey}/again/${index}`,
      state: 'pending' as const,
      attempts: 0,
      isRepeat: true,
      notBefore: 0,
    };
  });

/** The row that takes the place of an edit whose message is gone: the same text as a new message. */
export const composeAfresh = (delivery: Delivery, deps: ComposeDeps): Delivery => {
  const { edits: _edits, receipt: _receipt, error: _error, ...rest } = delivery;
  return {
    ...rest,
    id: deps.ids.next('delivery'),
    idempotencyKey: `${delivery.idempotencyKey}/new`,
    state: 'pending',
    attempts: 0,
    notBefore: 0,
  };
};
