import { describe, expect, test } from 'vitest';
import { gate, text, toolCall } from '../emulators/openai/control.js';
import { createWorld, otherUser, user } from './world.js';

/** A turn whose tool runs until the world lets go: the send to Telegram that it waits for is held. */
const slowTool = toolCall('send_message', { action: 'send', target: 'origin', message: 'working on it' });

describe('a message while the agent works', () => {
  test('SE-01 waits in queue mode, is acknowledged once, and one turn takes all that wait', async () => {
    const { telegram, model, clock } = await createWorld({ telegram: 'streaming: false, busy: queue' });
    await model.respond(slowTool, text('first answer'), text('second answer'));
    const held = await telegram.fault(
      { method: 'sendMessage', textContains: 'working on it' },
      { kind: 'delay', applied: true },
    );
    await telegram.sendDirect(user, 'one');
    await held.waitUntilHeld();
    const second = await telegram.sendDirect(user, 'two');
    await telegram.sendDirect(user, 'three');
    await telegram.waitForConfirmed(second.updateId);
    await clock.waiting(1_000);
    await clock.advance(1_000);
    await held.release();
    await telegram.waitForMessage(user, 'second answer');
    const texts = await telegram.botTexts(user);
    expect(texts.filter((one) => one.includes('next'))).toHaveLength(1);
    expect(texts.filter((one) => one === 'first answer')).toHaveLength(1);
    const requests = await model.requests();
    expect(requests).toHaveLength(3);
    expect(JSON.stringify(requests[2]?.body)).toMatch(/two.*three/u);
  });

  test('SE-01 interrupts the work where the settings say so, and the new turn knows both texts', async () => {
    const { telegram, model } = await createWorld({ telegram: 'streaming: false, busy: interrupt' });
    await model.respond(gate(text('never seen'), 'held'), text('the new answer'));
    await telegram.sendDirect(user, 'one');
    await model.waitFor({ gate: 'held', waiting: 1 });
    await telegram.sendDirect(user, 'two');
    await telegram.waitForMessage(user, 'the new answer');
    const texts = await telegram.botTexts(user);
    expect(texts[0]).toContain('turn to your message');
    expect(texts.join()).not.toContain('never seen');
    const last = (await model.requests()).at(-1);
    expect(JSON.stringify(last?.body)).toMatch(/one.*two/u);
  });

  test('SE-01 joins the running turn in steer mode', async () => {
    const { telegram, model } = await createWorld();
    await model.respond(slowTool, text('about both'));
    const held = await telegram.fault(
      { method: 'sendMessage', textContains: 'working on it' },
      { kind: 'delay', applied: true },
    );
    await telegram.sendDirect(user, 'one');
    await held.waitUntilHeld();
    const second = await telegram.sendDirect(user, 'and two');
    await telegram.waitForConfirmed(second.updateId);
    await held.release();
    await telegram.waitForMessage(user, 'about both');
    const requests = await model.requests();
    expect(requests).toHaveLength(2);
    expect(requests[1]?.lastUserText).toBe('and two');
    expect(await telegram.botTexts(user)).toEqual(['working on it', 'about both']);
  });

  test('SE-02 never starts two turns of one session at once, and holds up nobody else', async () => {
    const { telegram, model } = await createWorld({ telegram: 'streaming: false, busy: queue' });
    const rounds = 50;
    const textsAbout = async (word: string): Promise<readonly string[]> => {
      const asked = (await model.requests()).map(({ lastUserText }) => lastUserText);
      return [...asked, ...(await telegram.botTexts(user))].filter((one) => one.includes(word));
    };
    for (let round = 0; round < rounds; round += 1) {
      const name = `held-${round}`;
      await model.when({ userText: `m1-${round}.` }, gate(text(`a1-${round}.`), name));
      await telegram.sendText(user, user, `m1-${round}.`);
      const { updateId } = await telegram.sendText(user, user, `m2-${round}.`);
      await model.waitFor({ gate: name, waiting: 1 });
      await telegram.waitForConfirmed(updateId);
      // Its round trip leaves a second turn of the first person time to show itself.
      await telegram.sendText(otherUser, otherUser, `other-${round}.`);
      await telegram.waitForMessage(otherUser, `other-${round}.`);
      expect(await textsAbout(`m2-${round}.`)).toEqual([]);
      await model.release(name);
      await telegram.waitForMessage(user, `m2-${round}.`);
    }
    const answers = (await telegram.botTexts(user)).flatMap((one) => one.match(/a1-\d+|m2-\d+/gu) ?? []);
    const rows = Array.from({ length: rounds }, (_, round) => [`a1-${round}`, `m2-${round}`]);
    expect(answers).toEqual(rows.flat());
  });
});

