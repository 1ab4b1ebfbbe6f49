import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/cli/commands/chat.js';
import { gate, text, toolCall } from '../../emulators/openai/builders.js';
import { createWorld } from '../../flows/world.js';
import { FakeEdge } from '../fake-edge.js';

const someChat = async () => {
  const world = await createWorld();
  const edge = new FakeEdge({ home: world.home });
  const over = run([], edge);
  // A test that fails leaves it, so that nothing of it is left.
  onTestFinished(async () => {
    edge.endInput();
    await over;
  });
  await edge.shows('Enter sends');
  return { world, edge, over };
};

test('says what is typed, and shows the answer as it grows, once', async () => {
  const { world, edge, over } = await someChat();
  await world.model.respond(text('It is **fine** here.'));
  edge.type('how is it?');
  await world.passing(edge.shows('It is **fine** here.\n\n'));
  expect(edge.out.match(/fine/gu)).toHaveLength(1);
  expect(edge.out).not.toContain('how is it?');
  edge.endInput();
  expect(await over).toBe(0);
});

test('lines that end with a backslash, or come at once, are one message', async () => {
  const { world, edge } = await someChat();
  await world.model.respond(text('One.'), text('Two.'));
  edge.type('first\\');
  await new Promise(setImmediate);
  edge.type('second');
  await world.passing(edge.shows('One.\n\n'));
  edge.type('third', 'fourth');
  await world.passing(edge.shows('Two.\n\n'));
  const asked = (await world.model.requests()).map(({ body }) => JSON.stringify(body));
  expect(asked[0]).toContain('first\\nsecond');
  expect(asked[1]).toContain('third\\nfourth');
});

test('shows what tools do', async () => {
  const { world, edge } = await someChat();
  await world.model.respond(
    toolCall('todo', { todos: [{ id: '1', content: 'buy milk', status: 'pending' }] }),
    text('Noted.'),
  );
  edge.type('buy milk');
  await world.passing(edge.shows('Noted.\n\n'));
  expect(edge.out).toContain('· todo');
});

test('Ctrl-C stops an answer; twice with nothing to stop leaves', async () => {
  const { world, edge, over } = await someChat();
  await world.model.respond(gate(text('Never said to its end.'), 'held'));
  edge.type('go');
  await world.passing(world.model.waitFor({ waiting: 1, gate: 'held' }));
  edge.interrupt();
  await world.passing(edge.shows('(stopped)'));
  edge.interrupt();
  await edge.shows('once more leaves');
  edge.interrupt();
  expect(await over).toBe(0);
});

test('the same conversation goes on the next time', async () => {
  const { world, edge } = await someChat();
  await world.model.respond(text('Hello.'));
  edge.type('hi there');
  await world.passing(edge.shows('Hello.\n\n'));
  const later = new FakeEdge({ home: world.home });
  const over = run([], later);
  await later.shows('Enter sends');
  expect(later.out).toMatch(/› hi there\n[\s\S]*Hello\./u);
  later.endInput();
  await over;
});

test('without a gateway, a terminal or a good name it says what to do', async () => {
  await expect(run([], new FakeEdge())).rejects.toThrow('the gateway is not running. Start it with');
  await expect(run([], new FakeEdge({ stdin: 'hi' }))).rejects.toThrow('needs a terminal');
  await expect(run(['--session', 'a b'], new FakeEdge())).rejects.toThrow('letters, digits');
});
