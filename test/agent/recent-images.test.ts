import { expect, test } from 'vitest';
import { withRecentImages } from '../../src/agent/recent-images.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelMessage } from '../../src/core/provider.js';
import { user } from './agent-world.js';

const showing = (text: string, ...names: readonly string[]): ModelMessage => ({
  role: 'user',
  text,
  images: names.map((fileName) => ({ path: `/${fileName}`, fileName, mimeType: 'image/png', sizeBytes: 1 })),
});

test('few pictures stay', () => {
  const messages = [showing('one', 'a', 'b'), user('two'), showing('three', 'c', 'd')];
  expect(withRecentImages(messages)).toBe(messages);
});

test('of many only the newest stay, the others are named', () => {
  const note = (name: string) => `\n[image: ${name} — shown earlier, not shown again]`;
  const newest = showing('three', 'd', 'e', 'f');
  expect(withRecentImages([showing('one', 'a'), showing('two', 'b', 'c'), newest])).toEqual([
    user(`one${note('a')}`),
    { ...showing('two', 'c'), text: `two${note('b')}` },
    newest,
  ]);
});

test('pictures of tools count like those of people', () => {
  const newest = showing('two', 'c', 'd', 'e', 'f');
  const images = [{ path: '/a', fileName: 'a', mimeType: 'image/png', sizeBytes: 1 }];
  const result = { role: 'tool', call: toToolCallId('c1'), text: 'one', isError: false } as const;
  expect(withRecentImages([{ ...result, images }, newest])).toEqual([
    { ...result, text: 'one\n[image: a — shown earlier, not shown again]' },
    newest,
  ]);
});
