import { expect, test } from 'vitest';
import { toDeliveryId } from '../../../src/core/ids.js';
import { createKernel } from '../../fakes/kernel.js';
import { platformError } from '../../fakes/scripted-platform.js';

const firstRow = toDeliveryId('delivery-00001');
const stranger = { user: 's1', chat: 's1' };

test('a code is in no stored row once it was told', async () => {
  const { platform, kept, settled } = await createKernel();
  await platform.say('hello?', stranger);
  await platform.showing('pairing approve', 's1');
  await settled();
  expect(await kept.outbox.find(firstRow)).toBeUndefined();
});

test('nor once it was given up, while other rows stay', async () => {
  const { platform, kept, settled, logger } = await createKernel();
  platform.script.fail('send', platformError('refused'));
  await platform.say('hello?', stranger);
  await expect.poll(() => logger.text(['warn'])).toContain('send failed');
  await settled();
  expect(await kept.outbox.find(firstRow)).toBeUndefined();
  await platform.say('/help');
  await platform.showing('/help');
  await settled();
  expect(await kept.outbox.find(toDeliveryId('delivery-00002'))).toMatchObject({ state: 'sent' });
});

test('a kill between the receipt and that is made up for by the next start', async () => {
  const { platform, kept, stores, restartAfterKill, settled } = await createKernel();
  stores.outbox.fail('forget', new Error('killed'));
  await platform.say('hello?', stranger);
  await platform.showing('pairing approve', 's1');
  await settled();
  expect(await kept.outbox.find(firstRow)).toMatchObject({ state: 'sent' });
  await restartAfterKill();
  await settled();
  expect(await kept.outbox.find(firstRow)).toBeUndefined();
});
