import { describe, expect, test } from 'vitest';
import { parseDirectives } from '../../../src/gateway/media/directives.js';

/** Reads an answer in a world where these files are there. */
const read = async (markdown: string, ...files: readonly string[]) => {
  const { sources, ...rest } = await parseDirectives(markdown, {
    exists: async (path) => files.includes(path),
  });
  const targets = sources.map((source) => {
    if (source.type === 'path') return source.path;
    return source.type === 'url' ? source.url : `refused ${source.address}`;
  });
  return { ...rest, targets };
};

/** The text that stays and what is to be attached. */
const outcome = async (markdown: string, ...files: readonly string[]) => {
  const { text, targets } = await read(markdown, ...files);
  return [text, ...targets];
};

describe('a tag', () => {
  test('ME-01 takes a bare path with spaces up to its extension, and never into the next line', async () => {
    const reply = 'Here it is\nMEDIA:/ws/out/my chart v2.png\nMore text below';
    expect(await outcome(reply)).toEqual(['Here it is\n\nMore text below', '/ws/out/my chart v2.png']);
    expect(await outcome('MEDIA:/ws/Make\nfile.png')).toEqual(['file.png', '/ws/Make']);
  });

  test.each([
    ['MEDIA:"/ws/a b.png"', ['', '/ws/a b.png']],
    ['MEDIA:`/ws/a b.png`', ['', '/ws/a b.png']],
    ["MEDIA:'/ws/a b.png'", ['', '/ws/a b.png']],
    ['MEDIA: ``/ws/a b.png``', ['', '/ws/a b.png']],
    ["MEDIA:'/ws/Bob's chart.png'", ['', "/ws/Bob's chart.png"]],
    ['MEDIA:"/ws/no extension"', ['', '/ws/no extension']],
    ['MEDIA:"/ws/a b.png" "/ws/c d.png"', ['', '/ws/a b.png', '/ws/c d.png']],
    ['MEDIA:`/ws/a.png`, `/ws/b.png` done', ['done', '/ws/a.png', '/ws/b.png']],
    ['MEDIA:"/ws/unclosed.png', ['', '/ws/unclosed.png']],
    ['MEDIA:"a b.png"', ['MEDIA:"a b.png"']],
  ])('ME-02 takes a quoted path without its quotes: %s', async (reply, expected) => {
    expect(await outcome(reply)).toEqual(expected);
  });

  test.each([
    ['See MEDIA:/ws/a.png.', 'See'],
    ['(MEDIA:/ws/a.png)', ''],
    ['MEDIA:/ws/a.png, as asked', 'as asked'],
    ['**MEDIA:/ws/a.png**', ''],
    ['**MEDIA:** /ws/a.png', ''],
    ['MEDIA:/ws/a.png!', ''],
    ['（MEDIA:/ws/a.png）。', ''],
    ['看 MEDIA:/ws/a.png。好', '看。好'],
    ['- MEDIA:/ws/a.png', ''],
    ['1. first\n2. MEDIA:/ws/a.png\n3. third', '1. first\n3. third'],
    ['Look (MEDIA:/ws/a.png) here', 'Look here'],
    ['[chart](MEDIA:/ws/a.png)', '[chart]'],
    ['Media: /ws/a.png', ''],
    ['media:/ws/a.png<|eos|>', ''],
    ['One\n\nMEDIA:/ws/a.png\n\nTwo', 'One\n\nTwo'],
    ['MEDIA:/ws/a.png\n\n```\n\n\n\ncode\n```', '```\n\n\n\ncode\n```'],
  ])('ME-04 leaves nothing of itself in %j', async (reply, text) => {
    expect(await outcome(reply, '/ws/a.png')).toEqual([text, '/ws/a.png']);
  });

  test.each([
    ['MEDIA:/ws/x.md, MEDIA:/ws/y.md', ['', '/ws/x.md', '/ws/y.md']],
    ['MEDIA:/ws/a.pngMEDIA:/ws/b.png', ['', '/ws/a.png', '/ws/b.png']],
    ['MEDIA:/ws/a.png MEDIA:/ws/a.png', ['', '/ws/a.png', '/ws/a.png']],
    ['MEDIA:/ws/a.tar.gz and MEDIA:/ws/b.zip', ['and', '/ws/a.tar.gz', '/ws/b.zip']],
  ])('ME-05 is told from its neighbours: %s', async (reply, expected) => {
    expect(await outcome(reply)).toEqual(expected);
  });

  test('ends where a file is, if several ends are possible', async () => {
    expect(await outcome('MEDIA:/ws/a.md b.png', '/ws/a.md b.png')).toEqual(['', '/ws/a.md b.png']);
    expect(await outcome('MEDIA:/ws/a.md b.png', '/ws/a.md')).toEqual(['b.png', '/ws/a.md']);
    expect(await outcome('MEDIA:/ws/Makefile and photo.png', '/ws/Makefile')).toEqual([
      'and photo.png',
      '/ws/Makefile',
    ]);
    expect(await outcome('MEDIA:/ws/my notes file is here', '/ws/my notes file')).toEqual([
      'is here',
      '/ws/my notes file',
    ]);
    expect(await outcome('MEDIA:/proc/self/environ for you')).toEqual(['for you', '/proc/self/environ']);
  });

  test('may name an address; other kinds than http are refused', async () => {
    const reply = 'See MEDIA:https://example.org/a?b=c. And MEDIA:file:///etc/passwd now';
    expect(await outcome(reply)).toEqual([
      'See. And now',
      'https://example.org/a?b=c',
      'refused file:///etc/passwd',
    ]);
  });

  test.each([
    'Nothing here.\n\n\n\nReally  ',
    'MEDIA:relative/a.png',
    'Social media: the best of it',
    'multimedia:/ws/a.png',
    '/ws/a.png',
    'MEDIA:',
  ])('is nothing else: %j', async (reply) => {
    expect(await outcome(reply)).toEqual([reply]);
  });
});

