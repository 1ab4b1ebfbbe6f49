import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

describe('a Telegram chat', () => {
  test('gets the answer of the model', async () => {
    const { telegram, model } = await createWorld();
    await model.respond(text('**Hi** there'));
    await telegram.sendDirect(user, 'hello');
    const message = await telegram.waitForMessage(user, 'Hi there');
    expect(message.entities).toEqual([{ type: 'bold', offset: 0, length: 2 }]);
    const [request] = await model.requests();
    expect(request?.lastUserText).toBe('hello');
  });
});
