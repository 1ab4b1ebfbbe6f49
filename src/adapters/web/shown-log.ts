import type { PageLogStore, ShownLog } from '../../core/page-log.js';
import { platformId } from './ids.js';

/** The page's log, for those who forget conversations. Works whether the page is served or not. */
export const createShownLog = (pageLog: PageLogStore): ShownLog => ({
  shows: (platform) => platform === platformId,
  names: (file) => pageLog.hasFile(file),
  forget: async (chat, isGone) => {
    const events = await pageLog.since(chat, 0);
    return pageLog.forget(
      chat,
      events.filter(isGone).map(({ sequence }) => sequence),
    );
  },
});
