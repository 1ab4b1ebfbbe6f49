import { describe, expect, it } from 'vitest';
import { flattenMarkdown } from '../../../src/adapters/kit/markdown-flatten.js';
import { parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';

const canLink = (url: string) => url.startsWith('https:');

function flatten(markdown: string) {
  const { text, spans, blockStarts } = flattenMarkdown(parseMarkdown(markdown), { canLink });
  const styles = spans.map((span) => `${span.style}:${text.slice(span.start, span.end)}`);
  return { text, styles, blockStarts };
}

describe('flattenMarkdown', () => {
  it('lays out lists with bullets, numbers, tasks and indentation', () => {
    const source = '1. one\n   - two\n\n     more\n2. [ ] three\n\n- [x] four\n- five';
    expect(flatten(source).text).toBe('1. one\n   • two\n\n     more\n2. ☐ three\n\n☑ four\n• five');
  });

  it('keeps blank lines where the author had them, and puts one before a heading', () => {
    expect(flatten('a\n# T\nintro:\n- x\n\n\n\nb').text).toBe('a\n\nT\nintro:\n• x\n\nb');
  });

  it('makes headings strong without doubling the style', () => {
    expect(flatten('## a **b**').styles).toEqual(['strong:a b']);
  });

  it('gives ranges in tree order, the outer one first', () => {
    expect(flatten('**a *b* `c`** ||d [e](https://f.gg)||').styles).toEqual([
      'strong:a b c',
      'emphasis:b',
      'code:c',
      'spoiler:d e',
      'link:e',
    ]);
  });

  it('sets code and quotes at the start of the line also within a list', () => {
    const source = '- a\n  ```js\n    x\n  y\n  ```\n  > q\n  > > r\n  > - s';
    const { text, styles } = flatten(source);
    expect(text).toBe('• a\n  x\ny\nq\n> r\n• s');
    expect(styles).toEqual(['code-block:  x\ny', 'quote:q\n> r\n• s']);
  });

  it('writes the address after a label it cannot link, unless it says nothing new', () => {
    const source =
      '[a](./x.md) [b](#b) [c@d.ee](mailto:c@d.ee) [f](mailto:c@d.ee) ![g](data:image/png;base64,AA) [](http://h)';
    expect(flatten(source).text).toBe('a (./x.md) b c@d.ee f (c@d.ee) g http://h');
  });

  it('links an image by its alternative text, and a picture within a link by the link', () => {
    expect(flatten('![alt](https://a.bb/c.png) [![badge](https://d.ee)](https://f.gg)').styles).toEqual([
      'link:alt',
      'link:badge',
    ]);
  });

  it('lays out a narrow table in columns by display width', () => {
    const { text, styles } = flatten('| 名称 | n |\n|---|--:|\n| 苹果🍎 | 3 |\n| ab | 12 |');
    expect(text).toBe('名称     n\n------  --\n苹果🍎   3\nab      12');
    expect(styles).toEqual([`code-block:${text}`]);
  });

  it('turns a wide table, or one with links, into a list', () => {
    const wide = `| name | note |\n|---|---|\n| a | ${'x'.repeat(70)} |\n| **b** | |`;
    expect(flatten(wide).text).toBe(`• name: a\n  note: ${'x'.repeat(70)}\n• name: b`);
    const linked = flatten('| name | see |\n|---|---|\n| a | [docs](https://a.bb) |');
    expect(linked.text).toBe('• name: a\n  see: docs');
    expect(linked.styles).toEqual(['link:docs']);
  });

  it('tells where top-level blocks start, except the one that follows its heading', () => {
    const { text, blockStarts } = flatten('# T\n\na\n\nb\n\n- c');
    expect(blockStarts.map((at) => text.slice(at, at + 1))).toEqual(['T', 'b', '•']);
  });

  it('expands tabs in code to tab stops where asked to', () => {
    const blocks = parseMarkdown('```\n\ta\n  \tb\tc\n```');
    expect(flattenMarkdown(blocks, { canLink, tabColumns: 4 }).text).toBe('    a\n    b   c');
    expect(flattenMarkdown(blocks, { canLink }).text).toBe('\ta\n  \tb\tc');
  });

  it('writes a rule, and nothing for empty blocks', () => {
    expect(flatten('a\n\n---\n\n```\n\n```\n\nb').text).toBe('a\n\n———\n\nb');
  });
});
