/** Whatever a Bot API server says, the gateway goes on: from the poll to the store, the model and back. */
import { expect, test } from 'vitest';
import { drawOddUpdate } from '../adapters/telegram/odd-updates.js';
import { createRandom } from '../crash/random.js';
import { propertyRuns, propertySeed } from '../setup/property-runs.js';
import { createWorld, user } from './world.js';

const COUNT = propertyRuns(150);

test('odd updates of any kind leave the gateway able to answer, and nothing waits at Telegram', async () => {
  const seed = propertySeed(20_261_130);
  const random = createRandom(seed);
  const { telegram, daemon, logger, passing } = await createWorld();
  let lastId = 0;
  for (let count = 0; count < COUNT; count += 1) {
    const { updateId } = await telegram.pushUpdate({ kind: 'raw', update: drawOddUpdate(random) });
    lastId = updateId;
  }
  await passing(telegram.waitForConfirmed(lastId));
  await telegram.sendDirect(user, 'are you still there');
  await passing(
    telegram.waitForChat(user, (messages) =>
      messages.some(({ from, text }) => from === 'bot' && text.includes('are you still there')),
    ),
  );
  expect((await daemon.services.status()).adapters, `seed ${seed}`).toContainEqual(
    expect.objectContaining({ platform: 'telegram', state: 'connected' }),
  );
  expect(
    logger.lines.filter(({ level }) => level === 'error'),
    `seed ${seed}`,
  ).toEqual([]);
}, 240_000);
