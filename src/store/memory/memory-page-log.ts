import type { PageEvent, PageLogStore } from '../../core/page-log.js';
import { pageTitleOf } from '../page-title.js';
import { copyOf } from './copy.js';

export const createMemoryPageLog = (): PageLogStore => {
  let events: PageEvent[] = [];
  let sequence = 0;
  const of = (session: string): PageEvent[] => events.filter((event) => event.session === session);

  return {
    append: async (event) => {
      const known = of(event.session).find(({ message }) => message === event.message);
      if (known !== undefined) return known;
      sequence += 1;
      const added = { ...copyOf(event), sequence };
      events.push(added);
      return added;
    },
    since: async (session, start) => of(session).filter((event) => event.sequence > start),
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
    forget: async (session, sequences) => {
      const gone = of(session).filter((event) => sequences.includes(event.sequence));
      events = events.filter((event) => !gone.includes(event));
      const shown = new Set(events.flatMap(({ media = [] }) => media.map(({ id }) => id)));
      return gone.flatMap(({ media = [] }) => media).filter(({ id }) => !shown.has(id));
    },
    hasFile: async (id) => events.some(({ media = [] }) => media.some((file) => file.id === id)),
    trim: async ({ before, keep }) => {
      const kept = events.filter((event) => {
        const all = of(event.session);
        const isUsed = all.some(({ at }) => at >= before);
        return event.at >= before || (isUsed && all.indexOf(event) >= all.length - keep);
      });
      const count = events.length - kept.length;
      events = kept;
      return count;
    },
  };
};
