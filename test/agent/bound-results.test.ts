import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundResults } from '../../src/agent/bound-results.js';
import { estimateMessages } from '../../src/agent/estimate.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelMessage } from '../../src/core/provider.js';
import { aToolCall } from '../fakes/scripted-provider.js';
import { user } from './agent-world.js';

/** A step with one call for each text. */
const step = (name: string, ...texts: readonly string[]): readonly ModelMessage[] => [
  {
    role: 'assistant',
    text: '',
    toolCalls: texts.map((_text, index) => aToolCall({ id: `${name}${index}`, name: 'look' })),
  },
  ...texts.map(
    (text, index): ModelMessage => ({
      role: 'tool',
      call: toToolCallId(`${name}${index}`),
      text,
      isError: false,
    }),
  ),
];
const textsOf = (messages: readonly ModelMessage[]) =>
  messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
/** About a thousand tokens. */
const long = 'x'.repeat(3500);

describe('tool results', () => {
  test('that fit together stay as they are', () => {
    const messages = [user('go'), ...step('a', long), ...step('b', long)];
    expect(boundResults(messages, 3000)).toBe(messages);
  });

  test('that are too much together lose the oldest first, which keep their beginning and say what is gone', () => {
    const messages = [user('go'), ...step('a', `first ${long}`), ...step('b', long), ...step('c', long)];
    const [first, second, third] = textsOf(boundResults(messages, 2500));
    expect(first).toMatch(/^first x+\n\[… 3206 characters of this earlier result left out to save room\]$/u);
    expect([second, third]).toEqual([long, long]);
  });

  test('that are new share the room, the small ones whole', () => {
    const messages = [user('go'), ...step('a', long), ...step('b', long, 'small', `${long}${long}`)];
    const [old, first, small, second] = textsOf(boundResults(messages, 1500));
    expect(old).toMatch(/left out to save room/);
    expect(small).toBe('small');
    expect(first?.length).toBeGreaterThan(2000);
    expect(Math.abs((first?.length ?? 0) - (second?.length ?? 0))).toBeLessThan(60);
  });

  test('stay the same for several calls once room was made, so that the service can cache them', () => {
    const steps = Array.from({ length: 8 }, (_, index) => step(`s${index}`, 'x'.repeat(1000)));
    const stubs = steps.map((_, count) => {
      const messages = [user('go'), ...steps.slice(0, count + 1).flat()];
      return textsOf(boundResults(messages, 1200)).filter((text) => text.includes('save room')).length;
    });
    expect(stubs.at(-1)).toBeGreaterThan(2);
    expect(new Set(stubs).size).toBeLessThan(stubs.length - 1);
  });

  test('keep every message in its place, whole characters and nearly the bound', () => {
    const texts = fc.array(fc.tuple(fc.nat(4000), fc.constantFrom('x', '🙂', '東')), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), fc.integer({ min: 500, max: 8000 }), (steps, bound) => {
        const messages = [
          user('go'),
          ...steps.flatMap((sizes, index) =>
            step(`s${index}-`, ...sizes.map(([size, sign]) => sign.repeat(size))),
          ),
        ];
        const bounded = boundResults(messages, bound);
        expect(bounded.map(({ text: _text, ...rest }) => rest)).toEqual(
          messages.map(({ text: _text, ...rest }) => rest),
        );
        const results = bounded.filter(({ role }) => role === 'tool');
        // A stub or a note takes a little itself.
        expect(estimateMessages(results)).toBeLessThan(bound + results.length * 400);
        expect(textsOf(bounded).join('')).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
