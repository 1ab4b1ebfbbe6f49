import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../../src/adapters/kit/markdown-plain.js';

describe('toPlainText', () => {
  it('shows no marks and no escapes', () => {
    const source = '# T\n\n**a** _b_ ~~c~~ `d` ||e|| \\*f\\* 1 &lt; 2\n\n```js\nx()\n```\n\n> q';
    expect(toPlainText(source)).toBe('T\n\na b c d e *f* 1 < 2\n\nx()\n\nq');
  });

  it('shows label and address of links', () => {
    expect(toPlainText('[guide](https://a.bb/c) and <https://d.ee>')).toBe(
      'guide (https://a.bb/c) and https://d.ee',
    );
  });

  it('is empty for nothing', () => {
    expect(toPlainText(' \n\n')).toBe('');
  });
});
