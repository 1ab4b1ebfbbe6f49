/** The real adapter, made through its definition, against the Discord emulator, with a clock moved by hand. */
import { randomBytes, randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { discord } from '../../../src/adapters/discord/index.js';
import { toAccountId, toChatId, toThreadId } from '../../../src/core/ids.js';
import type { NoteStore } from '../../../src/core/notes.js';
import type { PlatformAdapter } from '../../../src/core/platform.js';
import type { Route } from '../../../src/core/route.js';
import {
  createDiscordControl,
  type DiscordControl,
  type WorldSpec,
} from '../../emulators/discord/control.js';
import { type LogLine, MemoryLogger } from '../../fakes/memory-logger.js';
import {
  createMemoryNotes,
  createPorts,
  KeepingSink,
  type Running,
  runAdapter,
  WatchedClock,
} from '../adapter-bed.js';

export { anySignal } from '../adapter-bed.js';

/** Ids no test run shares with another, of the length that Discord's have. */
const freshId = (): string => `9${String(randomInt(1e8, 1e9 - 1))}${String(randomInt(1e8, 1e9 - 1))}`;

/** A token as Discord makes them: the bot's id, a time, and what nobody guesses. */
const tokenOf = (botId: string): string =>
  `${Buffer.from(botId).toString('base64url')}.TEST12.${randomBytes(27).toString('base64url')}`;

export const person = '800000000000000001';
export const otherPerson = '800000000000000002';
export const server = '700000000000000001';
export const general = '600000000000000001';
export const forum = '600000000000000002';

/** A server with a channel and a forum, and two people. */
const someWorld: WorldSpec = {
  users: [
    { id: person, username: 'ada', global_name: 'Ada' },
    { id: otherPerson, username: 'ben', global_name: 'Ben' },
  ],
  guilds: [
    {
      id: server,
      name: 'Home',
      channels: [
        { id: general, name: 'general' },
        { id: forum, name: 'ideas', type: 15 },
      ],
      roles: [{ id: '500000000000000001', name: 'crew' }],
      members: { [person]: ['500000000000000001'], [otherPerson]: [] },
    },
  ],
};

export interface DiscordBed {
  readonly control: DiscordControl;
  readonly adapter: PlatformAdapter;
  readonly clock: WatchedClock;
  readonly log: readonly LogLine[];
  readonly sink: KeepingSink;
  readonly botId: string;
  readonly notes: NoteStore;
  routeTo(chat: string, thread?: string): Route;
  run(sink?: KeepingSink): Running;
  /** Another adapter for the same bot, as after a restart. */
  restart(): Promise<PlatformAdapter>;
}

const emulatorUrl = (): string => `http://127.0.0.1:${inject('discordPort')}`;

export const createBed = async (
  world: WorldSpec = someWorld,
  section: Readonly<Record<string, unknown>> = {},
): Promise<DiscordBed> => {
  const botId = freshId();
  const token = tokenOf(botId);
  const control = createDiscordControl(emulatorUrl(), token);
  await control.reset(world);
  const clock = new WatchedClock(Date.now());
  const logger = new MemoryLogger();
  const notes = createMemoryNotes();
  const create = (): Promise<PlatformAdapter> =>
    discord.create(
      discord.section.parse({ token, api_root: control.apiRoot, ...section }),
      createPorts(clock, logger, notes),
    );
  const adapter = await create();
  const sink = new KeepingSink();
  return {
    control,
    adapter,
    clock,
    log: logger.lines,
    sink,
    botId,
    notes,
    routeTo: (chat, thread) => ({
      platform: discord.id,
      account: toAccountId(botId),
      chat: toChatId(chat),
      ...(thread === undefined ? {} : { thread: toThreadId(thread) }),
    }),
    run: (other = sink) => runAdapter(adapter, other),
    restart: create,
  };
};
