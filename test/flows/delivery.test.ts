import { describe, expect, test } from 'vitest';
import { deltas, gate, slowly, text } from '../emulators/openai/control.js';
import { createWorld, otherUser, user } from './world.js';

describe('delivery', () => {
  test('TG-09 waits as long as the platform says for one chat and serves another at once', async () => {
    const { telegram, clock } = await createWorld();
    await telegram.flood({ method: 'sendMessage', chatId: user }, 3);
    await telegram.sendDirect(user, 'first');
    await telegram.waitForCalls({ method: 'sendMessage', chatId: user }, 1);
    await telegram.sendDirect(user, 'second');
    await telegram.sendDirect(otherUser, 'elsewhere');
    await telegram.waitForMessage(otherUser, 'elsewhere');
    await clock.advance(2_900);
    expect(await telegram.calls({ method: 'sendMessage', chatId: user })).toHaveLength(1);
    await clock.advance(1_000);
    await telegram.waitForMessage(user, 'second');
    expect(await telegram.botTexts(user)).toEqual(['echo: first', 'echo: second']);
  });

  test('TG-09 resumes a waiting preview with the newest text only', async () => {
    const { telegram, model, clock, passing } = await createWorld({ telegram: 'streaming: true' });
    await model.respond(slowly(deltas(['one ', 'two ', 'three ', 'four']), 'slow'));
    await telegram.sendDirect(user, 'count');
    await model.waitFor({ gate: 'slow', waiting: 1 });
    await model.release('slow', 2);
    await passing(telegram.waitForMessage(user, 'one'));
    await telegram.flood({ method: 'editMessageText', chatId: user }, 3);
    await model.release('slow', 2);
    await passing(telegram.waitForCalls('editMessageText', 1));
    await model.openGate('slow');
    await model.waitFor({ outcome: 'complete' });
    await clock.advance(1_000);
    expect(await telegram.calls('editMessageText')).toHaveLength(1);
    await passing(telegram.waitForMessage(user, 'one two three four'));
    expect(await telegram.calls('editMessageText')).toHaveLength(2);
    expect(await telegram.botTexts(user)).toEqual(['one two three four']);
  });

  test('TG-08 takes an edit that changes nothing for done', async () => {
    const { telegram, model, clock, logger } = await createWorld({ telegram: 'streaming: true' });
    await model.respond(slowly(deltas(['Hello', '', ' world']), 'slow'));
    await telegram.sendDirect(user, 'greet');
    await model.waitFor({ gate: 'slow', waiting: 1 });
    await model.release('slow', 3);
    await clock.waiting(700);
    await clock.advance(700);
    await telegram.waitForMessage(user, 'Hello');
    await telegram.fault(
      { method: 'editMessageText', times: 'always' },
      {
        kind: 'error',
        code: 400,
        description:
          'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      },
    );
    await model.openGate('slow');
    await telegram.waitForCalls('editMessageText', 1);
    await clock.advance(120_000);
    expect(await telegram.calls('editMessageText')).toHaveLength(1);
    expect(await telegram.calls('sendMessage')).toHaveLength(1);
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('shows a long answer while it grows and the final text once', async () => {
    const { telegram, model, clock } = await createWorld({ telegram: 'streaming: true' });
    await model.respond(slowly(deltas(['**Bold', ' start** and', ' the end']), 'slow'));
    await telegram.sendDirect(user, 'write');
    await model.waitFor({ gate: 'slow', waiting: 1 });
    await model.release('slow', 2);
    await clock.waiting(700);
    await clock.advance(700);
    const early = await telegram.waitForMessage(user, 'Bold');
    await model.openGate('slow');
    const final = await telegram.waitForMessage(user, 'Bold start and the end');
    expect(final.messageId).toBe(early.messageId);
    expect(final.entities).toEqual([{ type: 'bold', offset: 0, length: 10 }]);
    expect(await telegram.botTexts(user)).toHaveLength(1);
  });

  test('repeats a send whose answer was lost once, marked', async () => {
    const { telegram } = await createWorld();
    await telegram.fault({ method: 'sendMessage' }, { kind: 'drop', applied: true });
    await telegram.sendDirect(user, 'hello');
    await telegram.waitForBotMessages(user, 2);
    expect(await telegram.botTexts(user)).toEqual(['echo: hello', '(possible duplicate)\necho: hello']);
  });

  test('keeps trying while the platform is out of order, and loses nothing', async () => {
    const { telegram, clock } = await createWorld();
    await telegram.fault({ method: 'sendMessage', times: 3 }, { kind: 'html', status: 502 });
    await telegram.sendDirect(user, 'hello');
    for (const delayMs of [1_000, 2_000, 4_000]) {
      await clock.waiting(delayMs);
      await clock.advance(delayMs);
    }
    await telegram.waitForMessage(user, 'hello');
    expect(await telegram.botTexts(user)).toEqual(['echo: hello']);
  });

  test('takes the page of a proxy for trouble on the way and not for a word of the platform', async () => {
    const { telegram, passing } = await createWorld();
    await telegram.fault({ method: 'getUpdates', times: 2 }, { kind: 'html', status: 404 });
    await telegram.fault({ method: 'sendMessage' }, { kind: 'html', status: 403 });
    await telegram.sendDirect(user, 'hello');
    await passing(telegram.waitForMessage(user, 'hello'));
    expect(await telegram.botTexts(user)).toEqual(['echo: hello']);
  });

  test('tells the person when a part of the answer is refused', async () => {
    const { telegram, model } = await createWorld();
    await model.respond(text('odd'));
    await telegram.fault(
      { method: 'sendMessage', textContains: 'odd' },
      { kind: 'error', code: 400, description: 'Bad Request: MESSAGE_ODD' },
    );
    await telegram.sendDirect(user, 'hello');
    expect((await telegram.waitForMessage(user, 'could not be delivered')).text).toContain('MESSAGE_ODD');
  });

  test('TG-10 survives conflicts with growing pauses while the page goes on, and stops at a refused token', async () => {
    const { telegram, clock, daemon, pageUrl, passing } = await createWorld();
    await telegram.conflict(3);
    const push = await telegram.sendDirect(user, 'after the conflict');
    await passing(telegram.waitForMessage(user, 'after the conflict'));
    await telegram.waitForConfirmed(push.updateId);
    await telegram.fault(
      { method: 'getUpdates', times: 'always' },
      { kind: 'error', code: 401, description: 'Unauthorized' },
    );
    await telegram.sendDirect(user, 'never read');
    await passing(telegram.waitForCalls({ method: 'getUpdates', ok: false }, 4));
    await expect.poll(async () => (await daemon.services.status()).adapters[0]?.state).toBe('stopped');
    const polls = (await telegram.calls('getUpdates')).length;
    await clock.advance(600_000);
    expect(await telegram.calls('getUpdates')).toHaveLength(polls);
    const status = await daemon.services.status();
    expect(status.adapters[0]?.detail).toContain('token');
    expect((await fetch(new URL('/health', pageUrl()))).status).toBe(200);
  });
});

describe('a model that takes its time', () => {
  test('shows that somebody is typing and stops when the answer is there', async () => {
    const { telegram, model, clock } = await createWorld();
    await model.respond(gate(text('done'), 'held'));
    await telegram.sendDirect(user, 'work');
    await model.waitFor({ gate: 'held', waiting: 1 });
    await clock.waiting(250);
    await clock.advance(250);
    await telegram.waitForCalls('sendChatAction', 1);
    await clock.waiting(4_000);
    await clock.advance(4_000);
    await telegram.waitForCalls('sendChatAction', 2);
    await model.release('held');
    await telegram.waitForMessage(user, 'done');
    await clock.advance(60_000);
    expect(await telegram.calls('sendChatAction')).toHaveLength(2);
  });
});
