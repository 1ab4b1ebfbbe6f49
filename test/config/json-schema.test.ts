import { expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { settingsJsonSchema } from '../../src/config/json-schema.js';

test('config/config.schema.json is up to date (if not: npx vitest run test/config/json-schema.test.ts -u)', async () => {
  await expect(settingsJsonSchema(platforms)).toMatchFileSnapshot('../../config/config.schema.json');
});

test('sections are closed, so that editors mark unknown keys', () => {
  const schema = JSON.parse(settingsJsonSchema(platforms));
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.platforms.properties.telegram.additionalProperties).toBe(false);
  expect(schema.properties.stt.properties.groq.additionalProperties).not.toBe(false);
});
