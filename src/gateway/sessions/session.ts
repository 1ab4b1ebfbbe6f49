import type { SessionKey } from '../../core/ids.js';
import { toRoute } from '../../core/route.js';
import type { SessionRecord } from '../../core/stores.js';
import type { Caller } from '../../core/tool.js';
import { isOwner } from '../inbound/access.js';
import { isSharedSession } from '../inbound/session-key.js';
import type { SessionDeps } from './types.js';

/** The key's current session; a new one, with its own unchanging system prompt and tools, where there is none. */
export const openSession = async (
  key: SessionKey,
  { origin, user, skills }: Pick<Caller, 'origin' | 'user' | 'skills'>,
  deps: SessionDeps,
): Promise<SessionRecord> => {
  const { stores, persist, agent } = deps;
  const known = await persist(() => stores.sessions.current(key));
  if (known !== undefined) return known;
  const adapter = deps.adapterFor(origin);
  const platform = deps.platform(origin.platform);
  const { workspace } = platform?.turnFor?.(origin.chat) ?? {};
  const [system, tools] = await Promise.all([
    agent.systemPrompt({
      platform: origin.platform,
      platformTitle: platform?.title ?? origin.platform,
      chatKind: origin.chatKind,
      isOwner: platform !== undefined && isOwner(platform, user, deps.settings),
      isUnattended: platform?.isUnattended ?? false,
      ...(workspace !== undefined && { workspace }),
      ...(skills !== undefined && { skills }),
      renderingHint: adapter?.support(toRoute(origin)).text.hint ?? '',
    }),
    agent.toolNames(origin.platform),
  ]);
  const record: SessionRecord = {
    id: deps.ids.next('session'),
    key,
    system,
    tools,
    createdAt: deps.clock.now(),
    ...(!isSharedSession(origin, deps.settings) && { person: { platform: origin.platform, user } }),
  };
  await persist(() => stores.sessions.begin(record));
  return record;
};
