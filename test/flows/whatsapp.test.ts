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
