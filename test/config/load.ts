import { platforms } from '../../src/adapters/index.js';
import {
  type LoadedSettings,
  loadSettings,
  type ReadSettings,
  readSettings,
} from '../../src/config/index.js';
import type { SettingsProblem } from '../../src/core/errors.js';

interface Written {
  readonly yaml?: string;
  readonly envFile?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const optionsOf = ({ yaml, envFile, environment = {} }: Written) => ({
  environment: { HERMES_HOME: '/home/somebody/.hermes', ...environment },
  definitions: platforms,
  readFile: (path: string) => (path.endsWith('config.yaml') ? yaml : envFile),
});

export const load = (written: Written = {}): Promise<LoadedSettings> => loadSettings(optionsOf(written));

export const read = (written: Written): Promise<ReadSettings> => readSettings(optionsOf(written));

export const problemsOf = async (written: Written): Promise<readonly SettingsProblem[]> => {
  const result = await read(written);
  return result.ok ? [] : result.error.problems;
};

export const sectionOf = ({ settings }: LoadedSettings, id: string) => {
  const platform = settings.platforms.find(({ definition }) => definition.id === id);
  if (platform === undefined) throw new Error(`there is no platform ${id}`);
  return platform;
};

export const telegramToken = '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
