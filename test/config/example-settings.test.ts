import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { knownVariables } from '../../src/config/environment.js';
import { createSettingsSchema } from '../../src/config/schema.js';
import { knownPaths } from '../../src/config/schema-walk.js';
import { load, problemsOf, telegramToken } from './load.js';

const example = readFileSync(new URL('../../config/config.example.yaml', import.meta.url), 'utf8');
/** With every setting that is off switched on. */
const everything = example.replace(/^(\s*)#(?=[a-z_]+: )/gmu, '$1');

const credentials = {
  OPENAI_API_KEY: 'sk-test-0123456789abcdef',
  TELEGRAM_BOT_TOKEN: telegramToken,
  DISCORD_BOT_TOKEN: 'discord-token-0123',
};

describe('config.example.yaml', () => {
  test('changes nothing when it is copied as it is', async () => {
    const [copied, empty] = await Promise.all([load({ yaml: example }), load()]);
    expect(copied.warnings).toEqual([]);
    // The model's name is there to be seen; it only counts once a key is set.
    expect({ ...(copied.shown as object), model: { vision: 'auto' } }).toEqual(empty.shown);
    expect(copied.settings.model).toEqual(empty.settings.model);
  });

  test('is right in every line that is off', async () => {
    expect(everything.split('\n').length).toBe(example.split('\n').length);
    expect(everything).not.toBe(example);
    expect(await problemsOf({ yaml: everything, environment: credentials })).toEqual([]);
    const { warnings } = await load({ yaml: everything, environment: credentials });
    expect(warnings.filter((warning) => warning.includes('unknown'))).toEqual([]);
  });

  test('shows every setting there is', () => {
    const names = new Set(knownPaths(createSettingsSchema(platforms)).map((path) => path.split('.').at(-1)));
    expect(names.size).toBeGreaterThan(50);
    const missing = [...names].filter((name) => !new RegExp(`\\b${name}:`, 'u').test(example));
    expect(missing).toEqual([]);
  });

  test('names every variable of the environment', () => {
    const missing = Object.keys(knownVariables(platforms)).filter((name) => !example.includes(name));
    expect(missing).toEqual([]);
  });
});
