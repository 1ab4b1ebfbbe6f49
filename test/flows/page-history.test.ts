import { expect, test } from 'vitest';
import { badKey, toolCall } from '../emulators/openai/control.js';
import { createWorld, type World } from './world.js';

interface History {
  readonly messages: readonly { text: string; failed?: boolean; steps?: readonly { name: string }[] }[];
}

const historyOf = async (world: World): Promise<History> => {
  const answer = await fetch(new URL('/api/sessions/main/messages', world.pageUrl()));
  // Its own shape; what the test looks at is compared.
  return (await answer.json()) as History;
};

test('the page is told later too which tools worked before an answer, and which answer is a failure', async () => {
  const world = await createWorld();
  const events = await fetch(new URL('/api/sessions/main/events', world.pageUrl()));
  await world.model.respond(
    toolCall('todo', { todos: [{ id: '1', content: 'milk', status: 'pending' }] }, { content: 'I note it.' }),
    badKey(),
  );
  await fetch(new URL('/api/sessions/main/messages', world.pageUrl()), {
    method: 'POST',
    body: JSON.stringify({ text: 'buy milk' }),
  });
  let seen = '';
  for await (const bytes of events.body ?? []) {
    seen += new TextDecoder().decode(bytes);
    if (seen.includes('"failed":true')) break;
  }
  const expected = [
    { role: 'user', text: 'buy milk' },
    { role: 'assistant', text: 'I note it.' },
    {
      role: 'assistant',
      text: expect.stringContaining('key'),
      failed: true,
      steps: [{ name: 'todo', state: 'finished', callId: expect.any(String), turnId: expect.any(String) }],
    },
  ];
  const { messages } = await historyOf(world);
  expect(messages).toMatchObject(expected);
  expect(messages.map(({ failed, steps }) => [failed, steps?.length])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [true, 1],
  ]);
  await world.stop();
  await world.start();
  expect((await historyOf(world)).messages).toEqual(messages);
});
