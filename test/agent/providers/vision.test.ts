import { describe, expect, test } from 'vitest';
import { type VisionOptions, withVision } from '../../../src/agent/providers/vision.js';
import { never, ProviderError } from '../../../src/core/errors.js';
import { toToolCallId } from '../../../src/core/ids.js';
import type { StoredFile } from '../../../src/core/parts.js';
import type { ModelEvent, ModelRequest } from '../../../src/core/provider.js';
import { httpError } from '../../emulators/openai/control.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { type ScriptedAnswer, ScriptedProvider, says } from '../../fakes/scripted-provider.js';
import { user } from '../agent-world.js';
import { aRequest, openWorld, readEvents, wireMessages } from './openai-world.js';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const aFile = (fileName: string, changes: Partial<StoredFile> = {}): StoredFile => ({
  path: `/cache/images/${fileName}`,
  fileName,
  mimeType: 'image/png',
  sizeBytes: png.length,
  ...changes,
});
const call = toToolCallId('c1');
const refusal = (message: string): ScriptedAnswer => [
  {
    type: 'error',
    error: new ProviderError({ code: 'bad-request', message, retry: never, userText: 'Refused.' }),
  },
];
const asking = (...images: readonly StoredFile[]): ModelRequest =>
  aRequest({ messages: [{ role: 'user', text: 'what is this?', images }] });

const aWorld = (answers: readonly ScriptedAnswer[], options: Partial<VisionOptions> = {}) => {
  const inner = new ScriptedProvider(...answers);
  const provider = withVision(inner, {
    sees: undefined,
    loadImage: async () => png,
    logger: new MemoryLogger(),
    ...options,
  });
  const ask = (request: ModelRequest): Promise<readonly ModelEvent[]> => readEvents({ provider }, request);
  /** What went to the model: the text, and the names of the pictures that were shown. */
  const sent = () =>
    inner.requests.map(({ messages, pictures = new Map() }) => ({
      text: messages.at(-1)?.text,
      shown: [...pictures.keys()].map(({ fileName }) => fileName),
    }));
  return { ask, sent };
};

describe('pictures', () => {
  test('are shown to a model that may see', async () => {
    const { ask, sent } = aWorld([says('a cat')]);
    await ask(asking(aFile('a.png'), aFile('b.png')));
    expect(sent()).toEqual([{ text: 'what is this?', shown: ['a.png', 'b.png'] }]);
  });

  test('are named to a model that does not see, as the settings say', async () => {
    const { ask, sent } = aWorld([says('?')], { sees: false });
    await ask(asking(aFile('a.png')));
    expect(sent()).toEqual([
      { text: 'what is this?\n[image: a.png — this model cannot see pictures]', shown: [] },
    ]);
  });

  test.each<[string, StoredFile, Partial<VisionOptions>, RegExp]>([
    ['too large', aFile('a.png', { sizeBytes: 6_000_000 }), {}, /larger than 5 MB/],
    ['gone', aFile('a.png'), { loadImage: async () => undefined }, /no longer there/],
    ['no picture', aFile('a.png'), { loadImage: async () => new Uint8Array([1, 2]) }, /cannot read/],
  ])('that are %s become a note', async (_why, file, options, note) => {
    const { ask, sent } = aWorld([says('?')], options);
    await ask(asking(file));
    expect(sent()).toEqual([{ text: expect.stringMatching(note), shown: [] }]);
  });

  test('do not matter where there are none', async () => {
    const { ask, sent } = aWorld([refusal('400 images are not supported')]);
    expect(await ask(aRequest({ messages: [user('hello')] }))).toMatchObject([{ type: 'error' }]);
    expect(sent()).toHaveLength(1);
  });
});

