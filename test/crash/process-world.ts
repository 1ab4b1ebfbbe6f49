/** The built gateway as a process beside the emulators, for one test. */
import { randomInt, randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl } from '../emulators/telegram/control.js';
import { createHome, type Daemon, type SmallDisk, startDaemon, startOnSmallDisk } from './daemon.js';

/** A person whom the settings let in. */
export const person = 1001;

/** `more`: further sections of its settings, by name. */
export const createProcessWorld = async (more: Readonly<Record<string, object>> = {}) => {
  const telegram = createTelegramControl(
    `http://127.0.0.1:${inject('telegramPort')}`,
    `${randomInt(100_000_000, 999_999_999)}:process-${randomUUID().replaceAll('-', '')}`,
  );
  const model = createOpenAiControl(`http://127.0.0.1:${inject('openaiPort')}`, `key-${randomUUID()}`);
  await Promise.all([telegram.reset(), model.reset()]);
  const home = createHome({
    platforms: { telegram: { token: telegram.token, api_root: telegram.apiRoot, streaming: false } },
    openaiBaseUrl: model.baseUrl,
    openaiKey: model.key,
    more,
  });
  let running: Daemon | undefined;
  onTestFinished(async () => {
    running?.kill('SIGKILL');
    await running?.exited;
    await Promise.all([telegram.remove(), model.forget()]);
    home.remove();
  });
  return {
    home,
    telegram,
    model,
    start: async (): Promise<Daemon> => {
      running = startDaemon(inject('distMain'), home);
      await telegram.waitForPoll();
      return running;
    },
    startOnSmallDisk: async (sizeBytes: number): Promise<SmallDisk> => {
      const disk = startOnSmallDisk(inject('distMain'), home, sizeBytes);
      running = disk.daemon;
      await telegram.waitForPoll();
      return disk;
    },
  };
};
