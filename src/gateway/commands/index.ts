import type { Command } from './command.js';
import { help } from './help.js';
import { newSession } from './new.js';
import { start } from './start.js';
import { status } from './status.js';
import { stop } from './stop.js';

/** The one registry: answers, help and the platforms' menus come from it. One line per command. */
export const commands: readonly Command[] = [
  start, //
  help,
  newSession,
  stop,
  status,
];

export const findCommand = (name: string): Command | undefined =>
  commands.find((command) => command.name === name);
