/**
 * The sink: adapter → access → inbox* → router.
 *
 * 1. Whether somebody may write is decided before anything is stored: of a stranger's message only the key is kept.
 * 2. Duplicates are recognised here, by the store, and nowhere else.
 * 3. The adapter acknowledges upstream only after this resolved.
 */
import type { IdSource, InboxId } from '../../core/ids.js';
import type { AcceptOutcome, InboundEvent, InboundSink } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { InboxStore } from '../../core/stores.js';
import type { AccessVerdict } from './access.js';

interface SinkDeps {
  readonly inbox: InboxStore;
  readonly ids: IdSource;
  readonly logger: Logger;
  decide(event: InboundEvent): AccessVerdict;
  /** Takes a stored event on; must not throw. */
  route(id: InboxId, event: InboundEvent): void;
  onStranger(event: InboundEvent): void;
  onInbound(event: InboundEvent): void;
}

export const createSink = (deps: SinkDeps): InboundSink => ({
  accept: async (events) => {
    if (events.length === 0) return [];
    const judged = events.map((event) => ({
      id: deps.ids.next('inbox'),
      event,
      verdict: deps.decide(event),
    }));
    const stored = await deps.inbox.accept(
      judged.map(({ id, event, verdict }) => ({
        id,
        dedupeKey: event.dedupeKey,
        receivedAt: event.receivedAt,
        ...(verdict === 'allowed' && { event }),
      })),
    );
    return judged.map(({ id, event, verdict }, index): AcceptOutcome => {
      const isNew = stored[index] === 'stored';
      const { correlation, origin } = event;
      deps.logger.info(
        { correlation, platform: origin.platform, chat: origin.chat, type: event.type, verdict, isNew },
        'event received',
      );
      deps.onInbound(event);
      if (!isNew) return 'duplicate';
      if (verdict === 'allowed') deps.route(id, event);
      if (verdict === 'stranger') deps.onStranger(event);
      return verdict === 'allowed' ? 'stored' : 'refused';
    });
  },
});
