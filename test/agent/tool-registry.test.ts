import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../src/agent/tool-registry.js';
import { aTool } from './agent-world.js';

describe('a registry', () => {
  test('finds its tools and describes them by JSON Schema', () => {
    const tool = aTool({
      name: 'read_it',
      input: z.object({ at: z.string().describe('Where.'), n: z.number().default(1) }),
    });
    const registry = createToolRegistry([tool]);
    expect(registry.find('read_it')).toBe(tool);
    expect(registry.find('write_it')).toBeUndefined();
    expect(registry.specs).toEqual([
      {
        name: 'read_it',
        description: 'Does read_it.',
        parameters: {
          type: 'object',
          properties: { at: { type: 'string', description: 'Where.' }, n: { type: 'number', default: 1 } },
          required: ['at'],
        },
      },
    ]);
  });

  test.each(['readIt', 'Read', 'read-it', '_read', 'read__it', '', 'x'.repeat(65)])(
    'refuses the name %j',
    (name) => {
      expect(() => createToolRegistry([aTool({ name })])).toThrow('no tool name');
    },
  );

  test('refuses two tools of one name, a tool without description, an unknown category and other input than an object', () => {
    expect(() => createToolRegistry([aTool(), aTool()])).toThrow('two tools');
    expect(() => createToolRegistry([aTool({ changes: { description: ' ' } })])).toThrow('no description');
    expect(() => createToolRegistry([aTool({ category: 'harmless' as never })])).toThrow('no known category');
    expect(() => createToolRegistry([aTool({ input: z.string() })])).toThrow('not an object');
  });
});
