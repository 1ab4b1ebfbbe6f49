import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  deltas,
  gate,
  httpError,
  type ScriptedResponse,
  text,
  toolCall,
} from '../emulators/openai/control.js';
import { createWorld, user, type World } from './world.js';

const readNotes = toolCall('read_file', { path: 'notes.txt' });

/** A world whose model reads a file, then waits at the gate `held` before it goes on. */
const createBusyWorld = async (settings: string, ...then: readonly ScriptedResponse[]): Promise<World> => {
  const world = await createWorld({ telegram: settings });
  await writeFile(join(world.workspace, 'notes.txt'), 'buy milk');
  await world.model.respond(readNotes, ...then);
  await world.telegram.sendDirect(user, 'what do my notes say?');
  return world;
};

describe('what tools do', () => {
  test('is one message, edited while they run, above the answer', async () => {
    const todo = toolCall('todo', { todos: [{ id: '1', content: 'milk', status: 'pending' }] });
    const { telegram, model, passing } = await createBusyWorld(
      'streaming: true, tool_progress: all',
      gate(todo, 'first'),
      gate(deltas(['It says: ', 'buy milk']), 'second'),
    );
    const shown = await passing(telegram.waitForMessage(user, '🔧 read_file notes.txt'));
    await model.release('first');
    await passing(
      telegram.waitForMessage(user, (message) => /read_file notes.txt\n🔧 todo/u.test(message.text)),
    );
    await model.release('second');
    await passing(telegram.waitForMessage(user, 'It says: buy milk'));
    const [progress, answer, ...rest] = (await telegram.messages(user)).filter(({ from }) => from === 'bot');
    expect(rest).toEqual([]);
    expect(progress?.messageId).toBe(shown.messageId);
    expect(answer?.text).toBe('It says: buy milk');
    expect(await telegram.warnings()).toEqual([]);
  });

  test('is not told of quick tools, nor where it is off', async () => {
    const quick = await createBusyWorld('streaming: true', text('buy milk'));
    await quick.telegram.waitForMessage(user, 'buy milk');
    expect(await quick.telegram.botTexts(user)).toEqual(['buy milk']);
    const off = await createBusyWorld('streaming: true, tool_progress: off', gate(text('buy milk'), 'held'));
    await off.model.waitFor({ gate: 'held', waiting: 1 });
    await off.clock.advance(5_000);
    await off.model.release('held');
    await off.telegram.waitForMessage(user, 'buy milk');
    expect(await off.telegram.botTexts(user)).toEqual(['buy milk']);
  });

  test('that a stop leaves behind claims nothing, and the answer comes after the restart', async () => {
    const world = await createBusyWorld('streaming: true', gate(text('late'), 'held'), text('buy milk'));
    const { telegram, passing } = world;
    await passing(telegram.waitForMessage(user, '🔧 read_file notes.txt'));
    await world.stop();
    await world.start();
    await passing(telegram.waitForMessage(user, 'buy milk'));
    expect(await telegram.botTexts(user)).toEqual(['🔧 read_file notes.txt', 'buy milk']);
  });

  test('slows down with a chat that floods, and the answer is not held up by it', async () => {
    const { telegram, model, passing } = await createBusyWorld(
      'streaming: true',
      gate(text('buy milk'), 'held'),
    );
    await telegram.flood({ method: 'sendMessage', textContains: 'read_file' }, 3);
    await passing(telegram.waitForCalls({ method: 'sendMessage', textContains: 'read_file' }, 2));
    await model.release('held');
    await passing(telegram.waitForMessage(user, 'buy milk'));
    expect((await telegram.botTexts(user)).filter((one) => one === 'buy milk')).toHaveLength(1);
  });
});

describe('reactions', () => {
  const reactionsOf = async ({ telegram }: World, messageId = 0): Promise<readonly string[]> =>
    (await telegram.messages(user)).find((message) => message.messageId === messageId)?.reactions ?? [];

  test('acknowledge a message, then say what came of it', async () => {
    const world = await createWorld({ telegram: 'streaming: false, reactions: true' });
    const { telegram, model, passing } = world;
    await model.respond(gate(text('fine'), 'held'));
    const { messageId } = await telegram.sendDirect(user, 'hello');
    await telegram.waitForChat(user, (messages) =>
      messages.some(({ reactions }) => reactions.includes('👀')),
    );
    await model.release('held');
    await telegram.waitForMessage(user, 'fine');
    await telegram.waitForCalls('setMessageReaction', 2);
    expect(await reactionsOf(world, messageId)).toEqual(['👍']);
    await model.respond(httpError(401));
    const second = await telegram.sendDirect(user, 'and now?');
    await passing(telegram.waitForCalls('setMessageReaction', 4));
    expect(await reactionsOf(world, second.messageId)).toEqual(['👎']);
  });

  test('that are refused cost nothing', async () => {
    const { telegram } = await createWorld({ telegram: 'streaming: false, reactions: true' });
    await telegram.fault(
      { method: 'setMessageReaction', times: 'always' },
      { kind: 'error', code: 400, description: 'Bad Request: REACTION_INVALID' },
    );
    await telegram.sendDirect(user, 'hello');
    await telegram.waitForMessage(user, 'echo: hello');
    expect(await telegram.botTexts(user)).toEqual(['echo: hello']);
  });

  test('are off by default', async () => {
    const { telegram } = await createWorld();
    await telegram.sendDirect(user, 'hello');
    await telegram.waitForMessage(user, 'echo: hello');
    expect(await telegram.calls('setMessageReaction')).toEqual([]);
  });
});
