import type { PlatformSettings, Settings } from '../config/index.js';
import { adviseFirstUser } from '../core/setting-words.js';

const isClosed = ({ definition, section }: PlatformSettings, { allowedUsers, owners }: Settings): boolean => {
  const { users, chats, owners: vouched = [] } = definition.access(section);
  return (
    [users, chats, vouched, allowedUsers].every((list) => list.length === 0) &&
    !owners.some((owner) => owner.startsWith(`${definition.id}:`))
  );
};

/** A sentence for each platform that is on and lists nobody. Who was let in by a code is not in the settings. */
export const warnOfClosedPlatforms = (settings: Settings): readonly string[] =>
  settings.platforms
    .filter((platform) => platform.isEnabled && isClosed(platform, settings))
    .map(({ definition: { id, title, environment } }) => {
      const variable = Object.entries<string>(environment).find(([, key]) => key === 'allowed_users')?.[0];
      const advice = adviseFirstUser({ id, title, variable, strangers: settings.strangers });
      return `${title}: nobody is listed, so only people let in by a code may write. ${advice}`;
    });
