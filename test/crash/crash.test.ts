import { describe, expect, inject, test } from 'vitest';
import { type CrashOptions, runCrashes } from './crash-run.js';

/** A cycle takes about a second, on a busy machine several. */
const timeoutMs = 180_000;

const options = (seed: number, isStreaming: boolean): CrashOptions => ({
  seed,
  kills: 10,
  isStreaming,
  distMain: inject('distMain'),
  telegramUrl: `http://127.0.0.1:${inject('telegramPort')}`,
  discordUrl: `http://127.0.0.1:${inject('discordPort')}`,
  openaiUrl: `http://127.0.0.1:${inject('openaiPort')}`,
});

describe('a gateway that is killed again and again', () => {
  test(
    'answers every message once, repeats no effect and starts cleanly',
    async () => {
      const { problems, letters } = await runCrashes(options(11, false));
      expect(problems).toEqual([]);
      expect(letters).toBeGreaterThan(50);
    },
    timeoutMs,
  );

  test(
    'does so too while its answers are shown as they grow',
    async () => {
      const { problems, letters } = await runCrashes(options(12, true));
      expect(problems).toEqual([]);
      expect(letters).toBeGreaterThan(50);
    },
    timeoutMs,
  );
});
