/** Opens what WhatsApp wraps a message in: disappearing, to be seen once, with a caption, changed. Pure. */
import { type Fields, fieldsOf } from '../kit/fields.js';

const wrappers: ReadonlySet<string> = new Set([
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'deviceSentMessage',
  'associatedChildMessage',
  'groupMentionedMessage',
  'groupStatusMentionMessage',
  'botInvokeMessage',
  'lottieStickerMessage',
]);

/** Beside the content, not the content. */
const besides: ReadonlySet<string> = new Set(['messageContextInfo', 'senderKeyDistributionMessage']);
const MAX_DEPTH = 8;

/** The kinds of content that a message holds, e.g. `imageMessage`. */
export const kindsOf = (message: Fields): readonly string[] =>
  Object.entries(message)
    .filter(([kind, value]) => value !== null && value !== undefined && !besides.has(kind))
    .map(([kind]) => kind);

export const unwrap = (message: unknown): Fields => {
  let open = fieldsOf(message) ?? {};
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const wrapper = kindsOf(open).find((kind) => wrappers.has(kind));
    const inner = wrapper === undefined ? undefined : fieldsOf(fieldsOf(open[wrapper])?.['message']);
    if (inner === undefined) return open;
    open = inner;
  }
  return open;
};
