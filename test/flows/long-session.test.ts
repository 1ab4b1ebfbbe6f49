import { expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

/** About 300 tokens. */
const long = 'x'.repeat(1000);

test('a session that fills the window is summed up where it is kept, told of, and goes on after a restart', async () => {
  const world = await createWorld({ settings: 'agent: {context_tokens: 7500}' });
  const { telegram, model } = world;
  await model.when(
    { userTextMatches: '^<transcript>' },
    text('They counted, and their cat is called Minka.'),
  );
  for (let count = 1; count <= 14; count += 1) {
    await model.when({ userTextMatches: `^message ${count} ` }, text(`answer ${count}`));
    await telegram.sendDirect(user, `message ${count} ${long}`);
    await telegram.waitForMessage(user, `answer ${count}`);
  }
  const notices = (await telegram.botTexts(user)).filter((one) => one.startsWith('🗜'));
  expect(notices.length).toBeGreaterThanOrEqual(1);
  expect(notices.length).toBeLessThanOrEqual(3);
  expect(notices.join()).toContain('summarised');
  await world.stop();
  await world.start();
  await telegram.sendDirect(user, 'what is my cat called?');
  await telegram.waitForMessage(user, 'echo: ');
  const body = JSON.stringify((await model.requests()).at(-1)?.body);
  expect(body).toContain('Minka');
  expect(body).not.toContain('message 1 ');
  expect(body.length / 4).toBeLessThan(6000);
});
