/**
 * What was written while nobody listened, fetched within bounds: from the last id known of a channel, or, where none is
 * known, from the moment up to which everything was read.
 */

import type { Clock } from '../../core/clock.js';
import type { AccountId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import { type Fields, fieldsOf, listOf } from '../kit/fields.js';
import type { DiscordClient } from './client.js';
import type { DirectChannels } from './direct-channels.js';
import { isLater, isSnowflake, madeAt } from './ids.js';
import type { Places } from './places.js';
import type { Seen } from './seen.js';

const PAGE = 100;
const MAX_PAGES = 3;
/** What is older than a day is no longer waited for. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Channels that are read after one downtime, each by a call at least. */
const MAX_CHANNELS = 250;
/** People whose roles are asked for after one downtime. */
const MAX_MEMBERS = 50;

export interface CatchUpPorts {
  readonly account: AccountId;
  readonly client: DiscordClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly places: Places;
  readonly seen: Seen;
  readonly directChannels: DirectChannels;
  /** Whether somebody may write by a role alone: missed messages do not say which their author has. */
  readonly needsRoles: boolean;
}

interface Gap {
  readonly channel: string;
  readonly lastId: string;
}

/** Discord says of each channel in a server what its last message is; of private ones it says nothing. */
const findGaps = ({ places, seen }: CatchUpPorts, direct: readonly string[]): readonly Gap[] => {
  const inServers = places.all().flatMap(({ id, lastMessage }) => {
    const lastId = seen.floorOf(id);
    const hasNews = lastMessage !== undefined && lastId !== undefined && isLater(lastMessage, lastId);
    return hasNews ? [{ channel: id, lastId, lastMessage }] : [];
  });
  const newestFirst = inServers.sort((one, other) => (isLater(one.lastMessage, other.lastMessage) ? -1 : 1));
  const known = new Set([...seen.entries().map(([channel]) => channel), ...direct]);
  const elsewhere = [...known].flatMap((channel) => {
    const lastId = places.find(channel) === undefined ? seen.floorOf(channel) : undefined;
    return lastId === undefined ? [] : [{ channel, lastId }];
  });
  return [...elsewhere, ...newestFirst].slice(0, MAX_CHANNELS);
};

type FindMember = (guild: string, user: string) => Promise<Fields | undefined>;

/** Asks for each person once. */
const createMemberSearch = ({ client, logger }: CatchUpPorts, signal: AbortSignal): FindMember => {
  const members = new Map<string, Fields | undefined>();
  return async (guild, user) => {
    const path = `/guilds/${guild}/members/${user}` as const;
    if (members.has(path) || members.size >= MAX_MEMBERS) return members.get(path);
    const result = await client.call({ verb: 'GET', path }, { signal });
    if (!result.ok) logger.info({ failure: result.failure }, 'the roles of a member could not be read');
    const member = result.ok ? fieldsOf(result.value) : undefined;
    members.set(path, member);
    return member;
  };
};

/** As a dispatch would have brought it, which says of which server it is, and who wrote it there. */
const asDispatched = async (
  { places, needsRoles }: CatchUpPorts,
  channel: string,
  value: unknown,
  findMember: FindMember,
): Promise<unknown> => {
  const guild = places.find(channel)?.guild;
  if (guild === undefined) return value;
  const message = fieldsOf(value);
  const author = fieldsOf(message?.['author'])?.['id'];
  const member = needsRoles && isSnowflake(author) ? await findMember(guild, author) : undefined;
  return { ...message, guild_id: guild, ...(member !== undefined && { member }) };
};

const writtenAt = (message: unknown): number => {
  const fields = fieldsOf(message);
  const at = Date.parse(String(fields?.['timestamp']));
  if (!Number.isNaN(at)) return at;
  const id = fields?.['id'];
  return isSnowflake(id) ? madeAt(id) : 0;
};

const readChannel = async (
  ports: CatchUpPorts,
  { channel, lastId }: Gap,
  findMember: FindMember,
  signal: AbortSignal,
): Promise<readonly unknown[]> => {
  const { client, clock, logger } = ports;
  const found: unknown[] = [];
  let after = lastId;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { after, limit: String(PAGE) };
    const result = await client.call(
      { verb: 'GET', path: `/channels/${channel}/messages`, query },
      { signal },
    );
    if (!result.ok) {
      logger.warn({ channel, failure: result.failure }, 'missed messages could not be fetched');
      break;
    }
    // Newest first.
    const messages = [...listOf(result.value)].reverse();
    const newest = fieldsOf(messages.at(-1))?.['id'];
    const recent = messages.filter((message) => clock.now() - writtenAt(message) < MAX_AGE_MS);
    for (const message of recent) found.push(await asDispatched(ports, channel, message, findMember));
    if (messages.length < PAGE || !isSnowflake(newest)) break;
    after = newest;
  }
  return found;
};

/** The messages, those of one channel in their order. Rejects only with the signal's reason. */
export const fetchMissed = async (ports: CatchUpPorts, signal: AbortSignal): Promise<readonly unknown[]> => {
  const direct = await ports.directChannels.find(signal);
  const findMember = createMemberSearch(ports, signal);
  const missed: unknown[] = [];
  for (const gap of findGaps(ports, direct)) {
    missed.push(...(await readChannel(ports, gap, findMember, signal)));
  }
  if (missed.length > 0) ports.logger.info({ messages: missed.length }, 'fetched what was written meanwhile');
  return missed;
};
