import { expect, test } from 'vitest';
import { formatStatus } from '../../src/cli/format-status.js';
import { createPaint } from '../../src/cli/paint.js';
import { aStatus } from './fake-gateway.js';

const now = 10 * 24 * 3_600_000;
const plain = createPaint({ isTerminal: false, write: () => {} }, {});

const busy = aStatus({
  startedAt: now - 2 * 3_600_000 - 5 * 60_000,
  adapters: [
    {
      platform: 'telegram',
      title: 'Telegram',
      state: 'unhealthy',
      since: now - 59_999,
      lastInboundAt: now - 24 * 3_600_000 + 1,
      lastSentAt: now - 3 * 60_000,
      disconnects: 2,
    },
    { platform: 'web', title: 'Web', state: 'connected', since: now, disconnects: 0 },
  ],
  queues: {
    runningTurns: 1,
    waitingMessages: 2,
    pendingDeliveries: 3,
    failedDeliveries: 4,
    unknownDeliveries: 5,
  },
  problems: ['Telegram: the network is not reachable. '.repeat(4), 'The disk is full.'],
});

test.each([
  [
    { sessions: 3, messages: 1, files: 2, bytes: 1_600_000 },
    '3 conversations, 1 old message, 2 files (1.5 MB)',
  ],
  [{ sessions: 1, messages: 0, files: 0, bytes: 0 }, '1 conversation'],
])('says what housekeeping forgot: %o', (counts, words) => {
  const status = aStatus({ forgotten: { at: now - 5 * 3_600_000, ...counts } });
  expect(formatStatus(status, { now, paint: plain })).toContain(`\nForgot  ${words}, 5 h ago\n`);
});

test('shows platforms, queues and problems as a table', () => {
  expect(formatStatus(busy, { now, paint: plain })).toBe(
    [
      'Hermes Gateway 1.2.3, running for 2 h 5 min (pid 4711)',
      'Model   gpt-4.1-mini at https://api.openai.com/v1',
      'Queues  1 turn running, 2 messages waiting, 3 to be sent, 4 failed, 5 unknown',
      '',
      'PLATFORM         STATE       SINCE        LAST MESSAGE     LAST SENT',
      'Telegram         unhealthy   59 s         23 h 59 min ago  3 min ago',
      'Web              connected   0 s          –                –',
      '',
      '! Telegram: the network is not reachable. Telegram: the network is not',
      '  reachable. Telegram: the network is not reachable. Telegram: the network is',
      '  not reachable.',
      '! The disk is full.',
      '',
    ].join('\n'),
  );
});

test('fits into 80 columns', () => {
  const lines = formatStatus(busy, { now, paint: plain }).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('says what the demo is, and that no platform is on', () => {
  const status = aStatus({ model: { provider: 'offline', name: 'offline', isDemo: true } });
  const text = formatStatus(status, { now, paint: plain });
  expect(text).toContain('offline (a scripted demo, no real model)');
  expect(text).toContain('No platform is on.');
  expect(text).toContain('0 turns running, 0 messages waiting, 0 to be sent\n');
});

test.each([
  [{}, true, true],
  [{ NO_COLOR: '' }, true, true],
  [{ NO_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
  [{}, false, false],
])('with %j at a terminal (%s) there are colours: %s', (environment, isTerminal, isColoured) => {
  const paint = createPaint({ isTerminal, write: () => {} }, environment);
  expect(formatStatus(busy, { now, paint }).includes('\u001B[')).toBe(isColoured);
});

test('says under a platform why it is down', () => {
  const detail =
    'Another process receives with this bot token. Stop it, or revoke the token and use the new one here.';
  const status = aStatus({
    adapters: [
      { platform: 'telegram', title: 'Telegram', state: 'unhealthy', since: now, disconnects: 1, detail },
    ],
  });
  const lines = formatStatus(status, { now, paint: plain }).split('\n');
  const row = lines.findIndex((line) => line.startsWith('Telegram'));
  expect(lines[row + 1]).toMatch(/^! Telegram: Another process receives/u);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
});
