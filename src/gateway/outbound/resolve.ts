import type { KnownChat } from '../../core/directory.js';
import type { PlatformAdapter } from '../../core/platform.js';
import { type Route, toRoute } from '../../core/route.js';
import { nameSetting } from '../../core/setting-words.js';
import { formatTarget, parseTargets, type Target } from '../../core/targets.js';
import { describeChats, findByLabel, findByPrefix } from '../directory/labels.js';
import type { HomeAddress } from '../preferences.js';
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
  /** Chats that may be addressed by their label, as far as the asker may know of them. */
  readonly chats?: readonly KnownChat[];
  /** Home channels that were chosen in a chat, over those of the settings. */
  home?(platform: string): HomeAddress | undefined;
}

type One =
  | { readonly ok: true; readonly target: ResolvedTarget }
  | { readonly ok: false; readonly problem: string };

const problem = (text: string): One => ({ ok: false, problem: text });

const resolveNamed = (
  platformId: string,
  { name, isQuoted }: { readonly name: string; readonly isQuoted: boolean },
  readable: string,
  { platforms, offPlatforms = [], chats = [] }: ResolveContext,
): One => {
  const entry = platforms.find(({ platform }) => platform.id === platformId);
  if (entry === undefined) {
    const off = offPlatforms.find(({ id }) => id === platformId);
    if (off !== undefined) return problem(`${off.title} is off. ${off.advice}`);
    const known = platforms.map(({ platform }) => platform.id).join(', ');
    return problem(`No platform is called '${platformId}'. Enabled are: ${known || 'none'}.`);
  }
  const { adapter, platform } = entry;
  const address = addressOf(platform, { name, isQuoted }, chats, readable);
  if (typeof address === 'string') return problem(address);
  if (adapter === undefined) return problem(`${platform.title} is not in service: see 'hermes status'.`);
  const route: Route = { platform: adapter.platform, account: adapter.account, ...address };
  return { ok: true, target: { target: readable, route } };
};

/** Exact id, then exact label, then unique prefix; in quotes a label comes before what only could be an id. */
const addressOf = (
  platform: GatewayPlatform,
  { name, isQuoted }: { readonly name: string; readonly isQuoted: boolean },
  allChats: readonly KnownChat[],
  readable: string,
): HomeAddress | string => {
  const chats = allChats.filter((chat) => chat.platform === platform.id);
  const id = platform.parseAddress(name);
  const isKnown = chats.some(({ chat }) => chat === id?.chat);
  if (id !== undefined && (!isQuoted || isKnown)) return id;
  const exact = findByLabel(chats, name);
  const answer = exact.type === 'none' && id === undefined ? findByPrefix(chats, name) : exact;
  if (answer.type === 'one') return { chat: answer.chat.chat };
  if (answer.type === 'many')
    return `'${readable}' can be several chats: ${describeChats(answer.chats)}. Write one of these ids.`;
  if (id !== undefined) return id;
  const known = chats.length === 0 ? '' : ` Known: ${describeChats(chats)}.`;
  return `'${readable}' is neither an id nor the label of a chat that I know in ${platform.title}.${known}`;
};

const atHome = ({ platform, adapter }: ResolveContext['platforms'][number], address: HomeAddress): One => {
  if (adapter === undefined) return problem(`${platform.title} is not in service: see 'hermes status'.`);
  const route: Route = { platform: adapter.platform, account: adapter.account, ...address };
  return { ok: true, target: { target: platform.id, route } };
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
      const entry = context.platforms.find(({ platform }) => platform.id === target.platform);
      const chosen = context.home?.(target.platform);
      if (entry !== undefined && chosen !== undefined) return atHome(entry, chosen);
      const home = entry?.platform;
      if (home !== undefined && home.homeChannel === undefined) {
        return problem(
          `${home.title} has no home channel. Set ${nameSetting(`platforms.${home.id}.home_channel`, home.variables['home_channel'])}, send /sethome in the chat that it is to be, or name a chat.`,
        );
      }
      const name = home?.homeChannel ?? '';
      return resolveNamed(target.platform, { name, isQuoted: false }, readable, context);
    }
    case 'named':
      return resolveNamed(target.platform, target, readable, context);
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

/** The platform's home channel: the one chosen in a chat, else the one of the settings. */
export const homeOf = (
  { id, homeChannel, parseAddress }: GatewayPlatform,
  chosen: Pick<ResolveContext, 'home'>,
): HomeAddress | undefined =>
  chosen.home?.(id) ?? (homeChannel === undefined ? undefined : parseAddress(homeChannel));

/** True if `route` is the chat of the request or the platform's home channel. */
export const isOwnChatOrHome = (route: Route, context: ResolveContext): boolean => {
  if (context.origin !== undefined && sameRoute({ ...route }, context.origin)) return true;
  return context.platforms.some(({ platform }) => {
    if (platform.id !== route.platform) return false;
    const home = homeOf(platform, context);
    return home !== undefined && home.chat === route.chat && home.thread === route.thread;
  });
};
