import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, otherWhatsappUser, whatsappUser } from './world.js';

const group = '120363000000000001@g.us';
const stranger = '15550100003';

const whatsappWorld = {
  phones: [
    { number: whatsappUser, name: 'Ann' },
    { number: otherWhatsappUser, name: 'Bob' },
    { number: stranger, name: 'Cyd' },
  ],
  groups: [{ id: group, subject: 'Plans', members: [whatsappUser, otherWhatsappUser, stranger] }],
};

const begin = (whatsapp = 'streaming: false', settings = '') =>
  createWorld({ whatsapp, whatsappWorld, settings });

describe('a private chat in WhatsApp', () => {
  test('a message is answered, once, however often it is delivered', async () => {
    const { whatsapp, model } = await begin();
    await model.respond(text('**Hi** Ann'));
    const { messageId } = await whatsapp.phone(whatsappUser).sends('hello');
    await whatsapp.waitForMessage(whatsappUser, '*Hi* Ann');
    await whatsapp.redeliver(messageId);
    await model.respond(text('second'));
    await whatsapp.phone(whatsappUser).sends('and now');
    await whatsapp.waitForMessage(whatsappUser, 'second');
    expect(await whatsapp.botTexts(whatsappUser)).toEqual(['*Hi* Ann', 'second']);
    expect((await model.requests()).map(({ lastUserText }) => lastUserText)).toEqual(['hello', 'and now']);
    expect((await whatsapp.state()).complaints).toEqual([]);
  });
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('files in WhatsApp', () => {
  test('WA-07 a picture with a caption reaches the turn as both; where it cannot be fetched the turn hears of that', async () => {
    const { whatsapp, model, passing } = await begin();
    const picture = {
      kind: 'image',
      contentBase64: png.toString('base64'),
      caption: 'what does this say?',
    } as const;
    await model.respond(text('a dot'));
    await whatsapp.phone(whatsappUser).sends(picture);
    await passing(whatsapp.waitForMessage(whatsappUser, 'a dot'));
    await model.respond(text('nothing to see'));
    await whatsapp.phone(whatsappUser).sends({ ...picture, status: 404 });
    await passing(whatsapp.waitForMessage(whatsappUser, 'nothing to see', { timeoutMs: 15_000 }));
    const [first, second] = await model.requests();
    expect(first?.lastUserText).toContain('what does this say?');
    expect(JSON.stringify(first?.body)).toMatch(/image_url|cache\/images/u);
    expect(second?.lastUserText).toContain('what does this say?');
    expect(second?.lastUserText).toContain('no longer at WhatsApp');
  });

  test('files of an answer go out: a picture with its words, a document', async () => {
    const { whatsapp, model, workspace, passing } = await begin();
    await writeFile(join(workspace, 'a.png'), png);
    await writeFile(join(workspace, 'b.txt'), 'some words');
    await model.respond(text(`Both files\nMEDIA:${workspace}/a.png\nMEDIA:${workspace}/b.txt`));
    await whatsapp.phone(whatsappUser).sends('send them');
    const messages = await passing(
      whatsapp.waitForChat(whatsappUser, (all) => all.filter(({ from }) => from === 'bot').length === 2),
    );
    const ours = messages.filter(({ from }) => from === 'bot');
    expect(ours.map(({ kind, text: words }) => [kind, words])).toEqual([
      ['image', 'Both files'],
      ['document', ''],
    ]);
    expect(ours[1]?.media).toMatchObject({
      name: 'b.txt',
      contentBase64: Buffer.from('some words').toString('base64'),
    });
  });
});

describe('a group in WhatsApp', () => {
  test('who mentions the bot is answered, and what others say to each other is not', async () => {
    const { whatsapp, model } = await begin();
    const { account } = await whatsapp.state();
    await whatsapp.phone(whatsappUser).sends('lunch at one', { chat: group });
    await model.respond(text('at one'));
    await whatsapp
      .phone(whatsappUser)
      .sends(`@${account.lid} when?`, { chat: group, mentions: [`${account.lid}@lid`] });
    await whatsapp.waitForMessage(group, 'at one');
    expect(await whatsapp.botTexts(group)).toEqual(['at one']);
    expect(await model.requests()).toHaveLength(1);
  });
});
