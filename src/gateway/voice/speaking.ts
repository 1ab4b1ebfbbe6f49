/**
 * The voice message that a row of the outbox stands for. Place in the flow: outbox* → (here) → outbox* → lane.
 *
 * 1. The row stays until what takes its place is stored: a kill speaks again and sends once.
 * 2. What cannot be spoken is said in words, with the written answer where it was not sent beside.
 */
import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { Delivery, EncodedMessage, SpeechOrder } from '../../core/outbound.js';
import type { OutboundPart } from '../../core/parts.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { VoiceService } from '../../core/voice.js';
import { toRows } from '../outbound/compose.js';
import { startTyping } from '../outbound/typing.js';

interface SpeakingDeps {
  readonly voice: Pick<VoiceService, 'speak'>;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The rows that take the place of one with an order. Rejects only with the signal's reason. */
export type SpeakOrder = (
  delivery: Delivery,
  order: SpeechOrder,
  adapter: PlatformAdapter,
  options: { readonly signal: AbortSignal },
) => Promise<readonly Delivery[]>;

export const createSpeakOrder =
  ({ voice, ...deps }: SpeakingDeps): SpeakOrder =>
  async (delivery, { ear, voice: name, instead }, adapter, { signal }) => {
    const { route, idempotencyKey, cause, correlation, replyTo } = delivery;
    const end = startTyping({ ...deps, route, adapter, callSignal: signal, activity: 'recording' });
    const spoken = await voice
      .speak(ear, { signal, ...(name !== undefined && { voice: name }) })
      .finally(end);
    const rows = (encoded: readonly EncodedMessage[], key: string) => {
      const reply = replyTo === undefined ? {} : { replyTo };
      return toRows(
        { route, cause, correlation, ...reply, idempotencyKey: `${idempotencyKey}/${key}` },
        encoded,
        deps,
      );
    };
    const said = (text: string) => adapter.encode([{ type: 'text', text } satisfies OutboundPart], route);
    if (spoken.type === 'failed')
      return rows([...instead, ...said(`⚠️ I could not say this aloud: ${spoken.reason}.`)], 'written');
    const remarks = spoken.remarks.length === 0 ? [] : said(`ℹ️ ${spoken.remarks.join('\n')}`);
    // A sound file that stands in for a voice message has to be opened; the words are read at once.
    const written = spoken.part.kind === 'voice' ? [] : instead;
    return rows([...written, ...adapter.encode([spoken.part], route), ...remarks], 'spoken');
  };
