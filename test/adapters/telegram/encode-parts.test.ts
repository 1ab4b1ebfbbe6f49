import { describe, expect, test } from 'vitest';
import { encodeParts } from '../../../src/adapters/telegram/encode-parts.js';
import type { TelegramMessage } from '../../../src/adapters/telegram/payload.js';
import type { MediaKind, OutboundMediaPart, OutboundPart } from '../../../src/core/parts.js';

const media = (
  kind: MediaKind,
  mimeType: string,
  fileName = 'a',
  sizeBytes = 1000,
  durationMs?: number,
): OutboundMediaPart => ({
  type: 'media',
  kind,
  file: {
    path: `spool/${fileName}`,
    fileName,
    mimeType,
    sizeBytes,
    ...(durationMs === undefined ? {} : { durationMs }),
  },
});
const photo = (fileName = 'p.png') => media('image', 'image/png', fileName);
const pdf = (fileName = 'd.pdf') => media('file', 'application/pdf', fileName);
const text = (words: string): OutboundPart => ({ type: 'text', text: words });

/** `kinds: caption` for each message. */
const outline = (messages: readonly TelegramMessage[]): readonly string[] =>
  messages.map(({ files, text: words }) => `${files.map(({ kind }) => kind).join('+')}: ${words}`);

describe('how a file is shown', () => {
  test.each<[string, OutboundMediaPart]>([
    ['photo', media('image', 'image/jpeg')],
    ['photo', media('image', 'image/webp')],
    ['animation', media('image', 'image/gif')],
    ['document', media('image', 'image/svg+xml')],
    ['document', media('image', 'image/jpeg', 'big.jpg', 10 * 1024 * 1024 + 1)],
    ['video', media('video', 'video/mp4')],
    ['document', media('video', 'video/x-matroska')],
    ['voice', media('voice', 'audio/ogg; codecs=opus')],
    ['audio', media('voice', 'audio/mpeg')],
    ['document', media('voice', 'audio/wav')],
    ['audio', media('audio', 'audio/mp4')],
    ['document', media('audio', 'audio/flac')],
    ['document', media('file', 'image/png')],
  ])('%s', (kind, part) => {
    expect(outline(encodeParts([part]))).toEqual([`${kind}: `]);
  });

  test('a duration is given in whole seconds, at least one', () => {
    const [long, short] = encodeParts([
      media('voice', 'audio/ogg', 'a.ogg', 9, 2_600),
      media('voice', 'audio/ogg', 'b.ogg', 9, 20),
    ]);
    expect(long?.files[0]?.seconds).toBe(3);
    expect(short?.files[0]?.seconds).toBe(1);
  });
});

describe('captions', () => {
  test('a short text before or behind a file is its caption, formatted', () => {
    for (const parts of [
      [text('a **cat**'), photo()],
      [photo(), text('a **cat**')],
    ]) {
      expect(encodeParts(parts)).toMatchObject([
        { text: 'a cat', entities: [{ type: 'bold', offset: 2, length: 3 }], files: [{ kind: 'photo' }] },
      ]);
    }
  });

  test('TG-07 what is seen is counted, not its markup', () => {
    expect(outline(encodeParts([photo(), text(`**${'x'.repeat(1022)}**`)]))).toEqual([
      `photo: ${'x'.repeat(1022)}`,
    ]);
    expect(encodeParts([photo(), text('x'.repeat(1024))])).toHaveLength(1);
    expect(encodeParts([photo(), text('x'.repeat(1025))])).toHaveLength(2);
  });

  test.each([
    ['before', (words: OutboundPart) => [words, photo()]],
    ['behind', (words: OutboundPart) => [photo(), words]],
  ])('TG-07 a longer text %s the file follows it whole', (_, parts) => {
    expect(outline(encodeParts(parts(text('y'.repeat(1500)))))).toEqual(['photo: ', `: ${'y'.repeat(1500)}`]);
  });

  test('each text stays with the file it belongs to', () => {
    expect(outline(encodeParts([text('one'), photo(), text('two'), pdf(), text('three')]))).toEqual([
      'photo: one',
      'document: two',
      ': three',
    ]);
  });

  test('a blank text is none', () => {
    expect(outline(encodeParts([text(' \n'), photo(), text('')]))).toEqual(['photo: ']);
    expect(encodeParts([text(' ')])).toEqual([]);
  });
});

describe('albums', () => {
  test('pictures and videos go together, everything else with its like', () => {
    const video = media('video', 'video/mp4');
    const song = media('audio', 'audio/mpeg');
    const voice = media('voice', 'audio/ogg');
    const parts = [text('all'), photo(), video, pdf(), pdf(), song, song, voice, voice];
    expect(outline(encodeParts(parts))).toEqual([
      'photo+video: all',
      'document+document: ',
      'audio+audio: ',
      'voice: ',
      'voice: ',
    ]);
  });

  test('ten at most make an album', () => {
    const messages = encodeParts(Array.from({ length: 23 }, (_, index) => photo(`${index}.png`)));
    expect(messages.map(({ files }) => files.length)).toEqual([10, 10, 3]);
    expect(messages.flatMap(({ files }) => files.map(({ fileName }) => fileName))).toEqual(
      Array.from({ length: 23 }, (_, index) => `${index}.png`),
    );
  });
});
