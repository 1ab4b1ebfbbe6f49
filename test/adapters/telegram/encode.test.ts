import { describe, expect, it } from 'vitest';
import {
  encodeMarkdown,
  encodePreview,
  plainChunks,
  type TelegramText,
} from '../../../src/adapters/telegram/encode.js';

/** Each entity as `type:covered text`, with its language or address. */
function styles({ text, entities }: TelegramText): string[] {
  return entities.map((entity) => {
    const covered = text.slice(entity.offset, entity.offset + entity.length);
    if (entity.type === 'text_link') return `text_link:${covered} -> ${entity.url}`;
    if (entity.type === 'pre') return `pre(${entity.language ?? ''}):${covered}`;
    return `${entity.type}:${covered}`;
  });
}

function only(markdown: string): TelegramText {
  const [chunk, ...more] = encodeMarkdown(markdown);
  expect(more).toEqual([]);
  return chunk ?? { text: '', entities: [] };
}

describe('encodeMarkdown', () => {
  it('turns every mark into its entity', () => {
    const chunk = only('# T\n**b** _i_ ~~s~~ ||p|| `c` [l](https://a.bb)\n\n> q\n\n```py\nx = 1\n```');
    expect(chunk.text).toBe('T\nb i s p c l\n\nq\n\nx = 1');
    expect(styles(chunk)).toEqual([
      'bold:T',
      'bold:b',
      'italic:i',
      'strikethrough:s',
      'spoiler:p',
      'code:c',
      'text_link:l -> https://a.bb',
      'blockquote:q',
      'pre(py):x = 1',
    ]);
  });

  it('shows angle brackets, ampersands and tags as typed', () => {
    const source = '**From:** Pat Doe <pat@example.com>\nif a < b && c > d then <b>not bold</b> & done';
    const chunk = only(source);
    expect(chunk.text).toBe(source.replaceAll('**', ''));
    expect(styles(chunk)).toEqual(['bold:From:']);
  });

  it('splits a style around code, and prefers a link or spoiler to code', () => {
    expect(styles(only('**a `b` c**'))).toEqual(['bold:a', 'code:b', 'bold:c']);
    expect(styles(only('[`f()`](https://a.bb) ||s `c` t||'))).toEqual([
      'text_link:f() -> https://a.bb',
      'spoiler:s c t',
    ]);
  });

  it('puts code within a quote', () => {
    expect(styles(only('> **a**\n>\n> ```\n> x\n> ```'))).toEqual(['blockquote:a\n\nx', 'bold:a', 'pre():x']);
  });

  it('lets no entity begin or end with white space', () => {
    expect(styles(only('**&nbsp;a&nbsp;** b'))).toEqual(['bold:a']);
    expect(styles(only('**&nbsp;** b'))).toEqual([]);
  });

  it('writes out what Telegram would not link', () => {
    const chunk = only('[a](http://localhost:3000) [b](mailto:b@c.dd) [e](/x)');
    expect(chunk).toEqual({ text: 'a (http://localhost:3000) b (b@c.dd) e (/x)', entities: [] });
  });

  it('gives nothing for what shows nothing', () => {
    for (const source of ['', ' \n\t\n', '\u200b', '&nbsp;', '```\n\n```', '> ', '\0']) {
      expect(encodeMarkdown(source)).toEqual([]);
    }
  });

  it('keeps tab indentation as spaces, since Telegram makes one space of a tab', () => {
    expect(styles(only('```go\nfunc f() {\n\treturn\n}\n```'))).toEqual([
      'pre(go):func f() {\n    return\n}',
    ]);
  });

  it('replaces lone surrogates and drops U+0000', () => {
    expect(only('a\ud800b\0c').text).toBe('a\ufffdbc');
  });

  it('keeps the indentation of code at the very start of a message', () => {
    expect(only('```\n    a\n  b\n```')).toEqual({
      text: '…\n    a\n  b',
      entities: [{ type: 'pre', offset: 2, length: 9 }],
    });
  });
});

