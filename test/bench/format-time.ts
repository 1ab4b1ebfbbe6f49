import { encodeMarkdown } from '../../src/adapters/telegram/encode.js';
import { median } from './percentile.js';

/** A reply of 140 lines with every kind of markup that models write. */
const styledReply = Array.from({ length: 10 }, (_, index) => styledBlock(index)).join('\n');

export interface FormatTime {
  /** The first call of a process, with cold code. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly messages: number;
}

/** Formats the styled reply for Telegram and splits it. */
export function measureFormatting(calls: number): FormatTime {
  const times = Array.from({ length: calls }, () => {
    const startedAt = performance.now();
    encodeMarkdown(styledReply);
    return performance.now() - startedAt;
  });
  const [firstMs = Number.NaN, ...rest] = times;
  return { firstMs, medianMs: median(rest), messages: encodeMarkdown(styledReply).length };
}

function styledBlock(index: number): string {
  return [
    `## Step ${index + 1}: look before the **leap**`,
    `Some *plain* prose with **bold**, ~~struck~~ and \`code\`, and a [link](https://example.org/${index}).`,
    '> A quotation that goes on for a while, with _emphasis_ and 天气 in it.',
    '',
    '- first point with `inline code`',
    '  1. nested, with **bold _and italic_** text',
    '- second point 🎉',
    '```python',
    `def step_${index}(value):`,
    '    return value * 2  # not *markup*',
    '```',
    index % 3 === 0
      ? '| name | value |\n| --- | ---: |\n| alpha | 1 |'
      : 'Here follows\na paragraph in\nthree lines.',
  ].join('\n');
}
