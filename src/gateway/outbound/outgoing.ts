/** Everything that leaves, put together: what is said becomes rows, rows become calls, and what is lost is told. */
import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { MediaStore } from '../../core/media.js';
import type { Delivery } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import type { OutboxStore } from '../../core/stores.js';
import type { VoiceService } from '../../core/voice.js';
import type { ChatMoves } from '../chat-moves.js';
import { type Attach, createAttach } from '../media/attach.js';
import { codeKeyBeginning } from '../pairing/pairings.js';
import type { Persist } from '../persist.js';
import { createSpeaker, type Speaker } from '../speaker.js';
import { createSpeakOrder } from '../voice/speaking.js';
import { Dispatcher } from './dispatcher.js';
import { lossNotice } from './loss-notice.js';

interface OutgoingDeps {
  readonly outbox: OutboxStore;
  readonly media: MediaStore;
  readonly voice: VoiceService;
  readonly persist: Persist;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** Aborts when the gateway is down. */
  readonly signal: AbortSignal;
  readonly moves: ChatMoves;
  /** Logs the message with what goes wrong. */
  guarded(work: Promise<unknown>, message: string): void;
  adapterFor(route: Route): PlatformAdapter | undefined;
  onSent(route: Route): void;
}

export interface Outgoing {
  readonly dispatcher: Dispatcher;
  readonly attach: Attach;
  readonly speaker: Speaker;
  /** Forgets the deliveries of pairing codes that have ended. */
  forgetCodes(): void;
}

export const createOutgoing = (deps: OutgoingDeps): Outgoing => {
  const { outbox, media, voice, persist, logger, signal, moves, guarded } = deps;
  const forgetCodes = (): void =>
    guarded(
      persist(() => outbox.forget([codeKeyBeginning])),
      'a pairing code stays in the outbox',
    );
  const onEnded = ({ idempotencyKey }: Delivery): void => {
    if (idempotencyKey.startsWith(codeKeyBeginning)) forgetCodes();
  };
  const release = (paths: readonly string[]) => media.release(paths);
  const dispatcher = new Dispatcher({
    ...deps,
    release,
    speak: createSpeakOrder(deps),
    currentRoute: (route) => moves.current(route),
    onMoved: ({ platform, account, chat }, to) => moves.record({ platform, account, from: chat, to }),
    onSent: (delivery) => {
      deps.onSent(delivery.route);
      onEnded(delivery);
    },
    onLost: (delivery, state, error) => {
      guarded(tellLoss(delivery, state, error, speaker), 'notice lost');
      onEnded(delivery);
    },
  });
  const attach = createAttach({ media, voice, logger, signal });
  const speaker = createSpeaker({
    ...deps,
    attach,
    release,
    compose: deps,
    dispatch: (deliveries) => dispatcher.dispatch(deliveries),
    outcome: (id) => dispatcher.outcome(id),
  });
  return { dispatcher, attach, speaker, forgetCodes };
};

const tellLoss = async (
  { id, route, cause, correlation, encoded }: Delivery,
  state: string,
  error: string,
  speaker: Speaker,
): Promise<void> => {
  // What tools and operators send is reported to them; a notice about a lost notice would never end.
  if (cause.kind !== 'turn' && cause.kind !== 'command') return;
  const text = lossNotice(encoded.text, state, error);
  await speaker.say({ route, text, key: `lost/${id}`, cause: { kind: 'notice' }, correlation });
};
