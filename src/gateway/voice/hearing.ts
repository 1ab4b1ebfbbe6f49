/**
 * Recordings to words. Place in the flow: inbox* → (here) → router.
 *
 * 1. The recording is stored before anybody listens, and stays in the inbox until its turn has begun: a kill loses nothing.
 * 2. What goes in and what comes out is a message; one without recordings passes as it is.
 * 3. Whatever fails becomes words for the agent and its sender: nothing is skipped in silence.
 */
import type { InboundEvent, InboundMessage } from '../../core/inbound.js';
import type { InboundMediaPart, InboundPart } from '../../core/parts.js';
import type { VoiceService } from '../../core/voice.js';
import { keepPart, type ReceiveDeps } from '../media/receive.js';

interface CallOptions {
  readonly signal: AbortSignal;
}

export interface Hearing {
  /** Whether there is something in it to listen to. */
  needs(event: InboundEvent): event is InboundMessage;
  /** Rejects only with the signal's reason. */
  listen(event: InboundMessage, options: CallOptions): Promise<InboundMessage>;
}

interface HearingDeps extends ReceiveDeps {
  readonly voice: Pick<VoiceService, 'hear' | 'listens' | 'maxMs'>;
  /** Tells the sender something about what was understood. Never throws. */
  tell(event: InboundMessage, text: string): void;
}

const isRecording = (part: InboundPart): part is InboundMediaPart =>
  part.type === 'media' &&
  (part.kind === 'voice' || part.isSpoken === true) &&
  part.said === undefined &&
  part.unheard === undefined;

export const createHearing = (deps: HearingDeps): Hearing => {
  const { voice, tell } = deps;
  const listenTo = async (
    part: InboundMediaPart,
    event: InboundMessage,
    { signal }: CallOptions,
  ): Promise<InboundMediaPart> => {
    if ((part.durationMs ?? 0) > voice.maxMs)
      return {
        ...part,
        unheard: { reason: `it is longer than ${Math.round(voice.maxMs / 60_000)} minutes` },
      };
    const kept = await keepPart(part, event, deps, signal);
    signal.throwIfAborted();
    // What did not arrive is told where files are received.
    if (!('path' in kept)) return part;
    const heard = await voice.hear(kept, { signal });
    switch (heard.type) {
      case 'words':
        if (heard.remarks.length > 0) tell(event, `ℹ️ ${heard.remarks.join('\n')}`);
        return { ...part, kept, said: heard.text };
      case 'silence':
        return { ...part, kept, unheard: {} };
      case 'failed':
        return { ...part, kept, unheard: { reason: heard.reason } };
    }
  };
  return {
    needs: (event): event is InboundMessage =>
      voice.listens && event.type === 'message' && event.parts.some(isRecording),
    listen: async (event, options) => {
      const parts = event.parts.map((part) => (isRecording(part) ? listenTo(part, event, options) : part));
      return { ...event, parts: await Promise.all(parts) };
    },
  };
};
