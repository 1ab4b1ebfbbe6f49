import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { loadSettings, readSettings } from '../../src/config/index.js';
import { ConfigError } from '../../src/core/errors.js';
import { load, problemsOf, read, sectionOf, telegramToken } from './load.js';

const homes: string[] = [];
const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-config-'));
  homes.push(home);
  return home;
};
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const contractFile = `
model:      {provider: openai, default: gpt-4.1-mini, base_url: https://example.org/v1, api_key: sk-contract-0123456789}
providers:  {local: {type: openai, base_url: http://127.0.0.1:11434/v1, api_key: x}}
fallback_providers: [{provider: local, model: qwen3}]
timezone:   Europe/Berlin
workspace:  ~/.hermes/workspace
owners:     ["telegram:12345"]
allowed_users: []
unauthorized_dm: pair
pairing:    {code_ttl_minutes: 60, max_pending: 3, max_attempts: 5, lockout_minutes: 60}
agent:      {max_iterations: 90, inactivity_timeout_seconds: 1800, context_tokens: 128000}
sessions:   {group_per_user: true, thread_per_user: false, retention_days: 365, retention_mb: 2048}
platforms:
  telegram: {enabled: true, token: "${telegramToken}", api_root: http://127.0.0.1:9001, local_api: false, mode: polling,
             webhook: {url: https://example.org, port: 8443, secret: webhook-secret}, allowed_users: [], allowed_chats: [],
             require_mention: true, home_channel: "-100123", busy: steer, streaming: true}
  discord:  {enabled: true, token: discord-token-0123, api_root: http://127.0.0.1:9002/api, allowed_users: [], allowed_roles: [],
             allowed_channels: [], require_mention: true, auto_thread: true, home_channel: "1"}
  whatsapp: {enabled: true, socket_url: ws://127.0.0.1:9003/ws/chat, trust_root: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, mode: bot, allowed_users: [], home_channel: "1"}
  web:      {enabled: true, host: 127.0.0.1, port: 8642, token: a-token-for-the-web, max_body_bytes: 26214400}
permissions: {level: auto, timeout_seconds: 30, matrix: {auto: {system: confirm}}, roles: {guest: {level: safe}},
              chats: {"telegram:-100123": {level: safe}}}
cron:       {tick_seconds: 60, inactivity_timeout_seconds: 600, script_timeout_seconds: 120, max_parallel: 4, catch_up_missed: true}
stt:        {provider: local, openai: {base_url: https://example.org, api_key: stt-key-0123, model: whisper-1}, groq: {api_key: groq-key-0123},
             local: {command: [whisper], model: base, grammar: x}}
tts:        {provider: edge, voice: a, edge: {endpoint: ws://127.0.0.1:9004}, openai: {}, elevenlabs: {}, local: {}}
log:        {level: info}
`;

describe('what is in effect', () => {
  test('with nothing written: the page, the demo model, nobody else', async () => {
    const loaded = await load();
    expect(loaded.warnings).toEqual([]);
    expect(loaded.settings).toMatchObject({
      model: { type: 'offline' },
      workspace: '/home/somebody/.hermes/workspace',
      owners: [],
      allowedUsers: [],
      strangers: 'pair',
      pairing: { codeTtlMs: 3_600_000, maxPending: 3, maxAttempts: 5, lockoutMs: 3_600_000 },
      agent: { maxIterations: 90, contextTokens: 128_000, inactivityTimeoutMs: 1_800_000 },
      sessions: { groupPerUser: true, threadPerUser: false },
      logLevel: 'info',
      mediaAllowDirs: [],
      secrets: [],
    });
    expect(loaded.settings.timezone).toBeUndefined();
    expect(sectionOf(loaded, 'telegram').isEnabled).toBe(false);
    expect(sectionOf(loaded, 'web').isEnabled).toBe(true);
  });

  test('every setting of the contract is known', async () => {
    const { warnings, settings } = await load({ yaml: contractFile });
    expect(warnings).toEqual([]);
    expect(settings.workspace).toBe(join(homedir(), '.hermes/workspace'));
    expect(settings.timezone).toBe('Europe/Berlin');
  });

  test('environment beats .env beats config.yaml beats the default', async () => {
    const yaml = 'timezone: Europe/Berlin\nallowed_users: ["1"]\n';
    const envFile = 'HERMES_TIMEZONE=Asia/Tokyo\nGATEWAY_ALLOWED_USERS=2, 3,\n';
    const environment = { HERMES_TIMEZONE: 'America/Lima' };
    expect((await load({ yaml })).settings).toMatchObject({ timezone: 'Europe/Berlin', allowedUsers: ['1'] });
    expect((await load({ yaml, envFile })).settings).toMatchObject({
      timezone: 'Asia/Tokyo',
      allowedUsers: ['2', '3'],
    });
    expect((await load({ yaml, envFile, environment })).settings).toMatchObject({
      timezone: 'America/Lima',
      allowedUsers: ['2', '3'],
    });
  });

  test('an empty variable counts as not set', async () => {
    const envFile = `TELEGRAM_BOT_TOKEN=${telegramToken}\n`;
    const loaded = await load({ envFile, environment: { TELEGRAM_BOT_TOKEN: ' ' } });
    expect(sectionOf(loaded, 'telegram').section).toMatchObject({ token: telegramToken });
  });

  test('variables reach the section of their platform, lists split at commas', async () => {
    const environment = {
      TELEGRAM_BOT_TOKEN: telegramToken,
      TELEGRAM_ALLOWED_USERS: '12, 34',
      TELEGRAM_HOME_CHANNEL: '-100123',
    };
    const { section, isEnabled } = sectionOf(await load({ environment }), 'telegram');
    expect(isEnabled).toBe(true);
    expect(section).toMatchObject({
      token: telegramToken,
      allowed_users: ['12', '34'],
      home_channel: '-100123',
    });
  });

  test('enabled: false switches off a platform whose token is set', async () => {
    const yaml = 'platforms: {telegram: {enabled: false}, web: {enabled: false}}\n';
    const loaded = await load({ yaml, environment: { TELEGRAM_BOT_TOKEN: telegramToken } });
    expect(sectionOf(loaded, 'telegram').isEnabled).toBe(false);
    expect(sectionOf(loaded, 'web').isEnabled).toBe(false);
  });

  test('unquoted ids are text', async () => {
    const loaded = await load({
      yaml: 'platforms: {telegram: {allowed_users: [12345], home_channel: -100123}}\n',
    });
    expect(sectionOf(loaded, 'telegram').section).toMatchObject({
      allowed_users: ['12345'],
      home_channel: '-100123',
    });
  });

  test('folders may begin with a tilde, or be relative to the home', async () => {
    const { settings } = await load({
      yaml: 'workspace: files\n',
      environment: { HERMES_MEDIA_ALLOW_DIRS: '/srv/media:~/pictures:' },
    });
    expect(settings.workspace).toBe('/home/somebody/.hermes/files');
    expect(settings.mediaAllowDirs).toEqual(['/srv/media', join(homedir(), 'pictures')]);
  });

  test('unauthorized_dm: ignore is silence', async () => {
    expect((await load({ yaml: 'unauthorized_dm: ignore\n' })).settings.strangers).toBe('ignore');
  });
});

