import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acquireHomeLock } from '../../../src/store/sqlite/home-lock.js';
import { startChild } from './child.js';
import { useScratchHome } from './scratch-home.js';

const home = useScratchHome();

test('a home that is held is refused, naming who holds it and what to do', async () => {
  const lock = await acquireHomeLock(home.path, 'gateway');
  await expect(acquireHomeLock(home.path, 'doctor')).rejects.toMatchObject({
    name: 'StoreError',
    code: 'locked',
    message: expect.stringMatching(
      new RegExp(`^${home.path} is in use by process ${process.pid} \\(gateway\\).*stop.*HERMES_HOME`),
    ),
  });
  await lock.release();
});

test('a refused attempt leaves the lock with its holder', async () => {
  const lock = await acquireHomeLock(home.path, 'gateway');
  await expect(acquireHomeLock(home.path, 'one')).rejects.toMatchObject({ code: 'locked' });
  await expect(acquireHomeLock(home.path, 'two')).rejects.toMatchObject({ code: 'locked' });
  await lock.release();
});

test('a released home can be taken again, and a second release does not give it away', async () => {
  const first = await acquireHomeLock(home.path, 'gateway');
  await first.release();
  const second = await acquireHomeLock(home.path, 'gateway');
  await first.release();
  await expect(acquireHomeLock(home.path, 'other')).rejects.toMatchObject({ code: 'locked' });
  await second.release();
});

test('another process that is killed gives the home free', async () => {
  const child = startChild(new URL('./hold-home.ts', import.meta.url), home.path);
  await once(child.lines, 'line');
  await expect(acquireHomeLock(home.path, 'gateway')).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(`process ${child.pid} (holder)`),
  });
  await child.kill();
  const lock = await acquireHomeLock(home.path, 'gateway');
  await lock.release();
});

test('the files are for their owner only, and who holds the home is told only while it is held', async () => {
  const lock = await acquireHomeLock(home.path, 'gateway');
  const modes = ['gateway.lock', 'gateway.lock.owner'].map((name) => statSync(home.file(name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
  await lock.release();
  expect(readdirSync(home.path)).toEqual(['gateway.lock']);
});

test('an unreadable note about the holder does not hide that the home is held', async () => {
  const lock = await acquireHomeLock(home.path, 'gateway');
  writeFileSync(home.file('gateway.lock.owner'), 'not JSON');
  await expect(acquireHomeLock(home.path, 'other')).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('in use by another process'),
  });
  await lock.release();
});

test('a home that does not exist is an error that names it', async () => {
  await expect(acquireHomeLock(home.file('gone'), 'gateway')).rejects.toMatchObject({
    code: 'unwritable',
    message: expect.stringContaining(home.file('gone')),
  });
});
