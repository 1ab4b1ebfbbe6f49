import type { PlatformAdapter } from '../../core/platform.js';
import { type Route, toRoute } from '../../core/route.js';
import { nameSetting } from '../../core/setting-words.js';
import { formatTarget, parseTargets, type Target } from '../../core/targets.js';
import type { GatewayPlatform, GatewaySettings } from '../settings.js';

export interface ResolvedTarget {
  /** The target's readable form. */
  readonly target: string;
  /** Undefined for `local`: the text goes nowhere. */
  readonly route?: Route;
}

export type Resolution =
  | { readonly ok: true; readonly targets: readonly ResolvedTarget[] }
  | { readonly ok: false; readonly problem: string };

export interface ResolveContext {
  readonly platforms: readonly {
    readonly platform: GatewayPlatform;
    readonly adapter: PlatformAdapter | undefined;
  }[];
  /** Platforms that are off, with how to switch them on; absent: none is known. */
  readonly offPlatforms?: GatewaySettings['offPlatforms'];
  /** The chat that the request came from; absent for an operator. */
  readonly origin?: Route;
}

type One =
  | { readonly ok: true; readonly target: ResolvedTarget }
  | { readonly ok: false; readonly problem: string };

const problem = (text: string): One => ({ ok: false, problem: text });

const resolveNamed = (
  platformId: string,
  name: string,
  readable: string,
  { platforms, offPlatforms = [] }: ResolveContext,
): One => {
  const entry = platforms.find(({ platform }) => platform.id === platformId);
  if (entry === undefined) {
    const off = offPlatforms.find(({ id }) => id === platformId);
    if (off !== undefined) return problem(`${off.title} is off. ${off.advice}`);
    const known = platforms.map(({ platform }) => platform.id).join(', ');
    return problem(`No platform is called '${platformId}'. Enabled are: ${known || 'none'}.`);
  }
  const { adapter, platform } = entry;
  const address = platform.parseAddress(name);
  if (address === undefined) {
    const home = platform.homeChannel === undefined ? '' : ` Known: ${platform.id} (its home channel).`;
    return problem(
      `'${readable}' is not a chat id of ${platform.title}, and labels are not known yet.${home}`,
    );
  }
  if (adapter === undefined) return problem(`${platform.title} is not in service: see 'hermes status'.`);
  const route: Route = { platform: adapter.platform, account: adapter.account, ...address };
  return { ok: true, target: { target: readable, route } };
};

const resolveOne = (target: Target, context: ResolveContext): One => {
  const readable = formatTarget(target);
  switch (target.type) {
    case 'local':
      return { ok: true, target: { target: readable } };
    case 'origin':
      return context.origin === undefined
        ? problem("'origin' is the chat a request came from; here there is none. Name a chat.")
        : { ok: true, target: { target: readable, route: toRoute(context.origin) } };
    case 'home': {
      const home = context.platforms.find(({ platform }) => platform.id === target.platform)?.platform;
      if (home !== undefined && home.homeChannel === undefined) {
        return problem(
          `${home.title} has no home channel. Set ${nameSetting(`platforms.${home.id}.home_channel`, home.variables['home_channel'])}, or name a chat.`,
        );
      }
      return resolveNamed(target.platform, home?.homeChannel ?? '', readable, context);
    }
    case 'named':
      return resolveNamed(target.platform, target.name, readable, context);
  }
};

const sameRoute = (one: Route | undefined, other: Route | undefined): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(toRoute(one)) === JSON.stringify(toRoute(other));

/** Where a target list leads; all of it or, with the first problem, nothing. A chat named twice is served once. */
export const resolveTargets = (text: string, context: ResolveContext): Resolution => {
  const parsed = parseTargets(text);
  if (!parsed.ok) return parsed;
  const targets: ResolvedTarget[] = [];
  for (const target of parsed.targets) {
    const resolved = resolveOne(target, context);
    if (!resolved.ok) return resolved;
    if (!targets.some(({ route }) => sameRoute(route, resolved.target.route))) targets.push(resolved.target);
  }
  return { ok: true, targets };
};

/** True if `route` is the chat of the request or the platform's home channel. */
export const isOwnChatOrHome = (route: Route, context: ResolveContext): boolean => {
  if (context.origin !== undefined && sameRoute({ ...route }, context.origin)) return true;
  return context.platforms.some(({ platform }) => {
    if (platform.id !== route.platform || platform.homeChannel === undefined) return false;
    const home = platform.parseAddress(platform.homeChannel);
    return home !== undefined && home.chat === route.chat && home.thread === route.thread;
  });
};
