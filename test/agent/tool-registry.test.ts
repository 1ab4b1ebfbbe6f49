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

  test('gives the tools of a list, the same registry for the same list', () => {
    const registry = createToolRegistry(['b_it', 'a_it', 'c_it'].map((name) => aTool({ name })));
    const view = registry.only(['c_it', 'a_it', 'gone_it']);
    expect(view.specs.map(({ name }) => name)).toEqual(['a_it', 'c_it']);
    expect([view.find('a_it')?.name, view.find('b_it')]).toEqual(['a_it', undefined]);
    expect(registry.only(['c_it', 'a_it', 'gone_it'])).toBe(view);
    expect(registry.only(undefined)).toBe(registry);
    expect(registry.only([]).specs).toEqual([]);
  });

  test('tells what is off from what is gone and what never was', () => {
    const view = createToolRegistry([aTool({ name: 'a_it' }), aTool({ name: 'b_it' })]).only([
      'a_it',
      'c_it',
    ]);
    expect(['b_it', 'c_it', 'd_it'].map((name) => view.absence(name))).toEqual(['off', 'gone', 'unknown']);
  });

  test('cannot be changed', () => {
    const registry = createToolRegistry([aTool({ name: 'a_it' })]);
    expect(Object.isFrozen(registry)).toBe(true);
    expect(Object.isFrozen(registry.specs)).toBe(true);
    expect(Object.isFrozen(registry.only(['a_it']).specs)).toBe(true);
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
