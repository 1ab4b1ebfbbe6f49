/** What Telegram messages are made of, out and in, through the whole gateway. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { place, png } from './media-world.js';
import { createWorld, user, type World } from './world.js';

const forum = -1009000777;
const topic = 314;

describe('TG-07 a picture with words in a topic', () => {
  const createForum = async (): Promise<World> => {
    const world = await createWorld({
      telegram: 'streaming: false, require_mention: false',
      telegramWorld: { chats: [{ id: forum, topics: [{ id: topic }] }] },
    });
    await place(join(world.workspace, 'p.png'));
    return world;
  };
  const reply = async (world: World, words: string) => {
    const { telegram, model, passing, workspace } = world;
    await model.respond(text(`MEDIA:${workspace}/p.png\n${words}`));
    await telegram.sendText(user, forum, 'draw', { threadId: topic });
    await passing(telegram.waitForCalls('sendPhoto'));
  };

  test('stands alone where they are too many for a caption, and they follow', async () => {
    const world = await createForum();
    await reply(world, 'y'.repeat(1500));
    await world.passing(world.telegram.waitForMessage(forum, 'yyy'));
    const [photo, words] = (await world.telegram.messages(forum)).filter(({ from }) => from === 'bot');
    expect(photo).toMatchObject({ media: 'photo', text: '', threadId: topic });
    expect(words).toMatchObject({ text: 'y'.repeat(1500), threadId: topic });
  });

  test('carries them as its caption, counted by what is seen', async () => {
    const world = await createForum();
    await reply(world, `**${'x'.repeat(1022)}**`);
    const sent = (await world.telegram.messages(forum)).filter(({ from }) => from === 'bot');
    expect(sent).toMatchObject([
      {
        media: 'photo',
        text: 'x'.repeat(1022),
        entities: [{ type: 'bold', offset: 0, length: 1022 }],
        threadId: topic,
      },
    ]);
    expect(await world.telegram.calls('sendMessage')).toEqual([]);
  });
});

test('TG-14 every kind of message gives a turn that says what it is, and none an empty one', async () => {
  const world = await createWorld();
  const { telegram, model, passing } = world;
  const { fileId } = await telegram.addFile({ bytes: png });
  const ogg = await telegram.addFile({ bytes: Buffer.from('OggS'.padEnd(28, '\0').concat('OpusHead')) });
  const file = { file_id: fileId, file_unique_id: 'u', file_size: png.length };
  const sound = { file_id: ogg.fileId, file_unique_id: 'o', file_size: ogg.sizeBytes };
  const kinds: readonly (readonly [fields: Record<string, unknown>, told: RegExp])[] = [
    [{ sticker: { ...file, emoji: '🎉', width: 9, height: 9 } }, /🎉/u],
    [{ sticker: { ...file, emoji: '🎬', is_animated: true, width: 9, height: 9 } }, /animated sticker 🎬/u],
    [{ video_note: { ...file, length: 240, duration: 12 } }, /video note of 12 s/u],
    [{ voice: { ...sound, duration: 3, mime_type: 'audio/ogg' } }, /voice note of 3 s .*recognises speech/u],
    [
      { audio: { ...sound, duration: 200, title: 'Song', performer: 'Band', mime_type: 'audio/mpeg' } },
      /Song/u,
    ],
    [
      {
        animation: { ...file, duration: 2, width: 9, height: 9, file_name: 'cat.mp4' },
        document: { ...file, file_name: 'cat.mp4' },
      },
      /cat\.mp4/u,
    ],
    [{ location: { latitude: 52.5, longitude: 13.4 } }, /52\.5.*13\.4/u],
    [{ contact: { first_name: 'Bob', phone_number: '+49123' } }, /Bob.*\+49123/u],
    [{ poll: { question: 'Lunch?', options: [{ text: 'Pizza' }] } }, /Lunch\?.*Pizza/u],
    [{ dice: { emoji: '🎲', value: 4 } }, /🎲.*4/u],
  ];
  for (const [index, [fields, told]] of kinds.entries()) {
    await telegram.pushUpdate({ kind: 'message', userId: user, fields });
    await passing(model.waitFor({ requests: index + 1, idle: true }));
    const asked = (await model.requests()).at(-1)?.lastUserText ?? '';
    expect(asked).toMatch(told);
    if (!('voice' in fields)) expect(asked).not.toContain('recognises speech');
  }
  const forward_origin = { type: 'hidden_user', sender_user_name: 'Somebody', date: 1 };
  await telegram.pushUpdate({ kind: 'message', userId: user, text: 'look', fields: { forward_origin } });
  await passing(model.waitFor({ requests: kinds.length + 1, idle: true }));
  expect((await model.requests()).at(-1)?.lastUserText).toMatch(/forwarded from Somebody.*look/su);
});

test('TG-14 a post in a channel is answered only where the channel is allowed', async () => {
  const channel = -1009000888;
  const { telegram, model } = await createWorld({
    telegram: `streaming: false, allowed_chats: ['${channel}']`,
  });
  const post = (chat: number, id: number) => ({
    kind: 'raw' as const,
    update: {
      channel_post: {
        message_id: id,
        date: 1_767_225_600,
        chat: { id: chat, type: 'channel', title: 'News' },
        sender_chat: { id: chat, type: 'channel', title: 'News' },
        text: 'hello readers',
      },
    },
  });
  await telegram.setChat({ id: channel, type: 'channel', title: 'News', botIsAdmin: true });
  await telegram.pushUpdate(post(-1009000999, 5));
  await telegram.pushUpdate(post(channel, 6));
  await telegram.waitForMessage(channel, 'echo: ');
  expect(await model.requests()).toHaveLength(1);
});
