import { describe, expect, test } from 'vitest';
import { deltas, gate, slowly, text } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

describe('commands', () => {
  test('answer beside a running turn', async () => {
    const { telegram, model } = await createWorld();
    await model.respond(gate(text('late'), 'held'));
    await telegram.sendDirect(user, 'work');
    await model.waitFor({ gate: 'held', waiting: 1 });
    await telegram.sendDirect(user, '/status');
    expect((await telegram.waitForMessage(user, 'Model')).text).toContain('working on an answer');
    await model.release('held');
    await telegram.waitForMessage(user, 'late');
  });

  test('/stop ends the turn, keeps what was said, and the next message is answered', async () => {
    const { telegram, model, clock } = await createWorld({ telegram: 'streaming: true' });
    await model.respond(slowly(deltas(['a long ', 'story ', 'without end']), 'slow'));
    await telegram.sendDirect(user, 'tell');
    await model.waitFor({ gate: 'slow', waiting: 1 });
    await model.release('slow', 3);
    await clock.waiting(700);
    await clock.advance(700);
    await telegram.waitForMessage(user, 'a long story');
    await telegram.sendDirect(user, '/stop');
    await telegram.waitForMessage(user, 'Stopped.');
    await telegram.waitForMessage(user, '(stopped)');
    await telegram.sendDirect(user, 'and now?');
    await telegram.waitForMessage(user, 'and now?');
    expect((await model.requests({ refused: true })).length).toBe(0);
  });

  test('/stop says so when there is nothing to stop', async () => {
    const { telegram } = await createWorld();
    await telegram.sendDirect(user, '/stop');
    await telegram.waitForMessage(user, 'nothing to stop');
  });

  test('/new begins a session that does not know the earlier one, also for the message right behind it', async () => {
    const { telegram, model } = await createWorld();
    await telegram.sendDirect(user, 'my name is Quirinius');
    await telegram.waitForMessage(user, 'Quirinius');
    await telegram.sendDirect(user, '/new');
    await telegram.sendDirect(user, 'who am I?');
    await telegram.waitForMessage(user, 'who am I?');
    expect(JSON.stringify((await model.requests()).at(-1)?.body)).not.toContain('Quirinius');
  });

  test('/help lists every command and the menu shows the same', async () => {
    const { telegram } = await createWorld();
    await telegram.sendDirect(user, '/help');
    const { text: help } = await telegram.waitForMessage(user, '/new');
    const [call] = await telegram.waitForCalls('setMyCommands');
    const menu = call?.params['commands'] as readonly { command: string }[] | undefined;
    expect(menu?.length).toBeGreaterThan(3);
    for (const { command } of menu ?? []) expect(help).toContain(`/${command}`);
  });

  test('an unknown one is told from a path', async () => {
    const { telegram } = await createWorld();
    await telegram.sendDirect(user, '/nonsense');
    await telegram.waitForMessage(user, 'do not know /nonsense');
    await telegram.sendDirect(user, '/etc/hosts is a file');
    await telegram.waitForMessage(user, 'echo: /etc/hosts is a file');
  });
});

describe('a group', () => {
  const group = -1007;

  test('gets answers where the bot is asked, as replies, and silence elsewhere', async () => {
    const { telegram, model } = await createWorld({ telegramWorld: { chats: [{ id: group }] } });
    const { bot } = await telegram.state();
    await telegram.sendText(user, group, 'just talking');
    const asked = await telegram.sendText(user, group, `@${bot.username} what time is it?`);
    const answer = await telegram.waitForMessage(group, 'what time is it?');
    expect(answer.replyTo).toBe(asked.messageId);
    await telegram.sendText(user, group, 'and there?', { replyTo: answer.messageId });
    await telegram.waitForMessage(group, 'and there?');
    expect(await model.requests()).toHaveLength(2);
    expect(JSON.stringify(await model.requests())).not.toContain('just talking');
  });

  test('sees an edit of a message that still waits, and no second answer to one that does not', async () => {
    const { telegram, model } = await createWorld({ telegram: 'streaming: false, busy: queue' });
    await model.respond(gate(text('first'), 'held'));
    await telegram.sendDirect(user, 'one');
    await model.waitFor({ gate: 'held', waiting: 1 });
    const { messageId = 0 } = await telegram.sendDirect(user, 'tow');
    const edit = await telegram.editText(user, messageId, 'two');
    await telegram.waitForConfirmed(edit.updateId);
    await model.release('held');
    await telegram.waitForMessage(user, 'echo: two');
    const late = await telegram.editText(user, messageId, 'three');
    await telegram.waitForConfirmed(late.updateId);
    expect(await model.requests()).toHaveLength(2);
  });
});
