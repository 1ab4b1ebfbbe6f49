/**
 * The sink: adapter → access → inbox* → router.
 *
 * 1. Whether somebody may write is decided before anything is stored: of a stranger's message only the key is kept.
 * 2. Of strangers who come too fast not even the key: a flood costs no write.
 * 3. Duplicates are recognised here, by the store, and nowhere else.
 * 4. The adapter acknowledges upstream only after this resolved.
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
  /** Whether one more event of a stranger may be looked at now. */
  mayPass(event: InboundEvent): boolean;
  onDropped(event: InboundEvent): void;
  /** Takes a stored event on; must not throw. */
  route(id: InboxId, event: InboundEvent): void;
  onStranger(event: InboundEvent): void;
  onInbound(event: InboundEvent): void;
}

export const createSink = (deps: SinkDeps): InboundSink => ({
  accept: async (events) => {
    if (events.length === 0) return [];
    const judged = events.map((event) => {
      const verdict = deps.decide(event);
      const isDropped = verdict === 'stranger' && !deps.mayPass(event);
      return { id: deps.ids.next('inbox'), event, verdict, isDropped };
    });
    const kept = judged.filter(({ isDropped }) => !isDropped);
    const stored = await deps.inbox.accept(
      kept.map(({ id, event, verdict }) => ({
        id,
        dedupeKey: event.dedupeKey,
        receivedAt: event.receivedAt,
        ...(verdict === 'allowed' && { event }),
      })),
    );
    const outcomes = new Map(kept.map(({ id }, index) => [id, stored[index]]));
    return judged.map(({ id, event, verdict, isDropped }): AcceptOutcome => {
      if (isDropped) {
        deps.onDropped(event);
        return 'refused';
      }
      const isNew = outcomes.get(id) === 'stored';
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
