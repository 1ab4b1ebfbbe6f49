/** What goes wrong around the daemon, and what people and operators see of it. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

test('a SOUL.md that cannot be read is left out, and told in the log', async () => {
  const { home, telegram, model, logger } = await createWorld();
  await mkdir(join(home, 'SOUL.md'));
  await model.respond(text('I answer all the same'));
  await telegram.sendDirect(user, 'hello');
  await telegram.waitForMessage(user, 'I answer all the same');
  expect(logger.text(['warn'])).toContain('a file of instructions cannot be read');
});

test('a forwarded command is not obeyed', async () => {
  const { telegram, model } = await createWorld();
  await model.respond(text('noted'), text('somebody sent you a command'));
  await telegram.sendDirect(user, 'remember apricot');
  await telegram.waitForMessage(user, 'noted');
  const forward_origin = { type: 'hidden_user', sender_user_name: 'Ben', date: 1_767_225_600 };
  await telegram.sendDirect(user, '/new', { fields: { forward_origin } });
  await telegram.waitForMessage(user, 'somebody sent you a command');
  expect(JSON.stringify((await model.requests())[1]?.body)).toContain('apricot');
});

test('of an answer of a million characters the beginning arrives in order, and how much is missing is told', async () => {
  const { telegram, model, passing } = await createWorld();
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `Line number ${index} of the long answer, which goes on.`,
  );
  await model.respond(text(lines.join('\n')));
  await telegram.sendDirect(user, 'everything');
  const last = await passing(telegram.waitForMessage(user, 'more characters do not fit'));
  const arrived = (await telegram.botTexts(user)).slice(0, -1).join('\n').split('\n');
  expect(arrived.length).toBeGreaterThan(3_000);
  expect(arrived).toEqual(lines.slice(0, arrived.length));
  const missing = Number(/(\d+) more characters/u.exec(last.text)?.[1]);
  // Line ends at the cuts between messages are not counted.
  expect(Math.abs(missing - lines.slice(arrived.length).join('\n').length)).toBeLessThan(1_000);
});

test('one correlation id leads from the update to the receipt', async () => {
  const { telegram, model, logger } = await createWorld();
  await model.respond(text('hello yourself'));
  await telegram.sendDirect(user, 'hello');
  await telegram.waitForMessage(user, 'hello yourself');
  await expect.poll(() => logger.text(['info'])).toContain('message sent');
  const ids = logger.lines.map(({ fields }) => fields['correlation']).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(1);
  const told = logger.lines
    .filter(({ fields }) => fields['correlation'] === ids[0])
    .map(({ message }) => message);
  expect(told[0]).toMatch(/accepted|stored|received/u);
  expect(told.at(-1)).toBe('message sent');
});

test('a database that is moved away takes nothing, which is told, and nothing is lost when it is back', async () => {
  const { home, telegram, model, clock, daemon, passing, logger } = await createWorld();
  const file = join(home, 'state.db');
  await model.respond(text('here I am'));
  await rename(file, join(home, 'elsewhere.db'));
  await clock.advance(1_000);
  await telegram.sendDirect(user, 'are you there?');
  await passing(expect.poll(() => logger.text(['error'])).toContain('database is not where it was'));
  expect((await daemon.services.status()).problems.join()).toContain('deleted or moved away');
  expect(await telegram.botTexts(user)).toEqual([]);
  await rename(join(home, 'elsewhere.db'), file);
  await passing(telegram.waitForMessage(user, 'here I am'));
  expect((await daemon.services.status()).problems).toEqual([]);
});

test('a database that is deleted costs what was said before, and no message', async () => {
  const world = await createWorld();
  const { home, telegram, model, clock, passing, logger } = world;
  await model.respond(text('here I am again'));
  await rm(join(home, 'state.db'));
  await clock.advance(1_000);
  await telegram.sendDirect(user, 'are you there?');
  await passing(expect.poll(() => logger.text(['error'])).toContain('database is not where it was'));
  await world.stop();
  await world.start();
  await telegram.waitForMessage(user, 'here I am again');
});
