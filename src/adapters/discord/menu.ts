/**
 * The slash commands that Discord offers. They are deployed only when they changed: each deployment counts against a
 * daily limit, and a restart loop would use it up.
 */
import { createHash } from 'node:crypto';
import type { AccountId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { NoteStore } from '../../core/notes.js';
import type { CommandInfo, CommandMenuFacet } from '../../core/platform.js';
import { shorten } from '../kit/fields.js';
import type { DiscordClient } from './client.js';
import { toPlatformError } from './errors.js';
import type { Places } from './places.js';

const MAX_COMMANDS = 100;
const MAX_DESCRIPTION_LENGTH = 100;
const commandName = /^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u;

const STRING = 3;

/** What follows the command's name is one text, as in every other chat. */
const toCommand = ({ name, description }: CommandInfo) => ({
  name,
  description: shorten(description.trim(), MAX_DESCRIPTION_LENGTH),
  type: 1,
  options: [{ type: STRING, name: 'text', description: 'What follows the command', required: false }],
});

export const createCommandMenu = (ports: {
  readonly client: DiscordClient;
  readonly account: AccountId;
  readonly places: Places;
  readonly notes: NoteStore;
  readonly logger: Logger;
}): CommandMenuFacet => ({
  async publish(commands, { signal }) {
    const { client, account, places, notes, logger } = ports;
    const note = `commands:${account}`;
    const fitting = commands.filter(
      ({ name, description }) => commandName.test(name) && description.trim() !== '',
    );
    const body = fitting.slice(0, MAX_COMMANDS).map(toCommand);
    if (fitting.length > MAX_COMMANDS)
      logger.warn(
        { commands: fitting.length },
        'Discord shows 100 commands; the others work when they are typed',
      );
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    if ((await notes.read(note)) === hash) return;
    const result = await client.call(
      { verb: 'PUT', path: `/applications/${places.self ?? account}/commands`, body },
      { signal },
    );
    if (!result.ok) throw toPlatformError(result.failure);
    await notes.write(note, hash);
    logger.info({ commands: body.length }, 'slash commands deployed');
  },
});