describe('what is no tag', () => {
  test.each([
    ['in code', 'Write `MEDIA:/ws/x.png` like this:\n```\nMEDIA:/ws/x.png\n```\n> MEDIA:/ws/x.png\nEnd', 3],
    ['in a fence alone', '```\nMEDIA:/ws/x.png\n```', 1],
    ['in a fence that is never closed', '~~~text\nMEDIA:/ws/x.png', 1],
    ['in a longer fence', '````\n```\nMEDIA:/ws/x.png\n````', 1],
    ['in inline code over two lines', 'Write `a\nMEDIA:/ws/x.png` so', 1],
    ['in a JSON text', '{"old": "MEDIA:/ws/x.png", "say": "a \\"MEDIA:/ws/y.png\\""}', 2],
    ['in quotation marks', 'Just write "MEDIA:/ws/x.png" or „MEDIA:/ws/x.png“.', 2],
  ])('ME-03 stays as it is %s', async (_name, reply, leftAlone) => {
    expect(await read(reply, '/ws/x.png', '/ws/y.png')).toEqual({
      text: reply,
      targets: [],
      asVoice: false,
      asDocument: false,
      leftAlone,
    });
  });

  test('does not shield a tag after it', async () => {
    expect(await outcome('`code` and "quote": MEDIA:/ws/a.png')).toEqual([
      '`code` and "quote":',
      '/ws/a.png',
    ]);
    expect(await outcome('A 5" disk MEDIA:/ws/a.png')).toEqual(['A 5" disk', '/ws/a.png']);
    expect(await outcome('> quote\nMEDIA:/ws/a.png')).toEqual(['> quote', '/ws/a.png']);
    expect(await outcome('it`s\n- MEDIA:/ws/a.png\n- b`c')).toEqual(['it`s\n- b`c', '/ws/a.png']);
  });
});

describe('flags', () => {
  test('apply to the whole message and disappear', async () => {
    const { text, targets, asVoice, asDocument } = await read(
      'Bye\nMEDIA:/ws/a.ogg [[audio_as_voice]]\n[[as_document]]',
    );
    expect({ text, targets, asVoice, asDocument }).toEqual({
      text: 'Bye',
      targets: ['/ws/a.ogg'],
      asVoice: true,
      asDocument: true,
    });
    expect(await read('Write `[[as_document]]` so')).toMatchObject({
      asDocument: false,
      text: 'Write `[[as_document]]` so',
    });
  });
});

test('time grows with the text and not with its square', async () => {
  const hard = [
    'MEDIA:/a '.repeat(20_000),
    `MEDIA:/${'!'.repeat(200_000)}a`,
    '`'.repeat(3).concat(' ` `` ').repeat(30_000),
    `MEDIA:'/a${"'".repeat(100_000)}`,
    '“MEDIA:/x.png '.repeat(10_000),
    `MEDIA:/${'a.png.'.repeat(30_000)}`,
    '*'.repeat(100_000).concat('MEDIA:/a.png', '*'.repeat(100_000)),
    '([{'.repeat(30_000).concat('MEDIA:/a.png', '}])'.repeat(30_000)),
  ];
  const begun = performance.now();
  for (const text of hard) await read(text);
  expect(performance.now() - begun).toBeLessThan(3_000);
});
