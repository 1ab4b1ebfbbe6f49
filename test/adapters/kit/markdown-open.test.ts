import { describe, expect, it } from 'vitest';
import { closeOpenMarks } from '../../../src/adapters/kit/markdown-open.js';

describe('closeOpenMarks', () => {
  it.each([
    ['**bold', '**bold**'],
    ['x **bold `code', 'x **bold `code`**'],
    ['**bold ', '**bold**'],
    ['~~s', '~~s~~'],
    ['||s', '||s||'],
    ['an *it', 'an *it*'],
    ['**a** *b* `c` d', '**a** *b* `c` d'],
    ['2*3 and snake_case', '2*3 and snake_case'],
    ['\\*\\*a', '\\*\\*a'],
  ])('closes what is open in %j', (source, closed) => {
    expect(closeOpenMarks(source)).toBe(closed);
  });

  it.each([
    ['a **', 'a '],
    ['**bo*', '**bo**'],
    ['a `', 'a '],
    ['see [guide](https://exa', 'see guide'],
    ['see ![pic](', 'see pic'],
    ['see [guide](https://a.bb) x', 'see [guide](https://a.bb) x'],
  ])('drops a marker or address begun at the end of %j', (source, closed) => {
    expect(closeOpenMarks(source)).toBe(closed);
  });

  it('looks at the last block alone', () => {
    expect(closeOpenMarks('**a\n\nb **c')).toBe('**a\n\nb **c**');
    expect(closeOpenMarks('- **a\n- b **c')).toBe('- **a\n- b **c**');
  });

  it('leaves code in an open fence alone, but for the fence that begins to close it', () => {
    expect(closeOpenMarks('```py\nx = a **b')).toBe('```py\nx = a **b');
    expect(closeOpenMarks('```py\nx\n``')).toBe('```py\nx');
    expect(closeOpenMarks('```py\nx\n```\n\n**a')).toBe('```py\nx\n```\n\n**a**');
  });
});
