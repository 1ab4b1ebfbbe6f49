/** One emulator for a test file, and a fresh world with grammY's own client for each test. */
import { Api, GrammyError } from 'grammy';
import { afterAll, beforeAll } from 'vitest';
import type { LoopbackServer } from '../kit/loopback-server.js';
import { createTelegramControl, type TelegramControl, type WorldSpec } from './control.js';
import { startTelegramEmulator, type TelegramEmulatorOptions } from './server.js';

export interface Stage {
  readonly url: string;
  readonly token: string;
  readonly api: Api;
  readonly control: TelegramControl;
}

/** Registers the start and the end of the emulator; gives a maker of worlds. */
export function useEmulator(options: TelegramEmulatorOptions = {}): (spec?: WorldSpec) => Promise<Stage> {
  let emulator: LoopbackServer | undefined;
  let worlds = 0;
  beforeAll(async () => {
    emulator = await startTelegramEmulator(options);
  });
  afterAll(async () => {
    await emulator?.close();
  });
  return async (spec = {}) => {
    if (emulator === undefined) throw new Error('the emulator is started before the first test');
    worlds += 1;
    const token = `${4200 + worlds}:emulated-token-0123456789`;
    const control = createTelegramControl(emulator.url, token);
    await control.reset(spec);
    return { url: emulator.url, token, control, api: new Api(token, { apiRoot: emulator.url }) };
  };
}

/** The refusal a call ends with; throws when it is not refused. */
export async function refusalOf(call: Promise<unknown>): Promise<GrammyError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GrammyError) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}

export async function descriptionOf(call: Promise<unknown>): Promise<string> {
  return (await refusalOf(call)).description;
}
