import type { PageEvent, PageLogStore } from '../../core/page-log.js';
import { pageTitleOf } from '../page-title.js';
import { copyOf } from './copy.js';

export const createMemoryPageLog = (): PageLogStore => {
  const events: PageEvent[] = [];
  const of = (session: string): PageEvent[] => events.filter((event) => event.session === session);

  return {
    append: async (event) => {
      const known = of(event.session).find(({ message }) => message === event.message);
      if (known !== undefined) return known;
      const added = { ...copyOf(event), sequence: events.length + 1 };
      events.push(added);
      return added;
    },
    since: async (session, sequence) => of(session).filter((event) => event.sequence > sequence),
    history: async (session, { limit, before = Number.POSITIVE_INFINITY }) => {
      const earlier = of(session).filter(({ sequence }) => sequence < before);
      return earlier.slice(Math.max(0, earlier.length - limit));
    },
    sessions: async (limit) =>
      // The latest first: each session stands where its last event does.
      [...new Set(events.toReversed().map(({ session }) => session))].slice(0, limit).map((session) => ({
        session,
        title: pageTitleOf(of(session)[0]?.text ?? ''),
        updatedAt: of(session).at(-1)?.at ?? 0,
      })),
  };
};
