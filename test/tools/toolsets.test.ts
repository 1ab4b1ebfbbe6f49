import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import { toolsets } from '../../src/tools/toolsets.js';

test('every tool is in a toolset, so that it can be offered and switched off', () => {
  const grouped = toolsets.toolsOf(toolsets.toolsets.map(({ name }) => name));
  expect(tools.map(({ name }) => name).filter((name) => !grouped.includes(name))).toEqual([]);
});

test('the toolsets of the original are there, each described', () => {
  const names = toolsets.toolsets.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'web',
      'terminal',
      'file',
      'browser',
      'vision',
      'delegation',
      'code_execution',
      'clarify',
      'memory',
      'cronjob',
      'messaging',
      'skills',
    ]),
  );
  expect(toolsets.toolsets.filter(({ description }) => description === '')).toEqual([]);
});

test('a platform has everything by default; a run with nobody there cannot schedule, write to others or ask', () => {
  expect(toolsets.defaultsOf('telegram')).toEqual(toolsets.toolsets.map(({ name }) => name));
  expect(toolsets.defaultsOf('constructor')).toEqual(toolsets.defaultsOf('telegram'));
  const unattended = toolsets.defaultsOf('cron');
  expect(unattended).toContain('file');
  for (const name of ['cronjob', 'messaging', 'clarify']) expect(unattended).not.toContain(name);
});