describe('secrets', () => {
  test('every one is collected, from files and environment', async () => {
    const { settings } = await load({
      yaml: contractFile,
      envFile: 'ELEVENLABS_API_KEY=eleven-0123\nSOME_OTHER_TOKEN=other-0123\n',
      environment: { OPENAI_API_KEY: 'sk-environment' },
    });
    expect(settings.secrets).toEqual(
      expect.arrayContaining([
        'sk-environment',
        telegramToken,
        'webhook-secret',
        'discord-token-0123',
        'a-token-for-the-web',
        'stt-key-0123',
        'groq-key-0123',
        'eleven-0123',
        'other-0123',
      ]),
    );
  });

  test('none is shown', async () => {
    const { shown } = await load({ yaml: contractFile });
    const text = JSON.stringify(shown);
    expect(text).toContain('"token":"***"');
    expect(text).not.toMatch(/sk-contract|TEST-|webhook-secret|discord-token|a-token|stt-key|groq-key/);
  });

  test('none is printed in a problem', async () => {
    const problems = await problemsOf({
      yaml: 'model: {api_key: [hidden-one]}\nplatforms: {telegram: {token: hidden-two-is-wrong}, web: {token: "hidden three"}}\n',
    });
    expect(problems.map(({ path }) => path)).toEqual([
      'model.api_key',
      'platforms.telegram.token',
      'platforms.web.token',
    ]);
    expect(JSON.stringify(problems)).not.toContain('hidden');
  });
});

