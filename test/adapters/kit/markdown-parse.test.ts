import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';
import type { Block, Inline } from '../../../src/core/markdown.js';

const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]): Block => ({ type: 'paragraph', spaced: false, children });

/** The inlines of a source that is one paragraph. */
function inlines(markdown: string): readonly Inline[] {
  const [block, ...rest] = parseMarkdown(markdown);
  expect(rest).toEqual([]);
  return block?.type === 'paragraph' ? block.children : [];
}

describe('inlines', () => {
  it('nest marks', () => {
    expect(inlines('**a *b* ~~c~~**')).toEqual([
      {
        type: 'strong',
        children: [
          text('a '),
          { type: 'emphasis', children: [text('b')] },
          text(' '),
          { type: 'strike', children: [text('c')] },
        ],
      },
    ]);
  });

  it('close bold after Chinese punctuation without a space', () => {
    expect(inlines('**中文。**后文')).toEqual([{ type: 'strong', children: [text('中文。')] }, text('后文')]);
  });

  it('take pipes around text as a spoiler, and leave the or-operator alone', () => {
    expect(inlines('a ||b c|| d')).toEqual([
      text('a '),
      { type: 'spoiler', children: [text('b c')] },
      text(' d'),
    ]);
    expect(inlines('这是||秘密||哦')[1]).toEqual({ type: 'spoiler', children: [text('秘密')] });
    expect(inlines('if (a || b) or a||b||c or f(x)||(y)')).toEqual([
      text('if (a || b) or a||b||c or f(x)||(y)'),
    ]);
  });

  it('keep raw HTML and mail addresses in brackets as typed', () => {
    const source =
      'Pat <pat@example.com> says <b class="*x*">no</b> & a < b, vector<std::string> <!-- *c* -->';
    const typed = inlines(source).map((it) => (it.type === 'text' ? it.text : `{${it.type}}`));
    expect(typed.join('')).toBe(source);
  });

  it('link web addresses in angle brackets', () => {
    expect(inlines('<https://example.com/a_b_c>')).toEqual([
      { type: 'link', url: 'https://example.com/a_b_c', children: [text('https://example.com/a_b_c')] },
    ]);
  });

  it('keep addresses as typed and images apart from links', () => {
    expect(inlines('[文](./文档.md) ![alt](http://a.bb/c.png "t")')).toEqual([
      { type: 'link', url: './文档.md', children: [text('文')] },
      text(' '),
      { type: 'image', url: 'http://a.bb/c.png', children: [text('alt')] },
    ]);
  });

  it('keep line ends, soft, hard and written as a character reference', () => {
    const types = inlines('a\nb  \nc&#10;d').map((it) => it.type);
    expect(types).toEqual(['text', 'break', 'text', 'break', 'text', 'break', 'text']);
  });
});

