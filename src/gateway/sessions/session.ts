import type { SessionKey } from '../../core/ids.js';
import { type Origin, toRoute } from '../../core/route.js';
import type { SessionRecord } from '../../core/stores.js';
import type { SessionDeps } from './types.js';

/** The key's current session; a new one, with its own unchanging system prompt, where there is none. */
export const openSession = async (
  key: SessionKey,
  origin: Origin,
  deps: SessionDeps,
): Promise<SessionRecord> => {
  const { stores, persist, agent } = deps;
  const known = await persist(() => stores.sessions.current(key));
  if (known !== undefined) return known;
  const adapter = deps.adapterFor(origin);
  const system = await agent.systemPrompt({
    platformTitle: deps.platform(origin.platform)?.title ?? origin.platform,
    chatKind: origin.chatKind,
    renderingHint: adapter?.support(toRoute(origin)).text.hint ?? '',
  });
  const record: SessionRecord = { id: deps.ids.next('session'), key, system, createdAt: deps.clock.now() };
  await persist(() => stores.sessions.begin(record));
  return record;
};
