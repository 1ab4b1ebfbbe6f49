import { describe, expect, test } from 'vitest';
import { decodeContent } from '../../../src/adapters/telegram/attachment.js';

const file = { file_id: 'F', file_unique_id: 'u' };

describe('files', () => {
  test.each<[string, object, object]>([
    [
      'a photo in its largest size',
      {
        photo: [
          { ...file, file_id: 'S', width: 90, height: 90 },
          { ...file, file_id: 'L', width: 1280, height: 960, file_size: 9 },
          { ...file, file_id: 'M', width: 320, height: 240 },
        ],
      },
      {
        kind: 'image',
        handle: { file_id: 'L' },
        mimeType: 'image/jpeg',
        sizeBytes: 9,
        description: 'a photo',
      },
    ],
    [
      'a document with its name',
      { document: { ...file, file_name: 'report.pdf', mime_type: 'application/pdf', file_size: 5 } },
      {
        kind: 'file',
        handle: { file_id: 'F' },
        fileName: 'report.pdf',
        mimeType: 'application/pdf',
        sizeBytes: 5,
        description: 'a file report.pdf',
      },
    ],
    [
      'a picture sent as a document',
      { document: { ...file, file_name: 'a.png', mime_type: 'image/png' } },
      { kind: 'image', mimeType: 'image/png' },
    ],
    [
      'a voice message',
      { voice: { ...file, duration: 12, mime_type: 'audio/ogg' } },
      { kind: 'voice', mimeType: 'audio/ogg', durationMs: 12_000, description: 'a voice message (12 s)' },
    ],
    [
      'music, which is no voice message',
      { audio: { ...file, duration: 180, performer: 'Band', title: 'Song', mime_type: 'audio/mpeg' } },
      { kind: 'audio', mimeType: 'audio/mpeg', description: 'an audio file “Band – Song” (180 s)' },
    ],
    [
      'a round video, which is listened to',
      { video_note: { ...file, duration: 7, length: 240 } },
      { kind: 'video', mimeType: 'video/mp4', durationMs: 7_000, isSpoken: true },
    ],
    [
      'a video',
      { video: { ...file, duration: 35, mime_type: 'video/quicktime', file_name: 'a.mov' } },
      { kind: 'video', mimeType: 'video/quicktime', fileName: 'a.mov' },
    ],
  ])('TG-14 %s', (_, message, expected) => {
    const parts = decodeContent(message as Readonly<Record<string, unknown>>, '');
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ type: 'media', ...expected });
    expect(parts[0]).not.toHaveProperty('caption');
  });

  test('TG-14 a sticker that stands still is a picture, and its emoji is told', () => {
    const sticker = { ...file, emoji: '🙂', is_animated: false, is_video: false };
    expect(decodeContent({ sticker }, '')).toMatchObject([
      { type: 'described', description: 'a sticker 🙂' },
      { type: 'media', kind: 'image', mimeType: 'image/webp', fileName: 'sticker.webp' },
    ]);
  });

  test('TG-14 music is called by its title where its file has no name', () => {
    const audio = { ...file, duration: 200, performer: 'Band', title: 'Song' };
    expect(decodeContent({ audio }, '')).toMatchObject([{ kind: 'audio', fileName: 'Band – Song' }]);
    expect(decodeContent({ audio: { ...audio, file_name: 'x.mp3' } }, '')).toMatchObject([
      { fileName: 'x.mp3' },
    ]);
  });

  test('TG-14 an animation is one file although it comes with a document as well', () => {
    const animation = { ...file, duration: 2, mime_type: 'video/mp4', file_name: 'cat.mp4' };
    const parts = decodeContent({ animation, document: { ...animation } }, 'look');
    expect(parts).toMatchObject([
      { type: 'media', kind: 'video', description: 'an animation (GIF)', caption: 'look' },
    ]);
  });

  test('a file without an id is named, and its caption kept', () => {
    expect(decodeContent({ photo: [] }, 'my cat')).toEqual([
      { type: 'unsupported', description: 'a photo' },
      { type: 'text', text: 'my cat' },
    ]);
  });
});

describe('what words can give', () => {
  test.each<[string, object]>([
    ['a location (52.5, 13.4)', { location: { latitude: 52.5, longitude: 13.4 } }],
    [
      'a place “Café”, Main Street 1, (1, 2)',
      {
        venue: { title: 'Café', address: 'Main Street 1', location: { latitude: 1, longitude: 2 } },
        location: { latitude: 1, longitude: 2 },
      },
    ],
    [
      'a contact: Bob Example, +49123',
      { contact: { first_name: 'Bob', last_name: 'Example', phone_number: '+49123' } },
    ],
    [
      'a poll “Lunch?” with Pizza / Soup',
      { poll: { question: 'Lunch?', options: [{ text: 'Pizza' }, { text: 'Soup' }] } },
    ],
    [
      'a checklist “Trip” with Pack / Go',
      { checklist: { title: 'Trip', tasks: [{ text: 'Pack' }, { text: 'Go' }] } },
    ],
    ['a throw of 🎲 showing 4', { dice: { emoji: '🎲', value: 4 } }],
  ])('TG-14 %s', (description, message) => {
    expect(decodeContent(message as Readonly<Record<string, unknown>>, '')).toEqual([
      { type: 'described', description },
    ]);
  });
});

describe('what cannot be read', () => {
  test.each<[string, object]>([
    ['an animated sticker 🎉', { sticker: { ...file, emoji: '🎉', is_animated: true } }],
    ['an animated sticker 🎬', { sticker: { ...file, emoji: '🎬', is_video: true } }],
    ['a story', { story: { id: 1 } }],
    ['paid photos or videos', { paid_media: { star_count: 1, paid_media: [] } }],
  ])('TG-14 %s', (description, message) => {
    expect(decodeContent(message as Readonly<Record<string, unknown>>, '')).toEqual([
      { type: 'unsupported', description },
    ]);
  });
});
