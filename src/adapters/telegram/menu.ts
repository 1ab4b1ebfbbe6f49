/** The command menu that Telegram shows beside the input field. */
import type { CommandInfo, CommandMenuFacet } from '../../core/platform.js';
import { shorten } from '../kit/fields.js';
import type { TelegramClient } from './client.js';
import { toPlatformError } from './errors.js';

/** Bot API limits. One command too many or malformed, and Telegram refuses the whole list. */
const MAX_COMMANDS = 100;
const MAX_DESCRIPTION_LENGTH = 256;
const commandName = /^[a-z0-9_]{1,32}$/u;

const toMenu = (commands: readonly CommandInfo[]) =>
  commands
    .filter(({ name, description }) => commandName.test(name) && description.trim() !== '')
    .slice(0, MAX_COMMANDS)
    .map(({ name, description }) => ({
      command: name,
      description: shorten(description.trim(), MAX_DESCRIPTION_LENGTH),
    }));

export const createCommandMenu = (ports: { readonly client: TelegramClient }): CommandMenuFacet => ({
  async publish(commands, { signal }) {
    const result = await ports.client.call('setMyCommands', { commands: toMenu(commands) }, { signal });
    if (!result.ok) throw toPlatformError(result.failure);
  },
});
