import { expect, test } from 'vitest';
import { annotateText } from '../../../src/adapters/telegram/annotate.js';
import { encodeMarkdown } from '../../../src/adapters/telegram/encode.js';

const note = '(possible duplicate)';

test('the note stands on a line of its own and the formatting stays where it was', () => {
  const [message] = encodeMarkdown('plain **bold**');
  const [annotated, ...others] = annotateText(message!, note);
  expect(others).toEqual([]);
  expect(annotated?.text).toBe('(possible duplicate)\nplain bold');
  const bold = annotated?.entities[0];
  expect(annotated?.text.slice(bold?.offset, (bold?.offset ?? 0) + (bold?.length ?? 0))).toBe('bold');
});

test('a message that becomes too long goes on in a second one with its formatting', () => {
  const [message] = encodeMarkdown(`**${'word '.repeat(819)}**`.replace(' **', '**'));
  expect(message?.text.length).toBeGreaterThan(4096 - note.length);
  const annotated = annotateText(message!, note);
  expect(annotated).toHaveLength(2);
  expect(annotated[0]?.text.startsWith(`${note}\nword `)).toBe(true);
  expect(annotated[1]?.text.startsWith(note)).toBe(false);
  for (const { text, entities } of annotated) {
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(entities).toEqual([expect.objectContaining({ type: 'bold' })]);
    for (const { offset, length } of entities)
      expect(text.slice(offset, offset + length)).toMatch(/^word.*word$/s);
  }
  const words = annotated.flatMap(({ text }) => text.replace(note, '').trim().split(/\s+/));
  expect(words).toHaveLength(819);
});

test('indented code that goes on in a second message stays code', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `    x${String(index).padStart(3, '0')}`);
  const [message] = encodeMarkdown(`\`\`\`py\n${lines.join('\n')}\n\`\`\``);
  const annotated = annotateText(message!, note);
  const code = annotated.flatMap(({ text, entities }) =>
    entities.map(({ type, offset, length }) => ({ type, code: text.slice(offset, offset + length) })),
  );
  expect(code.every(({ type }) => type === 'pre')).toBe(true);
  expect(
    code
      .map((it) => it.code)
      .join('\n')
      .split('\n'),
  ).toEqual(lines);
});
