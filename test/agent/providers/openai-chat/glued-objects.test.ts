import { expect, test } from 'vitest';
import { splitGluedObjects } from '../../../../src/agent/providers/openai-chat/glued-objects.js';

test.each([
  ['{"a":1}{"a":2}', ['{"a":1}', '{"a":2}']],
  ['{"a":1}\n {"a":{"b":2}} ', ['{"a":1}', '{"a":{"b":2}}']],
  ['{}{"a":1}', ['{"a":1}']],
  ['{ }{}', ['{}']],
  ['{"a":1}{"a":1}', ['{"a":1}']],
  ['{"a":"}{"}', ['{"a":"}{"}']],
  ['{"a":"\\"}{"}{"b":1}', ['{"a":"\\"}{"}', '{"b":1}']],
  ['{"a":1}', ['{"a":1}']],
  ['', ['']],
  ['{"a":1}{"b":', ['{"a":1}{"b":']],
  ['{"a":1}}', ['{"a":1}}']],
  ['[1][2]', ['[1][2]']],
  ['not json', ['not json']],
])('%j is taken apart into %j', (text, objects) => {
  expect(splitGluedObjects(text)).toEqual(objects);
});
