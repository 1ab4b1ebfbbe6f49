/** The real adapter, made through its definition, against the Bot API emulator, with a clock moved by hand. */

import { randomInt } from 'node:crypto';
import { inject } from 'vitest';
import { telegram } from '../../../src/adapters/telegram/index.js';
import { toAccountId, toChatId, toThreadId } from '../../../src/core/ids.js';
import type { PlatformAdapter } from '../../../src/core/platform.js';
import type { AdapterPorts } from '../../../src/core/platform-definition.js';
import type { Route } from '../../../src/core/route.js';
import {
  createTelegramControl,
  type TelegramControl,
  type WorldSpec,
} from '../../emulators/telegram/control.js';
import { type LogLine, MemoryLogger } from '../../fakes/memory-logger.js';
import { createPorts, KeepingSink, type Running, runAdapter, WatchedClock } from '../adapter-bed.js';

export {
  anySignal,
  createPorts,
  KeepingSink,
  type Running,
  runAdapter,
  WatchedClock,
} from '../adapter-bed.js';

/** Tokens no test run shares with another. */
export const freshToken = (): string =>
  `${randomInt(100_000_000, 999_999_999)}:TEST-${'A'.repeat(24)}${randomInt(100_000_000, 999_999_999)}`;

export interface TelegramBed {
  readonly control: TelegramControl;
  readonly adapter: PlatformAdapter;
  readonly clock: WatchedClock;
  readonly log: readonly LogLine[];
  readonly sink: KeepingSink;
  readonly token: string;
  routeTo(chat: number, thread?: number): Route;
  run(): Running;
}

export const emulatorUrl = (): string => `http://127.0.0.1:${inject('telegramPort')}`;

export const createTelegramAdapter = (
  section: Readonly<Record<string, unknown>>,
  ports: AdapterPorts,
): Promise<PlatformAdapter> => telegram.create(telegram.section.parse(section), ports);

export const createBed = async (
  world: WorldSpec = {},
  section: Readonly<Record<string, unknown>> = {},
): Promise<TelegramBed> => {
  const token = freshToken();
  const control = createTelegramControl(emulatorUrl(), token);
  await control.reset(world);
  const clock = new WatchedClock();
  const logger = new MemoryLogger();
  const adapter = await createTelegramAdapter(
    { token, api_root: control.apiRoot, ...section },
    createPorts(clock, logger),
  );
  const sink = new KeepingSink();
  return {
    control,
    adapter,
    clock,
    log: logger.lines,
    sink,
    token,
    routeTo: (chat, thread) => ({
      platform: telegram.id,
      account: toAccountId(token.split(':')[0] ?? ''),
      chat: toChatId(String(chat)),
      ...(thread === undefined ? {} : { thread: toThreadId(String(thread)) }),
    }),
    run: () => runAdapter(adapter, sink),
  };
};
