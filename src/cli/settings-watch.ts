/** Settings that change while the gateway runs: by a signal, or because somebody saved them. */
import { isDeepStrictEqual } from 'node:util';
import { locateHome, type Settings } from '../config/index.js';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { Edge } from './edge.js';
import { formatWarnings } from './format-problems.js';
import { stateOf } from './fresh-settings.js';
import { readWithWarnings } from './read-for-command.js';
import { tell } from './tell.js';

/** Often enough to seem at once, seldom enough to cost nothing. */
const LOOK_MS = 1_000;

interface WatchDeps {
  readonly edge: Edge;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface SettingsWatch {
  /** Resolves with settings that can be used and differ from `current`, or with undefined when the signal aborts. */
  next(current: Settings): Promise<Settings | undefined>;
}

export const watchSettings = ({ edge, clock, logger, signal }: WatchDeps): SettingsWatch => {
  const { settingsFile, envFile } = locateHome(edge.environment);
  const state = (): string => [settingsFile, envFile].map(stateOf).join(', ');
  let seen = state();
  let isAsked = false;
  let wake = (): void => {};
  edge.onReload(() => {
    isAsked = true;
    wake();
  });

  const look = async (): Promise<void> => {
    const woken = new AbortController();
    wake = () => woken.abort();
    if (isAsked) return;
    // Ends early by either signal, which is no failure.
    await clock.sleep(LOOK_MS, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  };

  /** Whether to read them now: asked to, or saved and then left alone for a moment. */
  const isDue = async (): Promise<boolean> => {
    if (isAsked) return true;
    const now = state();
    if (now === seen) return false;
    await look();
    return state() === now;
  };

  const read = async (current: Settings): Promise<Settings | undefined> => {
    const wasAsked = isAsked;
    isAsked = false;
    seen = state();
    const answer = await readWithWarnings(edge);
    if (!answer.ok) {
      logger.error({ error: answer.error }, 'settings not reloaded, the last good ones stay');
      tell(edge.stderr, answer.error.message);
      return undefined;
    }
    tell(edge.stderr, formatWarnings(answer.warnings));
    if (!isDeepStrictEqual(answer.settings, current)) return answer.settings;
    if (wasAsked) logger.info({}, 'settings reloaded, nothing has changed');
    return undefined;
  };

  return {
    next: async (current) => {
      while (!signal.aborted) {
        if (await isDue()) {
          const changed = await read(current);
          if (changed !== undefined) return changed;
        }
        await look();
      }
      return undefined;
    },
  };
};
