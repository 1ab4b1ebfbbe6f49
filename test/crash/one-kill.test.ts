import { expect, test } from 'vitest';
import { text, toolCall } from '../emulators/openai/control.js';
import { createProcessWorld, person } from './process-world.js';

test('a call that may have acted before a kill is named to the person, and not done again', async () => {
  const { telegram, model, start } = await createProcessWorld();
  await model.respond(
    toolCall('send_message', { action: 'send', target: 'origin', message: 'the one effect' }),
    text('I have told you of it'),
  );
  const first = await start();
  const held = await telegram.fault(
    { method: 'sendMessage', textContains: 'the one effect' },
    { kind: 'delay', applied: true },
  );
  await telegram.sendDirect(person, 'send it');
  await held.waitUntilHeld();
  first.kill('SIGKILL');
  await first.exited;
  await telegram.clearFaults();
  await start();
  await telegram.waitForMessage(person, 'I have told you of it');
  const notice = await telegram.waitForMessage(person, 'I was interrupted during');
  expect(notice.text).toContain('the one effect');
  expect(notice.text).toContain('did not repeat it');
  const texts = await telegram.botTexts(person);
  expect(texts.filter((one) => one.includes('I was interrupted during'))).toHaveLength(1);
  // Its send was begun too: what is sent once more says so.
  const effects = texts.filter((one) => one !== notice.text && one.includes('the one effect'));
  expect(effects.filter((one) => !one.includes('(possible duplicate)'))).toHaveLength(1);
  const told = JSON.stringify((await model.requests()).at(-1)?.body);
  expect(told).toContain('Whether it had an effect is unknown');
}, 60_000);
