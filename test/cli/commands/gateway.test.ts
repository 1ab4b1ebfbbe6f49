import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Daemon, DaemonOptions } from '../../../src/app.js';
import { runGateway } from '../../../src/cli/commands/gateway.js';
import { later, StoreError } from '../../../src/core/errors.js';
import { someGatewayServices } from '../../fakes/gateway-services.js';
import { FakeEdge } from '../fake-edge.js';
import { aStatus } from '../fake-gateway.js';

/** A daemon that notes what is asked of it. */
const aDaemon = (changes: Partial<Daemon> = {}) => {
  const steps: string[] = [];
  let options: DaemonOptions | undefined;
  const daemon: Daemon = {
    load: async () => void steps.push('load'),
    start: async () => void steps.push('start'),
    startSending: async () => void steps.push('startSending'),
    startJobs: async () => void steps.push('startJobs'),
    stop: async () => void steps.push('stop'),
    services: someGatewayServices({ status: async () => aStatus() }),
    pageUrl: () => 'http://127.0.0.1:8642/',
    ...changes,
  };
  const createDaemon = async (given: DaemonOptions): Promise<Daemon> => {
    steps.push('create');
    options = given;
    return daemon;
  };
  return { steps, createDaemon, given: () => options };
};

const logOf = (edge: FakeEdge): string => readFileSync(join(edge.home, 'logs/gateway.log'), 'utf8');

describe('a life of the gateway', () => {
  test('starts, tells where the page is, and stops when asked', async () => {
    const edge = new FakeEdge();
    const { steps, createDaemon, given } = aDaemon();
    const running = runGateway([], edge, { createDaemon });
    await edge.told('Open http://127.0.0.1:8642/');
    expect(steps).toEqual(['create', 'start']);
    edge.stop();
    expect(await running).toBe(0);
    expect(steps).toEqual(['create', 'start', 'stop']);
    expect(edge.out).toBe('');
    expect(given()).toMatchObject({ version: '1.2.3', pid: 4711, settings: { paths: { home: edge.home } } });
    expect(logOf(edge)).toMatch(/gateway started.*gateway stopping.*gateway stopped/s);
  });

  const write = (edge: FakeEdge, text: string): void => writeFileSync(join(edge.home, 'config.yaml'), text);
  const logged = (edge: FakeEdge, line: string) => expect.poll(() => logOf(edge)).toContain(line);

  test('SIGHUP without a change is answered in the log', async () => {
    const edge = new FakeEdge();
    const { steps, createDaemon } = aDaemon();
    const running = runGateway([], edge, { createDaemon });
    await edge.told('Open http');
    edge.reload();
    await logged(edge, 'settings reloaded, nothing has changed');
    edge.stop();
    expect(await running).toBe(0);
    expect(steps).toEqual(['create', 'start', 'stop']);
  });

  test.each([
    ['SIGHUP', (edge: FakeEdge) => edge.reload()],
    ['saving them', () => {}],
  ])('%s applies changed settings', async (_how, ask) => {
    const edge = new FakeEdge();
    const { steps, createDaemon, given } = aDaemon();
    const running = runGateway([], edge, { createDaemon });
    await edge.told('Open http');
    write(edge, 'agent: {max_iterations: 7}\n');
    ask(edge);
    await expect
      .poll(() => steps, { timeout: 10_000 })
      .toEqual(['create', 'start', 'stop', 'create', 'start']);
    expect(given()?.settings.agent.maxIterations).toBe(7);
    edge.stop();
    expect(await running).toBe(0);
    expect(steps.at(-1)).toBe('stop');
  });

  test('settings that cannot be used change nothing, and it says what is wrong', async () => {
    const edge = new FakeEdge();
    const { steps, createDaemon } = aDaemon();
    const running = runGateway([], edge, { createDaemon });
    await edge.told('Open http');
    write(edge, 'agent: {max_iterations: many}\n');
    edge.reload();
    await logged(edge, 'the last good ones stay');
    expect(edge.err).toContain('max_iterations');
    expect(steps).toEqual(['create', 'start']);
    edge.stop();
    expect(await running).toBe(0);
  });

  test('settings with which it cannot start are left for those before', async () => {
    const edge = new FakeEdge();
    const limits: number[] = [];
    const { steps, createDaemon } = aDaemon();
    const choosy: typeof createDaemon = async (options) => {
      const { maxIterations } = options.settings.agent;
      limits.push(maxIterations);
      const daemon = await createDaemon(options);
      return maxIterations === 7 ? { ...daemon, start: async () => Promise.reject(new Error('no')) } : daemon;
    };
    const running = runGateway([], edge, { createDaemon: choosy });
    await edge.told('Open http');
    write(edge, 'agent: {max_iterations: 7}\n');
    edge.reload();
    await logged(edge, 'the ones before stay');
    await expect.poll(() => limits).toHaveLength(3);
    expect(limits[2]).toBe(limits[0]);
    edge.stop();
    expect(await running).toBe(0);
    expect(steps.filter((step) => step === 'stop')).toHaveLength(3);
  });

  test('a stop that comes during the start is obeyed after it', async () => {
    const edge = new FakeEdge();
    const { steps, createDaemon } = aDaemon({ start: async () => edge.stop() });
    expect(await runGateway([], edge, { createDaemon })).toBe(0);
    expect(steps).toEqual(['create', 'stop']);
    expect(edge.err).not.toContain('Open http');
  });

  test('a platform that is still connecting does not hold up a stop', async () => {
    const edge = new FakeEdge();
    const adapter = { platform: 'web', title: 'Web', state: 'starting' as const, since: 0, disconnects: 0 };
    const services = someGatewayServices({
      status: async () => {
        edge.stop();
        return aStatus({ adapters: [adapter] });
      },
    });
    expect(await runGateway([], edge, { createDaemon: aDaemon({ services }).createDaemon })).toBe(0);
  });

  test('a crash is in the log before the process ends, without secrets', async () => {
    const secret = 'sk-secret-of-the-settings';
    const edge = new FakeEdge({ environment: { OPENAI_API_KEY: secret } });
    const running = runGateway([], edge, { createDaemon: aDaemon().createDaemon });
    await edge.told('Open http');
    edge.crash(new Error(`nobody caught ${secret}`));
    expect(logOf(edge)).toContain('nobody caught ***');
    expect(`${logOf(edge)}${edge.err}`).not.toContain(secret);
    edge.stop();
    await running;
  });
});

describe('a start that fails', () => {
  test('another gateway on the same home is the error of the store', async () => {
    const locked = new StoreError({ code: 'locked', message: 'in use by process 99', retry: later });
    const edge = new FakeEdge();
    const createDaemon = () => Promise.reject(locked);
    await expect(runGateway([], edge, { createDaemon })).rejects.toBe(locked);
  });

  test('what was opened is closed again', async () => {
    const broken = new Error('cannot start');
    const { steps, createDaemon } = aDaemon({ start: () => Promise.reject(broken) });
    await expect(runGateway([], new FakeEdge(), { createDaemon })).rejects.toBe(broken);
    expect(steps).toEqual(['create', 'stop']);
  });

  test('nothing is opened while the settings are wrong', async () => {
    const edge = new FakeEdge();
    writeFileSync(join(edge.home, 'config.yaml'), 'log: {level: loud}\n');
    const { steps, createDaemon } = aDaemon();
    await expect(runGateway([], edge, { createDaemon })).rejects.toMatchObject({ code: 'invalid-settings' });
    expect(steps).toEqual([]);
  });
});
