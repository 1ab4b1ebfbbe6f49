import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventParser } from './modules.js';

const text = [
  'retry: 1000\n\n',
  'id: 1-a-1\nevent: delta\ndata: {"text":"a"}\n\n',
  ': keep-alive\n\n',
  'data: one\ndata: two\n\n',
  'id: 2-a-1\nevent: message\ndata: {"text":"ü\\n"}\n\n',
].join('');

const events = [
  { id: '1-a-1', event: 'delta', data: '{"text":"a"}' },
  { id: undefined, event: 'message', data: 'one\ntwo' },
  { id: '2-a-1', event: 'message', data: '{"text":"ü\\n"}' },
];

test('events are found however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts, text.length].sort((one, other) => one - other);
      const parse = createEventParser();
      const found = places.slice(1).flatMap((end, index) => parse(text.slice(places[index], end)));
      expect(found).toEqual(events);
    }),
  );
});