describe('splitting', () => {
  it('counts UTF-16 units', () => {
    const chunks = encodeMarkdown('a'.repeat(4000) + '😀'.repeat(60));
    expect(chunks.map((it) => it.text.length)).toEqual([4096, 24]);
  });

  it('counts what is visible, not the markup', () => {
    expect(encodeMarkdown(`**${'x'.repeat(4092)}** \`yz\` \\!`.replace(' `yz` ', ''))).toHaveLength(1);
    for (const source of ['!'.repeat(4096), '&'.repeat(4096)]) expect(only(source).text).toBe(source);
  });

  it('continues code as code of the same language, cut at lines', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at % 3 === 0 ? '' : '  '}row_${at} = f(${at})`);
    const chunks = encodeMarkdown(`Intro line\n\n\`\`\`py\n${lines.join('\n')}\n\`\`\`\n\nDone.`);
    expect(chunks.length).toBeGreaterThan(1);
    const code = chunks.flatMap((chunk) => styles(chunk));
    expect(code.every((it) => it.startsWith('pre(py):'))).toBe(true);
    expect(code.map((it) => it.slice('pre(py):'.length)).join('\n')).toBe(lines.join('\n'));
    expect(chunks[0]?.text.startsWith('Intro line\n\nrow_0')).toBe(true);
    expect(chunks.at(-1)?.text.endsWith('\n\nDone.')).toBe(true);
  });

  it('sets a line before code that goes on with indentation, outside the code', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `    row_${at} = f(${at})`);
    const chunks = encodeMarkdown(`Code:\n\`\`\`\n${lines.join('\n')}\n\`\`\``);
    expect(chunks.slice(1).every((it) => it.text.startsWith('…\n    row'))).toBe(true);
    expect(chunks.slice(1).map((it) => it.entities[0]?.offset)).toEqual([2]);
    const code = chunks.flatMap((chunk) => styles(chunk)).map((it) => it.slice('pre():'.length));
    expect(code.join('\n')).toBe(lines.join('\n'));
  });

  it('carries bold over the cut and keeps a link whole', () => {
    const before = `**${'word '.repeat(800)}end** `;
    const source = `${before}${'x'.repeat(4090 - 800 * 5 - 4)} [docs and more](https://example.com/x) tail`;
    const [first, second] = encodeMarkdown(source);
    expect(first && styles(first)[0]).toMatch(/^bold:word .* end$/);
    expect(second && styles(second)).toEqual(['text_link:docs and more -> https://example.com/x']);
    const bold = encodeMarkdown(`**${'word '.repeat(1200)}end**`);
    expect(bold.map((it) => it.entities)).toEqual(
      bold.map((it) => [{ type: 'bold', offset: 0, length: it.text.length }]),
    );
  });

  it('repeats the address of a link too long for one chunk', () => {
    const chunks = encodeMarkdown(`[${'word '.repeat(1000)}](https://a.bb)`);
    expect(chunks).toHaveLength(2);
    for (const chunk of chunks) {
      expect(chunk.entities).toEqual([
        { type: 'text_link', offset: 0, length: chunk.text.length, url: 'https://a.bb' },
      ]);
    }
  });

  it('cuts before the hundred and first entity', () => {
    const chunks = encodeMarkdown('**a** `b` '.repeat(120));
    expect(chunks.map((it) => it.entities.length)).toEqual([100, 100, 40]);
    expect(chunks.map((it) => it.text).join(' ')).toBe('a b '.repeat(120).trim());
  });
});

describe('counting entities', () => {
  it('counts the parts that the server cuts bold into, and the addresses it finds', () => {
    for (const source of [
      `**${'word [a](https://b.cc) '.repeat(80)}end**`,
      '**a** https://b.cc '.repeat(90),
    ]) {
      const chunks = encodeMarkdown(source);
      expect(chunks.length).toBeGreaterThan(1);
      for (const { entities } of chunks) expect(entities.length).toBeLessThanOrEqual(50);
    }
  });
});

describe('encodePreview', () => {
  it('takes what is open as closed', () => {
    const preview = (source: string) =>
      encodePreview(source) && styles(encodePreview(source) as TelegramText);
    expect(preview('a **b')).toEqual(['bold:b']);
    expect(preview('```js\nlet x')).toEqual(['pre(js):let x']);
    expect(encodePreview('see [docs](https://exam')).toEqual({ text: 'see docs', entities: [] });
  });

  it('shows the first message until it is full, then stays', () => {
    const reply = Array.from({ length: 2000 }, (_, at) => `**w${at}** and some more text`).join(' ');
    const first = encodeMarkdown(reply)[0];
    expect(encodePreview(reply)).toEqual(first);
    expect(encodePreview(reply.slice(0, 8000))).toEqual(first);
    expect(encodePreview(reply.slice(0, 100))?.text.length).toBeLessThan(100);
  });

  it('is undefined while nothing is visible', () => {
    expect(encodePreview('')).toBeUndefined();
    expect(encodePreview('**')).toBeUndefined();
    expect(encodePreview('```py\n')).toBeUndefined();
  });
});

describe('plainChunks', () => {
  it('shows addresses after labels that are not the address', () => {
    const chunk = only('see [guide](https://a.bb/g), **b**, <https://c.dd> and [e](https://f.gg)');
    expect(plainChunks(chunk)).toEqual(['see guide (https://a.bb/g), b, https://c.dd and e (https://f.gg)']);
  });

  it('gives several texts when the addresses make it too long', () => {
    const address = `https://example.com/${'p'.repeat(60)}`;
    const [chunk] = encodeMarkdown(`[label](${address}) `.repeat(90));
    const texts = plainChunks(chunk ?? { text: '', entities: [] });
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4096);
    expect(texts.join(' ')).toBe(`label (${address}) `.repeat(90).trim());
  });

  it('keeps the indentation of code', () => {
    const chunk = only(`[a](https://b.cc)\n\n\`\`\`\n${'    line of code\n'.repeat(30)}\`\`\``);
    const texts = plainChunks(chunk, 200);
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts.slice(1)) expect(text.startsWith('…\n    line')).toBe(true);
  });
});
