import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.js';
import { createLogger, type LoggerOptions } from '../../src/host/create-logger.js';
import { createRedactor } from '../../src/host/redactor.js';

const clock: Clock = {
  now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  sleep: async () => {},
  after: () => () => {},
};
const secret = 'very "secret" value';

let folder: string;
let shown: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-logger-'));
  shown = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const create = (changes: Partial<LoggerOptions> = {}) =>
  createLogger({
    level: 'info',
    folder,
    clock,
    redact: createRedactor([secret]),
    terminal: { isColoured: false, write: (text) => shown.push(text) },
    ...changes,
  });

const text = (): string => readFileSync(join(folder, 'gateway.log'), 'utf8');
const records = (): Record<string, unknown>[] =>
  text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('with lines deferred', () => {
  test('they are written together a moment later, in order, and at the end by a flush', () => {
    const later: (() => void)[] = [];
    const logger = create({ defer: (work) => later.push(work) });
    logger.info({}, 'one');
    logger.info({}, 'two');
    expect(shown).toEqual([]);
    expect(later).toHaveLength(1);
    later[0]?.();
    logger.info({}, 'three');
    logger.flush();
    expect(records().map(({ msg }) => msg)).toEqual(['one', 'two', 'three']);
    expect(shown).toHaveLength(3);
  });

  test('one with trouble is written at once, behind those before it', () => {
    const logger = create({ defer: () => {} });
    logger.info({}, 'before');
    logger.error({}, 'trouble');
    expect(records().map(({ msg }) => msg)).toEqual(['before', 'trouble']);
  });
});

describe('the file', () => {
  test('has one JSON object a line, with time, level, fields and the fixed message', () => {
    create().info({ chat: 'c1', message: '42' }, 'message accepted');
    expect(records()).toEqual([
      {
        level: 'info',
        time: '2026-01-02T03:04:05.006Z',
        pid: process.pid,
        chat: 'c1',
        message: '42',
        msg: 'message accepted',
      },
    ]);
  });

  test('children add their fields to every line', () => {
    create().child({ platform: 'p' }).child({ correlation: 'cor_1' }).warn({ chat: 'c' }, 'odd');
    expect(records()).toEqual([expect.objectContaining({ platform: 'p', correlation: 'cor_1', chat: 'c' })]);
  });

  test('leaves out what is below the level', () => {
    const logger = create({ level: 'warn' });
    logger.info({}, 'too small');
    logger.error({}, 'large enough');
    expect(records()).toHaveLength(1);
  });

  test('describes errors once, with their causes, under any name', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    create().error({ error, reason: error }, 'failed');
    const [record] = records();
    const described = expect.objectContaining({
      type: 'Error',
      message: 'outer',
      stack: expect.not.stringContaining('inner'),
      cause: expect.objectContaining({ message: 'inner' }),
    });
    expect(record).toMatchObject({ error: described, reason: described });
  });
});

describe('secrets', () => {
  test('are in no field, message, stack, cause, URL or child', () => {
    const cause = Object.assign(new Error(`refused ${secret}`), { path: `/x/${secret}` });
    const error = new Error(`https://h/?k=${encodeURIComponent(secret)}`, { cause });
    const logger = create();
    logger.child({ key: secret }).error({ error, nested: [{ deep: secret }] }, `failed with ${secret}`);
    const everything = `${text()}${shown.join('')}`;
    expect(everything).toContain('***');
    expect(everything).not.toContain('secret');
  });

  test('SC-07 a bot token inside a URL is removed; the method and the reason stay readable', () => {
    const token = '123456:TEST-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const cause = new Error(`connect ECONNREFUSED https://api.telegram.org/bot${token}/getUpdates`);
    const error = new Error(`Network request for 'getUpdates' failed`, { cause });
    create({ redact: createRedactor([]) }).error({ error }, 'poll failed');
    const everything = `${text()}${shown.join('')}`;
    expect(everything).not.toContain('TEST-A');
    expect(everything).toContain('getUpdates');
    expect(everything).toContain('ECONNREFUSED');
  });
});

describe('the terminal', () => {
  const turnEnd = {
    turn: 'trn_1',
    chat: '555',
    durationMs: 2_345.678,
    share: 0.123456,
    usage: { inputTokens: 450, outputTokens: 17 },
    messages: ['m1'],
  };

  test('gets one line for a turn: no ids, no JSON, no long numbers', () => {
    const logger = create();
    for (const step of ['event received', 'turn started', 'tool call ended', 'message sent'])
      logger.info({ turn: 'trn_1', correlation: 'cor_1' }, step);
    logger.info(turnEnd, 'turn ended');
    expect(shown).toEqual([
      expect.stringMatching(
        / turn ended {2}chat=555 duration=2\.3s share=0\.12 inputTokens=450 outputTokens=17\n$/,
      ),
    ]);
    expect(records()).toHaveLength(5);
    expect(records()[4]).toMatchObject(turnEnd);
  });

  test('gets everything at the level debug', () => {
    const logger = create({ level: 'debug' });
    logger.info({ turn: 'trn_1' }, 'turn started');
    logger.info(turnEnd, 'turn ended');
    expect(shown).toEqual([
      expect.stringContaining('turn=trn_1'),
      expect.stringMatching(/turn=trn_1 .* messages=m1\n$/),
    ]);
  });

  test('gets a step that went wrong', () => {
    create().warn({}, 'message sent');
    expect(shown).toHaveLength(1);
  });

  test('knows steps that the gateway really logs', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('terminal-line.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'))
      .join('\n');
    for (const step of ['event received', 'turn started', 'tool call ended', 'message sent', 'turn ended'])
      expect(sources).toContain(`'${step}'`);
  });

  test('gets a short line for people', () => {
    create().warn(
      { platform: 'p', detail: 'two words', count: 3, correlation: 'cor_1' },
      'platform status changed',
    );
    expect(shown).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d warn {2}platform status changed {2}platform=p detail="two words" count=3\n$/,
      ),
    ]);
  });

  test('is told an error with its causes, without the stack', () => {
    const cause = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' });
    create().error({ error: new Error('not sent', { cause }) }, 'send failed');
    expect(shown[0]).toContain('error="not sent, because no route (EHOSTUNREACH)"');
    expect(shown[0]).not.toContain(' at ');
  });

  test('shows colours only if asked to', () => {
    create({ terminal: { isColoured: true, write: (line) => shown.push(line) } }).error({}, 'red');
    create().error({}, 'plain');
    expect(shown[0]).toContain('\u001B[31m');
    expect(shown[1]).not.toContain('\u001B');
  });

  test('hears once that the log file cannot be written', () => {
    const logger = create({ folder: join(folder, 'missing') });
    logger.info({}, 'one');
    logger.info({}, 'two');
    expect(shown.filter((line) => line.includes('log file cannot be written'))).toHaveLength(1);
    expect(shown).toHaveLength(3);
  });
});

test('without a folder nothing is kept', () => {
  const logger = createLogger({
    level: 'info',
    clock,
    redact: (line) => line,
    terminal: { isColoured: false, write: (line) => shown.push(line) },
  });
  logger.info({}, 'only shown');
  expect(shown).toHaveLength(1);
});
