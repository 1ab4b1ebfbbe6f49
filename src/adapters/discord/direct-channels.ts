/**
 * Private channels with the people who are allowed by id. Discord lists a bot no private channels, so one that began
 * while nobody listened can be found only by asking for the channel with a person, which tells that person nothing.
 */
import type { AccountId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { NoteStore } from '../../core/notes.js';
import { fieldsOf } from '../kit/fields.js';
import type { Channels } from './channels.js';
import { isSnowflake } from './ids.js';

/** Discord dislikes bots that open many at once. */
const MAX_OPENED = 10;
const MAX_KNOWN = 50;

export interface DirectChannels {
  /** Their ids. Asked for once a person, at most ten at a time. Rejects only with the signal's reason. */
  find(signal: AbortSignal): Promise<readonly string[]>;
}

export const createDirectChannels = (ports: {
  readonly account: AccountId;
  readonly channels: Channels;
  readonly notes: NoteStore;
  readonly logger: Logger;
  /** As the settings list them; what is no id is passed over. */
  readonly people: readonly string[];
}): DirectChannels => {
  const { channels, notes, logger } = ports;
  const people = ports.people.filter(isSnowflake).slice(0, MAX_KNOWN);
  const note = `direct:${ports.account}`;
  /** Asked in vain in this life: people with whom the bot shares no server. */
  const refused = new Set<string>();

  const open = async (person: string, signal: AbortSignal): Promise<string | undefined> => {
    const id = await channels.openPrivate(person, signal);
    if (id === undefined) refused.add(person);
    return id;
  };

  return {
    async find(signal) {
      try {
        const stored = fieldsOf(await notes.read(note)) ?? {};
        const known = new Map(people.map((person) => [person, stored[person]] as const));
        const unknown = people.filter((person) => !isSnowflake(known.get(person)) && !refused.has(person));
        for (const person of unknown.slice(0, MAX_OPENED)) known.set(person, await open(person, signal));
        const found = [...known].filter((entry): entry is [string, string] => isSnowflake(entry[1]));
        if (unknown.length > 0) await notes.write(note, Object.fromEntries(found));
        return found.map(([, channel]) => channel);
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ error }, 'private channels that began meanwhile could not be looked for');
        return [];
      }
    },
  };
};
