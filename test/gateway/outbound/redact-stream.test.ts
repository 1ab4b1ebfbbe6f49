import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RedactStream } from '../../../src/gateway/outbound/redact-stream.js';

const secret = 'sk-very-secret_0123456789';
const redact = (text: string): string => text.replaceAll(secret, '***');

test('lets no secret through, however the pieces are cut, and loses nothing else', () => {
  const word = fc.constantFrom('hello', ' ', '\n', '中文', secret, 'sk-', ', ', 'a.b', '**');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 30 }),
      fc.array(fc.nat({ max: 9 }), { maxLength: 60 }),
      (words, cuts) => {
        const text = words.join('');
        const stream = new RedactStream(redact);
        let shown = '';
        let at = 0;
        for (const cut of cuts) {
          shown += stream.push(text.slice(at, at + cut));
          at += cut;
        }
        shown += stream.push(text.slice(at)) + stream.end();
        expect(shown).toBe(redact(text));
      },
    ),
  );
});

test('shows a sentence as it comes, but for the word that is being written', () => {
  const stream = new RedactStream(redact);
  expect(stream.push('The answer is for')).toBe('The answer is ');
  expect(stream.push('ty-two. ')).toBe('forty-two. ');
});

test('does not hold back for ever what has no blanks', () => {
  const stream = new RedactStream(redact);
  expect(stream.push('x'.repeat(5_000)).length).toBeGreaterThan(3_000);
});
