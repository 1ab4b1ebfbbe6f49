import { expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { formatBanner } from '../../src/cli/banner.js';
import { loadSettings } from '../../src/config/index.js';
import type { AdapterStatus } from '../../src/core/services.js';
import { aStatus } from './fake-gateway.js';

const settingsWith = async (environment: Readonly<Record<string, string>> = {}) => {
  const options = {
    environment: { HERMES_HOME: '/srv/hermes', ...environment },
    definitions: platforms,
    readFile: () => undefined,
  };
  return (await loadSettings(options)).settings;
};

const plain = (text: string): string => text;

const adapter = (changes: Partial<AdapterStatus>): AdapterStatus => ({
  platform: 'web',
  title: 'Web',
  state: 'connected',
  since: 0,
  disconnects: 0,
  ...changes,
});

test('with nothing set up it says what the demo is, and how to connect a model and every platform', async () => {
  const banner = formatBanner({
    settings: await settingsWith(),
    status: aStatus({
      model: { provider: 'offline', name: 'offline', isDemo: true },
      adapters: [adapter({})],
    }),
    pageUrl: 'http://127.0.0.1:8642/',
    paint: plain,
    program: 'hermes',
  });
  expect(banner).toContain('scripted demo');
  expect(banner).toContain('OPENAI_API_KEY=… to /srv/hermes/.env');
  expect(banner).toContain('@BotFather');
  expect(banner).toContain('connected  http://127.0.0.1:8642/');
  expect(banner).toContain('Open http://127.0.0.1:8642/ in a browser');
  expect(banner.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('with a model and a bot it says how they are', async () => {
  const banner = formatBanner({
    settings: await settingsWith({ TELEGRAM_BOT_TOKEN: '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
    status: aStatus({
      adapters: [
        adapter({
          platform: 'telegram',
          title: 'Telegram',
          state: 'stopped',
          detail: 'The token is refused.',
        }),
        adapter({ state: 'starting' }),
      ],
    }),
    pageUrl: undefined,
    paint: plain,
    program: 'hermes',
  });
  expect(banner).toContain('Model       gpt-4.1-mini at https://api.openai.com/v1');
  expect(banner).toMatch(/Telegram +stopped\n +The token is refused\./);
  expect(banner).toMatch(/Web +connecting…/);
  expect(banner).not.toContain('Open http');
  expect(banner).not.toContain('TEST-A');
});

test('says what keeps people out, and how this program is called here', async () => {
  const banner = formatBanner({
    settings: await settingsWith(),
    status: aStatus({ problems: ['Nobody may write in Telegram yet. '.repeat(4)] }),
    pageUrl: undefined,
    paint: plain,
    program: 'node dist/main.js',
  });
  expect(banner).toContain('  ! Nobody may write in Telegram yet.');
  expect(banner).toContain('`hermes` means `node dist/main.js` here');
  expect(banner.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(['http://0.0.0.0:8700/', 'http://[::]:8700/'])(
  '%s is told as an address one can open',
  async (pageUrl) => {
    const banner = formatBanner({
      settings: await settingsWith(),
      status: aStatus({ adapters: [adapter({})] }),
      pageUrl,
      paint: plain,
      program: 'hermes',
    });
    expect(banner).toContain('Open http://<this host>:8700/ in a browser; it asks for the token.');
    expect(banner).not.toContain(pageUrl);
  },
);
