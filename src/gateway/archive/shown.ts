/** A page shows the conversations of a chat in one row; which part of it is whose. Pure. */
import type { StoredMessage } from '../../core/archive.js';
import type { PageEvent } from '../../core/page-log.js';

/**
 * Whether an event is of the conversation `own`, and not of one of the `others`. A person's words belong to the one that
 * took them up next, an answer to the one that spoke last.
 */
export const belongsTo = (
  own: readonly StoredMessage[],
  others: readonly StoredMessage[],
): ((event: PageEvent) => boolean) => {
  const moments = [
    ...own.map(({ at }) => ({ at, isOwn: true })),
    ...others.map(({ at }) => ({ at, isOwn: false })),
  ].sort((one, other) => one.at - other.at);
  return ({ role, at }) => {
    const nearest =
      role === 'user'
        ? moments.find((moment) => moment.at >= at)
        : moments.findLast((moment) => moment.at <= at);
    return nearest?.isOwn ?? false;
  };
};