describe('blocks', () => {
  it('say whether a blank line stood before them', () => {
    const spaced = parseMarkdown('# T\nintro:\n- a\n- b\n\npara').map((it) => [it.type, it.spaced]);
    expect(spaced).toEqual([
      ['heading', false],
      ['paragraph', false],
      ['list', false],
      ['paragraph', true],
    ]);
  });

  it('hold nested lists and tasks', () => {
    const [list] = parseMarkdown('3. [x] done\n   - [ ] **open**\n   - [link](x)\n4. b');
    expect(list).toMatchObject({ type: 'list', ordered: true, start: 3 });
    const items = list?.type === 'list' ? list.items : [];
    expect(items[0]).toMatchObject({ checked: true, children: [paragraph(text('done')), { type: 'list' }] });
    const inner = items[0]?.children[1];
    const open = inner?.type === 'list' ? inner.items : [];
    expect(open[0]).toMatchObject({ checked: false, children: [{ children: [{ type: 'strong' }] }] });
    expect(open[1]?.checked).toBeUndefined();
  });

  it('hold code with its language, also when the fence is not closed', () => {
    expect(parseMarkdown('```py title="x"\n  a\n\n  b')).toEqual([
      { type: 'code-block', spaced: false, language: 'py', text: '  a\n\n  b' },
    ]);
  });

  it('hold tables with alignment; <br> breaks a cell', () => {
    expect(parseMarkdown('| a | b |\n|:-:|--:|\n| x<br>y |')).toEqual([
      {
        type: 'table',
        spaced: false,
        aligns: ['center', 'right'],
        header: [[text('a')], [text('b')]],
        rows: [[[text('x'), { type: 'break' }, text('y')], []]],
      },
    ]);
  });

  it('keep cells beyond the last column, within the last one', () => {
    const [table] = parseMarkdown('> | a | b |\n> |---|---|\n> | x | y | z \\| w |\n> | 1 | 2 |');
    const rows = table?.type === 'quote' && table.children[0]?.type === 'table' ? table.children[0].rows : [];
    expect(rows).toEqual([
      [[text('x')], [text('y'), text(' | z | w')]],
      [[text('1')], [text('2')]],
    ]);
  });

  it('are a rule under a paragraph of several lines, a heading under one line', () => {
    expect(parseMarkdown('a\nb\n---').map((it) => it.type)).toEqual(['paragraph', 'rule']);
    expect(parseMarkdown('a\n---').map((it) => it.type)).toEqual(['heading']);
  });

  it('drop a reference definition only if a link uses it', () => {
    expect(parseMarkdown('see [docs][d]\n\n[d]: https://a.bb')).toHaveLength(1);
    const shown = parseMarkdown('see docs\n\n[d]: https://a.bb\n[INFO]: done\n\n[^1]: https://c.dd');
    expect(shown.slice(1)).toMatchObject([
      { children: [text('[d]: https://a.bb')] },
      { children: [text('[INFO]: done')] },
      { children: [text('[^1]: https://c.dd')] },
    ]);
  });

  it('nest to a bounded depth, and what lies deeper is text', () => {
    const source = `${'> '.repeat(500)}deep ${'- '.repeat(500)}end`;
    let depth = 0;
    let blocks = parseMarkdown(source);
    for (; blocks[0]?.type === 'quote'; depth += 1) blocks = blocks[0].children;
    expect(depth).toBeLessThan(40);
    expect(JSON.stringify(blocks)).toContain('deep');
    expect(JSON.stringify(blocks)).toContain('end');
  });
});

describe('cleanText', () => {
  it('gives text that every platform takes', () => {
    expect(cleanText('a\0b\r\nc\rd\ud800e\udc00😀\t\x1b[1m')).toBe('ab\nc\nd\ufffde\ufffd😀\t[1m');
  });
});

describe('parseMarkdown', () => {
  it('loses no word, whatever marks stand around it', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'*_|>#-+.!1 \n\\<'), maxLength: 6 });
    const source = fc.array(noise, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(source, (gaps) => {
        const words = gaps.map((_, index) => `w${index}x`);
        const markdown = gaps.map((gap, index) => gap + words[index]).join('');
        const shown = [...JSON.stringify(parseMarkdown(markdown)).matchAll(/w\d+x/g)].map(([word]) => word);
        expect(shown).toEqual(words);
      }),
      { numRuns: 2000 },
    );
  });

  it('is quick on text made to be slow', { timeout: 60_000 }, () => {
    const units = 100_000;
    const patterns = [
      '*',
      '[',
      '![',
      '[a](',
      '[[]',
      '*a **b ',
      '`a',
      '> ',
      '- ',
      '<a ',
      '<!--',
      '||a ',
      '|-',
      '_a',
      '&#1',
    ];
    const started = performance.now();
    for (const pattern of patterns) parseMarkdown(pattern.repeat(units / pattern.length));
    parseMarkdown(`${'['.repeat(units / 2)}${'](x)'.repeat(units / 8)}`);
    parseMarkdown(`${'>'.repeat(1000)}\n${'a\n'.repeat(units / 2)}`);
    // A quadratic path costs a hundred times this.
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
