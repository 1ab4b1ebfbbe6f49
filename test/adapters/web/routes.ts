import { account, platformId } from '../../../src/adapters/web/ids.js';
import { toChatId } from '../../../src/core/ids.js';
import type { Route } from '../../../src/core/route.js';

export const toRouteOf = (session: string): Route => ({
  platform: platformId,
  account,
  chat: toChatId(session),
});
