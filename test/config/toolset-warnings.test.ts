import { expect, test } from 'vitest';
import { platforms } from '../../src/adapters/index.js';
import { readSettings } from '../../src/config/index.js';
import { toolsets } from '../../src/tools/toolsets.js';

const warningsOf = async (yaml: string): Promise<readonly string[]> => {
  const read = await readSettings({
    environment: { HERMES_HOME: '/home/somebody/.hermes' },
    definitions: platforms,
    toolsets,
    readFile: (path) => (path.endsWith('config.yaml') ? yaml : undefined),
  });
  return read.warnings;
};

test('toolsets that are there give no warning, nor do tools of servers that are not connected yet', async () => {
  const yaml = `
toolsets: [web, mine]
custom_toolsets: {mine: {tools: [read_file, mcp_files_list], includes: [todo]}}
platforms: {telegram: {toolsets: [mine]}, web: {toolsets: []}, discord: {toolsets: [file]}}
`;
  expect(await warningsOf(yaml)).toEqual([]);
});

test.each([
  ['toolsets: [wbe]', "toolsets: 'wbe' is no toolset, left out. Did you mean web?"],
  [
    'platforms: {telegram: {toolsets: [read_file]}}',
    "platforms.telegram.toolsets: 'read_file' is no toolset, left out. It is a tool of the toolset file.",
  ],
  [
    'custom_toolsets: {mine: {includes: [fiel]}}',
    "custom_toolsets.mine.includes: 'fiel' is no toolset, left out. Did you mean file?",
  ],
  [
    'custom_toolsets: {mine: {tools: [raed_file]}}',
    "custom_toolsets.mine.tools: 'raed_file' is no tool, left out. Did you mean read_file?",
  ],
  [
    'custom_toolsets: {web: {tools: [todo]}}',
    'custom_toolsets.web: left out, because a toolset that comes with the gateway has this name.',
  ],
  [
    'custom_toolsets: {My Set: {tools: [todo]}}',
    'custom_toolsets.My Set: left out, because a name is made of lower-case letters, digits, _ and -.',
  ],
])('%s is warned of', async (yaml, warning) => {
  expect(await warningsOf(yaml)).toEqual([warning]);
});

test('a name that is near none comes with those there are', async () => {
  expect((await warningsOf('toolsets: [everything]'))[0]).toContain('There are web, terminal, file,');
});
