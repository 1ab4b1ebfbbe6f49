import { expect, test } from 'vitest';
import { never, ToolError } from '../../../src/core/errors.js';
import { toCorrelationId } from '../../../src/core/ids.js';
import type { StoredFile } from '../../../src/core/parts.js';
import { createAttach, withProblems } from '../../../src/gateway/media/attach.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { ScriptedVoice } from '../../fakes/scripted-voice.js';

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  heic: 'image/heic',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
};

const toFile = (address: string): StoredFile => {
  const fileName = address.split('/').at(-1) ?? '';
  const mimeType = types[fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { path: address, fileName, mimeType, sizeBytes: 1 };
};

/** Every path is a file, but for those that say what is wrong with them. */
const open = async (address: string): Promise<StoredFile> => {
  if (address.includes('gone'))
    throw new ToolError({ code: 'not-found', message: 'there is no such file', retry: never });
  if (address.includes('odd')) throw new TypeError('x is not a y');
  return toFile(address);
};

const createWorld = () => {
  const stopping = new AbortController();
  const attach = createAttach({
    media: {
      take: open,
      fetch: open,
      release: async () => undefined,
      locate: async (path) => (path.includes('gone') ? undefined : path.replace('/link', '')),
    },
    voice: new ScriptedVoice(),
    logger: new MemoryLogger(),
    signal: stopping.signal,
  });
  return {
    stopping,
    attach: (text: string) => attach(text, { correlation: toCorrelationId('corr') }),
  };
};

const kindsIn = async (text: string) => {
  const { parts } = await createWorld().attach(text);
  return parts.flatMap((part) => (part.type === 'media' ? [part.kind] : []));
};

test('each file has the kind of its content', async () => {
  const names = ['a.png', 'b.heic', 'c.mp3', 'd.mp4', 'e.pdf'];
  const kinds = await kindsIn(names.map((name) => `MEDIA:/work/${name}`).join('\n'));
  expect(kinds).toEqual(['image', 'file', 'audio', 'video', 'file']);
});

test('sound is a voice note and a picture a document where the text asks for it', async () => {
  expect(await kindsIn('[[audio_as_voice]]\nMEDIA:/work/a.ogg')).toEqual(['voice']);
  expect(await kindsIn('[[as_document]]\nMEDIA:/work/a.png')).toEqual(['file']);
});

test('a file that is named twice, by whatever path, is sent once', async () => {
  expect(await kindsIn('MEDIA:/work/a.png\nMEDIA:/work/link/a.png')).toEqual(['image']);
});

test('what cannot be attached is told by its own name, without its place', async () => {
  const { attach } = createWorld();
  const answer = await attach(
    'Look:\nMEDIA:/secret/place/gone.png\nMEDIA:/secret/place/odd.png\nMEDIA:https://example.org/gone.png?token=abc',
  );
  expect(answer.problems).toEqual([
    'gone.png could not be attached: there is no such file.',
    'odd.png could not be attached: it cannot be read.',
    'gone.png could not be attached: there is no such file.',
  ]);
  const [said] = answer.parts;
  expect(said).toMatchObject({ type: 'text', text: expect.stringContaining('⚠️ gone.png could not') });
  expect(JSON.stringify(answer)).not.toMatch(/secret|token/u);
});

test('files with no words are files alone, and words that are none are nothing', async () => {
  const { attach } = createWorld();
  expect((await attach('MEDIA:/work/a.png')).parts).toMatchObject([{ type: 'media' }]);
  expect((await attach('  ')).parts).toEqual([]);
});

test('a stop of the gateway is no problem of a file', async () => {
  const { attach, stopping } = createWorld();
  const reason = new Error('the gateway is stopping');
  stopping.abort(reason);
  await expect(attach('MEDIA:/work/gone.png')).rejects.toBe(reason);
});

test('the writer of a text finds what became of its files', () => {
  expect(withProblems('Look.', [])).toBe('Look.');
  expect(withProblems('Look.', ['One.', 'Two.'])).toBe('Look.\n\n[Note of the gateway: One. Two.]');
});