describe('an update that comes again', () => {
  test('SE-03 starts no further turn while the first runs, nor after a restart', async () => {
    const world = await createWorld();
    const { telegram, model } = world;
    await model.respond(gate(text('the answer'), 'held'));
    const first = await telegram.sendDirect(user, 'question');
    await model.waitFor({ gate: 'held', waiting: 1 });
    const again = await telegram.redeliver(first.updateId);
    await telegram.waitForConfirmed(again.updateId);
    await model.release('held');
    await telegram.waitForMessage(user, 'the answer');
    await world.stop();
    await telegram.redeliver(first.updateId);
    await world.start();
    await telegram.sendDirect(user, 'marker');
    await telegram.waitForMessage(user, 'marker');
    expect((await model.requests()).map(({ lastUserText }) => lastUserText)).toEqual(['question', 'marker']);
  });

  test('SE-03 with the same text and a new id is a new message', async () => {
    const { telegram, model } = await createWorld();
    await telegram.sendDirect(user, 'again');
    await telegram.waitForBotMessages(user, 1);
    await telegram.sendDirect(user, 'again');
    await telegram.waitForBotMessages(user, 2);
    expect(await model.requests()).toHaveLength(2);
  });
});

describe('histories', () => {
  test('SE-06 of topics, people and the page never mix', async () => {
    const group = -1009;
    const { telegram, model } = await createWorld({
      telegram: `streaming: false, allowed_chats: ['${group}'], require_mention: false`,
      telegramWorld: { chats: [{ id: group, topics: [{ id: 5 }, { id: 6 }] }] },
    });
    await telegram.sendText(user, group, 'quince', { threadId: 5 });
    await telegram.waitForMessage(group, 'quince');
    await telegram.sendText(user, group, 'papaya', { threadId: 6 });
    await telegram.waitForMessage(group, 'papaya');
    await telegram.sendDirect(user, 'lychee');
    await telegram.waitForMessage(user, 'lychee');
    await telegram.sendDirect(otherUser, 'durian');
    await telegram.waitForMessage(otherUser, 'durian');
    const words = ['quince', 'papaya', 'lychee', 'durian'];
    for (const [index, request] of (await model.requests()).entries()) {
      const said = JSON.stringify(request.body);
      expect(words.filter((word) => said.includes(word))).toEqual([words[index]]);
    }
    const places = (await telegram.calls('sendMessage')).map(({ params }) => [
      params['chat_id'],
      params['message_thread_id'],
    ]);
    expect(places.map(String)).toEqual(['-1009,5', '-1009,6', `${user},`, `${otherUser},`]);
  });
});

describe('a stop of the gateway', () => {
  test('SE-07 during a tool call resumes the turn once after the next start', async () => {
    const world = await createWorld();
    const { telegram, model } = world;
    await model.respond(
      toolCall('todo', { todos: [{ id: '1', content: 'x', status: 'pending' }] }),
      gate(text('late'), 'held'),
    );
    await telegram.sendDirect(user, 'question');
    await model.waitFor({ gate: 'held', waiting: 1 });
    await world.stop();
    await model.respond(text('resumed answer'));
    await world.start();
    await telegram.waitForMessage(user, 'resumed answer');
    await telegram.sendDirect(user, 'next question');
    await telegram.waitForMessage(user, 'next question');
    expect(await telegram.botTexts(user)).toEqual([
      'resumed answer',
      expect.stringContaining('next question'),
    ]);
    expect((await model.requests({ refused: true })).length).toBe(0);
  });
});
