import { approve } from './approve.js';
import { busy } from './busy.js';
import type { Command } from './command.js';
import { cron } from './cron.js';
import { deny } from './deny.js';
import { help } from './help.js';
import { model } from './model.js';
import { newSession } from './new.js';
import { permissions } from './permissions.js';
import { retry } from './retry.js';
import { sessions } from './sessions.js';
import { setHome } from './set-home.js';
import { start } from './start.js';
import { status } from './status.js';
import { stop } from './stop.js';
import { undo } from './undo.js';
import { usage } from './usage.js';
import { voice } from './voice.js';
import { whoAmI } from './who-am-i.js';

/** The one registry: answers, help and the platforms' menus come from it. One line per command. */
export const commands: readonly Command[] = [
  start,
  help,
  newSession,
  stop,
  retry,
  undo,
  status,
  sessions,
  model,
  usage,
  busy,
  voice,
  cron,
  approve,
  deny,
  permissions,
  whoAmI,
  setHome,
];

export const findCommand = (name: string): Command | undefined =>
  commands.find((command) => command.name === name);
