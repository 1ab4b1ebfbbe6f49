import { describe, expect, test } from 'vitest';
import {
  chosenToolsets,
  createCustomToolset,
  createToolsetCatalog,
  withCustomToolsets,
} from '../../src/core/toolsets.js';

const toolset = (name: string, tools: readonly string[] = [], includes: readonly string[] = []) => ({
  name,
  description: name,
  tools,
  includes,
});

const catalog = createToolsetCatalog(
  [
    toolset('web', ['search', 'fetch']),
    toolset('file', ['read']),
    toolset('both', ['more'], ['web', 'file']),
  ],
  (platform) => (platform === 'quiet' ? [] : ['web']),
);

describe('a catalog', () => {
  test('gives every tool of its toolsets and of what they include, once each, sorted', () => {
    expect(catalog.toolsOf(['both', 'web'])).toEqual(['fetch', 'more', 'read', 'search']);
    expect(catalog.toolsOf(['file', 'nowhere'])).toEqual(['read']);
    expect(catalog.toolsOf([])).toEqual([]);
  });

  test('walks circles once', () => {
    const circle = createToolsetCatalog(
      [toolset('one', ['a'], ['two']), toolset('two', ['b'], ['one'])],
      () => [],
    );
    expect(circle.toolsOf(['one'])).toEqual(['a', 'b']);
  });

  test('refuses a name that comes twice or is none, and an included one that is not there', () => {
    const create = (...all: readonly ReturnType<typeof toolset>[]) => createToolsetCatalog(all, () => []);
    expect(() => create(toolset('web'), toolset('web'))).toThrow('two toolsets are named web');
    expect(() => create(toolset('Web!'))).toThrow("'Web!' is no name for a toolset");
    expect(() => create(toolset('web', [], ['gone']))).toThrow('web includes gone, which is no toolset');
  });
});

describe('a custom toolset', () => {
  test('is made of tools and of other toolsets, in a catalog of its own', () => {
    const mine = createCustomToolset(catalog, { name: 'my_custom', tools: ['fetch'], includes: ['file'] });
    expect(mine.toolsOf(['my_custom'])).toEqual(['fetch', 'read']);
    expect(mine.find('my_custom')).toEqual({
      name: 'my_custom',
      description: '',
      tools: ['fetch'],
      includes: ['file'],
    });
    expect(catalog.find('my_custom')).toBeUndefined();
  });

  test('takes no name that is taken, and includes nothing that is not there', () => {
    expect(() => createCustomToolset(catalog, { name: 'web' })).toThrow('two toolsets are named web');
    expect(() => createCustomToolset(catalog, { name: 'mine', includes: ['gone'] })).toThrow('no toolset');
  });

  test('of the settings may include another one of them; what cannot be used is left out', () => {
    const mine = withCustomToolsets(catalog, [
      { name: 'first', includes: ['second', 'gone'] },
      { name: 'second', tools: ['x'] },
      { name: 'web', tools: ['stolen'] },
      { name: 'No Name', tools: ['y'] },
    ]);
    expect(mine.toolsOf(['first'])).toEqual(['x']);
    expect(mine.toolsOf(['web'])).toEqual(['fetch', 'search']);
    expect(mine.toolsets).toHaveLength(5);
    expect(withCustomToolsets(catalog, [])).toBe(catalog);
  });
});

test('a platform has its own list, else the one for all, else its default', () => {
  const own = ['file'];
  const everywhere = ['both'];
  expect(chosenToolsets(catalog, 'quiet', { own, everywhere })).toBe(own);
  expect(chosenToolsets(catalog, 'quiet', { everywhere })).toBe(everywhere);
  expect(chosenToolsets(catalog, 'quiet', {})).toEqual([]);
  expect(chosenToolsets(catalog, 'other', {})).toEqual(['web']);
  expect(chosenToolsets(catalog, 'other', { own: [], everywhere })).toEqual([]);
});
