import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { demoCalls, tools } from '../../../src/tools/index.js';
import { describeTool } from './tool-suite.js';

const folder = fileURLToPath(new URL('../../../src/tools', import.meta.url));
/** What lists and groups the tools. */
const lists = ['index.ts', 'toolsets.ts'];
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !lists.includes(name));

for (const tool of tools) describeTool(tool, `${tool.name.replaceAll('_', '-')}.ts`);

test('every file of the folder is a listed tool, and every listed tool a file', () => {
  expect(tools.map(({ name }) => `${name.replaceAll('_', '-')}.ts`).sort()).toEqual([...files].sort());
});

test('what the demo model can be asked for fits the tools', () => {
  for (const { pattern, example, toCall } of demoCalls) {
    const match = pattern.exec(example);
    const call = match === null ? undefined : toCall(match);
    const tool = tools.find(({ name }) => name === call?.name);
    expect(tool?.input.safeParse(call?.arguments)).toMatchObject({ success: true });
  }
});