describe('a model that refuses pictures', () => {
  test('is asked again in words, and not shown any from then on', async () => {
    const { ask, sent } = aWorld([refusal('400 emulated is not a multimodal model'), says('fine')]);
    expect((await ask(asking(aFile('a.png')))).at(-1)).toMatchObject({ type: 'done' });
    await ask(asking(aFile('b.png')));
    expect(sent().map(({ shown }) => shown)).toEqual([['a.png'], [], []]);
    expect(sent()[2]?.text).toContain('cannot see pictures');
  });

  test('though it sees, is refusing this picture: that one is left out from then on, others are shown', async () => {
    const { ask, sent } = aWorld([refusal('400 You uploaded an unsupported image.'), says('fine')]);
    expect((await ask(asking(aFile('a.png')))).at(-1)).toMatchObject({ type: 'done' });
    await ask(asking(aFile('a.png'), aFile('b.png')));
    expect(sent().map(({ shown }) => shown)).toEqual([['a.png'], [], ['b.png']]);
    expect(sent()[1]?.text).toContain('the model service refused it');
  });

  test('is known to see by its name or by the settings, whatever it says', async () => {
    const said = refusal('400 this picture is not supported');
    for (const [model, options] of [
      ['gpt-4o-mini', {}],
      ['mine', { sees: true }],
    ] as const) {
      const { ask, sent } = aWorld([said, says('fine')], options);
      await ask({ ...asking(aFile('a.png')), model });
      await ask({ ...asking(aFile('b.png')), model });
      expect(sent().map(({ shown }) => shown)).toEqual([['a.png'], [], ['b.png']]);
    }
  });

  test('for another reason too tells that reason', async () => {
    const { ask, sent } = aWorld([refusal('400 bad temperature')]);
    expect(await ask(asking(aFile('a.png')))).toMatchObject([
      { type: 'error', error: { code: 'bad-request' } },
    ]);
    expect(sent()).toHaveLength(2);
  });
});

test('a tool shows pictures like a person, and its result says what is not shown', async () => {
  const { ask, sent } = aWorld([says('a cat'), says('?')]);
  const shownBy = (images: readonly StoredFile[]) =>
    aRequest({
      messages: [
        user('look'),
        { role: 'assistant', text: '', toolCalls: [{ id: call, name: 'look', argumentsText: '{}' }] },
        { role: 'tool', call, text: 'a picture', isError: false, images },
      ],
    });
  await ask(shownBy([aFile('a.png')]));
  await ask(shownBy([aFile('b.png', { sizeBytes: 6_000_000 })]));
  expect(sent()).toEqual([
    { text: 'a picture', shown: ['a.png'] },
    { text: expect.stringMatching(/^a picture\n\[image: b\.png — left out/), shown: [] },
  ]);
});

describe('over the wire', () => {
  const images = [aFile('a.png')];
  const request = aRequest({ messages: [user('hi'), { role: 'user', text: 'and this?', images }] });

  test('a picture is a data address beside the text; messages without pictures stay strings', async () => {
    const world = await openWorld({}, {}, async () => png);
    await readEvents(world, request);
    expect((await wireMessages(world.control, 1)).slice(1)).toEqual([
      { role: 'user', content: 'hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and this?' },
          {
            type: 'image_url',
            image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` },
          },
        ],
      },
    ]);
  });

  test('pictures of tools come behind the last result, in the order of the calls', async () => {
    const world = await openWorld({}, {}, async () => png);
    const calls = ['c1', 'c2'].map((id) => ({ id: toToolCallId(id), name: 'look', argumentsText: '{}' }));
    const results = calls.map(({ id }, index) => ({
      role: 'tool' as const,
      call: id,
      text: 'a picture',
      isError: false,
      images: [aFile(`${index}.png`)],
    }));
    await readEvents(
      world,
      aRequest({
        messages: [
          user('look'),
          { role: 'assistant', text: '', toolCalls: calls },
          ...results,
          user('well?'),
        ],
      }),
    );
    const sent = (await wireMessages(world.control, 1)).slice(3);
    expect(sent.map(({ role }) => role)).toEqual(['tool', 'tool', 'user', 'user']);
    expect(sent[2]?.['content']).toMatchObject([
      { type: 'text', text: '[What the tools showed, in this order: 0.png, 1.png]' },
      { type: 'image_url' },
      { type: 'image_url' },
    ]);
  });

  test('a service that takes none gets words instead, and the answer comes', async () => {
    const world = await openWorld({}, {}, async () => png);
    await world.control.respond(httpError(400, { message: 'image input is not supported' }));
    expect((await readEvents(world, request)).at(-1)).toMatchObject({ type: 'done' });
    expect((await wireMessages(world.control, 2)).at(-1)).toEqual({
      role: 'user',
      content: 'and this?\n[image: a.png — this model cannot see pictures]',
    });
  });
});
