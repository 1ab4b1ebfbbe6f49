import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFreshSettings } from '../../src/cli/fresh-settings.js';
import { readForCommand } from '../../src/cli/read-for-command.js';
import { FakeEdge } from './fake-edge.js';

test('settings are read again only when a file has changed, and are none while they cannot be used', async () => {
  const edge = new FakeEdge();
  const file = join(edge.home, 'config.yaml');
  writeFileSync(file, 'toolsets: [todo]\n');
  const { settings } = await readForCommand(edge);
  const fresh = createFreshSettings(settings, edge);
  expect(await fresh()).toBe(settings);
  writeFileSync(file, 'toolsets: [todo, file]\n');
  const changed = await fresh();
  expect(changed?.toolsets.everywhere).toEqual(['todo', 'file']);
  expect(await fresh()).toBe(changed);
  writeFileSync(file, 'toolsets: {\n');
  expect(await fresh()).toBeUndefined();
  rmSync(file);
  expect((await fresh())?.toolsets.everywhere).toBeUndefined();
});
