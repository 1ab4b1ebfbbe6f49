/** What was written while nobody listened: fetched by the last id known of each channel, within bounds. */
import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import { fieldsOf, listOf } from '../kit/fields.js';
import type { DiscordClient } from './client.js';
import { isLater, isSnowflake, madeAt } from './ids.js';
import type { Places } from './places.js';
import type { Seen } from './seen.js';

const PAGE = 100;
const MAX_PAGES = 3;
/** What is older than a day is no longer waited for. */
const MAX_AGE_MS = 24 * 3_600_000;

export interface CatchUpPorts {
  readonly client: DiscordClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly places: Places;
  readonly seen: Seen;
}

/** Discord says of each channel in a server what its last message is; of private ones it says nothing. */
const hasNews = ({ places }: CatchUpPorts, channel: string, lastId: string): boolean => {
  const place = places.find(channel);
  if (place === undefined) return true;
  return place.lastMessage !== undefined && isLater(place.lastMessage, lastId);
};

/** As a dispatch would have brought it, which says of which server it is. */
const asDispatched = ({ places }: CatchUpPorts, channel: string, value: unknown): unknown => {
  const guild = places.find(channel)?.guild;
  return guild === undefined ? value : { ...fieldsOf(value), guild_id: guild };
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
  channel: string,
  lastId: string,
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
    found.push(...recent.map((message) => asDispatched(ports, channel, message)));
    if (messages.length < PAGE || !isSnowflake(newest)) break;
    after = newest;
  }
  return found;
};

/** The messages, those of one channel in their order. Rejects only with the signal's reason. */
export const fetchMissed = async (ports: CatchUpPorts, signal: AbortSignal): Promise<readonly unknown[]> => {
  const { places, seen, logger } = ports;
  const missed: unknown[] = [];
  for (const [channel, lastId] of seen.entries()) {
    if (hasNews(ports, channel, lastId)) missed.push(...(await readChannel(ports, channel, lastId, signal)));
  }
  // Channels heard of for the first time: from here on they are read.
  for (const { id, lastMessage } of places.all()) {
    if (lastMessage !== undefined && seen.last(id) === undefined) seen.mark(id, lastMessage);
  }
  if (missed.length > 0) logger.info({ messages: missed.length }, 'fetched what was written meanwhile');
  return missed;
};