describe('problems', () => {
  test('all are told at once, each with path, expected, got and what to write', async () => {
    const problems = await problemsOf({
      yaml: `
model: {provider: opnai}
agent: {max_iterations: "ten"}
unauthorized_dm: pear
owners: [telegrm:1]
sessions: {group_per_user: perhaps}
platforms:
  telegram: {busy: stear, allowed_users: [1234567890123456789]}
  web: {port: 99999}
log: {level: loud}
timezone: Mars/Base
`,
      envFile: 'nonsense\n',
    });
    expect(problems.map(({ path, advice }) => [path, advice])).toEqual([
      ['.env line 1', expect.stringContaining('NAME=value')],
      ['model.provider', 'Write `provider: openai`.'],
      ['timezone', 'For example Europe/Berlin.'],
      ['owners.0', 'Write "telegram:1".'],
      ['unauthorized_dm', 'Write `unauthorized_dm: pair`.'],
      ['agent.max_iterations', 'Write `max_iterations: 90`.'],
      ['sessions.group_per_user', 'Write `group_per_user: true`.'],
      ['platforms.telegram.allowed_users.0', 'Write "1234567890123456789" in quotes.'],
      ['platforms.telegram.busy', 'Write `busy: steer`.'],
      ['platforms.web.port', 'Write `port: 8642`.'],
      ['log.level', 'Write `level: info`.'],
    ]);
    for (const { expected, got } of problems) {
      expect(expected).not.toBe('');
      expect(got).not.toBe('');
    }
  });

  test('a problem tells the variable that the value came from', async () => {
    const [problem] = await problemsOf({ environment: { HERMES_CRON_TIMEOUT: 'soon' } });
    expect(problem).toMatchObject({
      path: 'cron.inactivity_timeout_seconds',
      got: '"soon" (from HERMES_CRON_TIMEOUT in the environment)',
      advice: 'Write `inactivity_timeout_seconds: 600`.',
    });
  });

  test('a user and password in a URL are told of, and the password is not', async () => {
    const problems = await problemsOf({
      yaml: 'model: {provider: openai, api_key: sk-0123456789, base_url: "https://me:hunter22@example.org/v1"}',
      environment: { HERMES_HOME: `/${'a'.repeat(120)}` },
    });
    expect(problems).toEqual([
      expect.objectContaining({ path: 'HERMES_HOME' }),
      expect.objectContaining({
        path: 'model.base_url',
        expected: 'a URL without user and password',
        got: '"https://***@example.org/v1"',
        advice: expect.stringContaining('as api_key'),
      }),
    ]);
  });

  test.each(['undefined', 'your-token-here', '<token>', '$TELEGRAM_BOT_TOKEN', 'changeme', 'short'])(
    'the token %s is no token',
    async (token) => {
      const problems = await problemsOf({ yaml: `platforms: {telegram: {token: "${token}"}}\n` });
      expect(problems).toEqual([
        expect.objectContaining({ path: 'platforms.telegram.token', expected: 'a real token' }),
      ]);
    },
  );

  test('malformed YAML is told with its place', async () => {
    await expect(load({ yaml: 'model:\n  provider: openai\n   default: x\n' })).rejects.toThrow(
      /config\.yaml line 2, column 13: expected valid YAML .* got ` {2}provider: openai`/,
    );
  });

  test('an unreadable file is told with the user and the way out', async () => {
    const home = newHome();
    mkdirSync(join(home, 'config.yaml'));
    const error = await loadSettings({ environment: { HERMES_HOME: home }, definitions: platforms }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      code: 'unreadable-settings',
      problems: [{ path: 'config.yaml', got: 'EISDIR' }],
    });
  });

  test('a file that is not UTF-8 is told as such', async () => {
    const home = newHome();
    writeFileSync(join(home, '.env'), Buffer.from([0x41, 0x3d, 0xff, 0xfe]));
    const result = await readSettings({ environment: { HERMES_HOME: home }, definitions: platforms });
    expect(result).toMatchObject({ ok: false, error: { problems: [{ got: 'bytes that are not UTF-8' }] } });
  });

  test('a home that is no folder has no settings', async () => {
    const { warnings } = await loadSettings({
      environment: { HERMES_HOME: '/dev/null/home' },
      definitions: platforms,
    });
    expect(warnings).toEqual([]);
  });

  test('both files are read from the home', async () => {
    const home = newHome();
    writeFileSync(join(home, 'config.yaml'), 'log: {level: debug}\n');
    writeFileSync(join(home, '.env'), 'GATEWAY_ALLOWED_USERS=7\n');
    const { settings } = await loadSettings({ environment: { HERMES_HOME: home }, definitions: platforms });
    expect(settings).toMatchObject({ logLevel: 'debug', allowedUsers: ['7'] });
  });
});

describe('unknown keys', () => {
  test.each([
    ['modle: {}', 'modle: unknown key, ignored. Did you mean model?'],
    ['model: {provder: x}', 'model.provder: unknown key, ignored. Did you mean model.provider?'],
    ['telegram: {token: x}', 'telegram: unknown key, ignored. Did you mean platforms.telegram?'],
    [
      'agent: {max_body_bytes: 1}',
      'agent.max_body_bytes: unknown key, ignored. Did you mean platforms.web.max_body_bytes?',
    ],
    [
      'providers: {a: {type: openai, basurl: x}}',
      'providers.a.basurl: unknown key, ignored. Did you mean providers.a.base_url?',
    ],
    ['frobnicate: 1', 'frobnicate: unknown key, ignored. Remove it.'],
    [
      'platforms: {telegram: {alowed_users: []}}',
      'platforms.telegram.alowed_users: unknown key, ignored. Did you mean platforms.telegram.allowed_users?',
    ],
  ])('%s is a warning', async (yaml, warning) => {
    expect((await read({ yaml })).warnings).toContain(warning);
  });

  test('they are told also where there are problems', async () => {
    const result = await read({ yaml: 'model: {provder: openai}\nlog: {level: loud}\n' });
    expect(result).toMatchObject({ ok: false, warnings: [expect.stringContaining('model.provider')] });
  });

  test('a slip in .env is a warning, other names are not', async () => {
    const { warnings } = await load({ envFile: 'TELEGRAM_BOT_TOKN=x\nAWS_REGION=eu\nHERMES_HOME=/x\n' });
    expect(warnings).toEqual([
      '.env: TELEGRAM_BOT_TOKN is not known. Did you mean TELEGRAM_BOT_TOKEN?',
      expect.stringContaining('HERMES_HOME has no effect here'),
    ]);
  });
});
