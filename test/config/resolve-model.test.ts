import { expect, test } from 'vitest';
import { load, problemsOf } from './load.js';

const key = 'sk-test-0123456789abcdef';
const openai = {
  type: 'openai',
  provider: 'openai',
  name: 'gpt-4.1-mini',
  baseUrl: 'https://api.openai.com/v1',
  apiKey: key,
};

test.each([
  ['a key in the environment', '', { OPENAI_API_KEY: key }, openai],
  ['a key in the file', `model: {api_key: ${key}}`, {}, openai],
  [
    'the environment beats the file',
    'model: {api_key: sk-other-0123456789}',
    { OPENAI_API_KEY: key },
    openai,
  ],
  [
    'a server by variable',
    '',
    { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/' },
    { ...openai, baseUrl: 'http://127.0.0.1:9/v1' },
  ],
  [
    'a server without a key',
    'model: {provider: openai, base_url: "http://127.0.0.1:9/v1", default: m}',
    {},
    { type: 'openai', provider: 'openai', name: 'm', baseUrl: 'http://127.0.0.1:9/v1' },
  ],
  [
    'a named provider, which the key of OpenAI does not reach',
    'model: {provider: local, default: m}\nproviders: {local: {type: openai, base_url: "http://127.0.0.1:9/v1", api_key: x}}',
    { OPENAI_API_KEY: key },
    { type: 'openai', provider: 'local', name: 'm', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'x' },
  ],
  [
    'offline although a key is set',
    'model: {provider: offline}',
    { OPENAI_API_KEY: key },
    { type: 'offline', provider: 'offline', name: 'offline' },
  ],
  ['nothing', '', {}, { type: 'offline', provider: 'offline', name: 'offline' }],
])('%s', async (_, yaml, environment, model) => {
  expect((await load({ yaml, environment })).settings.model).toEqual(model);
});

test.each([
  ['model: {provider: openai}', 'model.api_key', /OPENAI_API_KEY/],
  ['model: {provider: anthropic}', 'model.provider', /not built yet/],
  ['model: {provider: lokal}\nproviders: {local: {type: openai}}', 'model.provider', /provider: local/],
  ['model: {provider: mine}', 'model.provider', /add `mine` to providers/],
  [
    'model: {provider: local}\nproviders: {local: {type: openai, base_url: "http://127.0.0.1:9"}}',
    'model.default',
    /default: …/,
  ],
  ['fallback_providers: [{provider: lokal, model: m}]', 'fallback_providers.0.provider', /providers/],
  ['fallback_providers: [{provider: anthropic, model: m}]', 'fallback_providers.0.provider', /not built yet/],
  [
    'fallback_providers: [{provider: openai, model: m}]',
    'fallback_providers.0.provider',
    /api_key in providers/,
  ],
  ['model: {vision: maybe}', 'model.vision', /./],
  ['model: {base_url: ftp://x}', 'model.base_url', /http/],
])('%s is a problem', async (yaml, path, advice) => {
  const problems = await problemsOf({ yaml });
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(problems[0]?.advice).toMatch(advice);
});

test('a server without a key and without a provider is not used, and that is told', async () => {
  const { settings, warnings } = await load({ yaml: 'model: {base_url: "http://127.0.0.1:9/v1"}' });
  expect(settings.model.type).toBe('offline');
  expect(warnings).toEqual([expect.stringContaining('provider: openai')]);
});

test('fallbacks have the address and key of their own provider, or of the model where that is the same', async () => {
  const yaml = `
model: {provider: openai, default: big, api_key: ${key}, vision: true}
providers: {local: {type: openai, base_url: "http://127.0.0.1:9/v1/"}}
fallback_providers: [{provider: openai, model: small}, {provider: local, model: qwen3}, {provider: offline, model: demo}]`;
  const { settings } = await load({ yaml });
  expect(settings.model).toEqual({ ...openai, name: 'big', sees: true });
  expect(settings.fallbacks).toEqual([
    { ...openai, name: 'small' },
    { type: 'openai', provider: 'local', name: 'qwen3', baseUrl: 'http://127.0.0.1:9/v1' },
    { type: 'offline', provider: 'offline', name: 'offline' },
  ]);
});
