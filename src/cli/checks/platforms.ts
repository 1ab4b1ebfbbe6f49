import type { PlatformSettings } from '../../config/index.js';
import { PlatformError } from '../../core/errors.js';
import { toShownAddress } from '../../core/setting-words.js';
import { type Finding, LIMIT_MS, reasonOf, type SettledContext, withoutStop } from './finding.js';

/** Tries the credentials of one platform live. */
const probe = async (
  { definition, section }: PlatformSettings,
  { clock }: Pick<SettledContext, 'clock'>,
): Promise<Finding> => {
  const base = { id: `platform.${definition.id}`, title: definition.title };
  if (definition.probe === undefined) return { ...base, state: 'ok', text: 'needs no credentials' };
  const address = toShownAddress(definition.probe.address(section));
  try {
    const who = await definition.probe.identify(
      section,
      { clock },
      { signal: AbortSignal.timeout(LIMIT_MS) },
    );
    return { ...base, state: 'ok', text: `the token is good: ${who}` };
  } catch (error) {
    const text = withoutStop(reasonOf(error));
    if (error instanceof PlatformError && error.code === 'unauthorized')
      return { ...base, state: 'mend', text: 'the token is refused', fix: error.message };
    if (error instanceof PlatformError && error.code === 'rate-limited')
      return { ...base, state: 'note', text, fix: 'Try again in a minute.' };
    return {
      ...base,
      state: 'mend',
      text,
      fix: `See that this host reaches ${address}: the network, a proxy or firewall, and api_root in platforms.${definition.id}.`,
    };
  }
};

/** Every platform that is on, asked at the same time. */
export const checkPlatforms = async (context: SettledContext): Promise<readonly Finding[]> =>
  Promise.all(
    context.settings.platforms.map((platform): Promise<Finding> | Finding => {
      const { id, title } = platform.definition;
      return platform.isEnabled
        ? probe(platform, context)
        : { id: `platform.${id}`, title, state: 'skipped', text: 'off' };
    }),
  );
