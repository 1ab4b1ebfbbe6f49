import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { deltas, httpError, text, toolCall } from '../emulators/openai/control.js';
import { createWorld, type World } from './world.js';

const clientOf = (world: World, headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({
    baseURL: new URL('/v1', world.pageUrl()).href,
    apiKey: 'none',
    maxRetries: 0,
    defaultHeaders: headers,
  });

const question = (content: string) => ({ role: 'user' as const, content });

describe('the agent as a model', () => {
  test('is listed, and answers a conversation that its client keeps', async () => {
    const world = await createWorld();
    const client = clientOf(world);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['test-model']);
    await world.model.respond(text('Ada.'));
    const completion = await client.chat.completions.create({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        question('I am Ada.'),
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: [{ type: 'text', text: 'Who am I?' }] },
      ],
    });
    expect(completion.choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Ada.' } },
    ]);
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    const [request] = (await world.model.requests()).slice(-1);
    const { messages = [] } = (request?.body ?? {}) as { messages?: { content: string }[] };
    expect(messages.map(({ content }) => content).slice(1)).toEqual(['I am Ada.', 'Hello.', 'Who am I?']);
    expect(messages[0]?.content).toMatch(/Be brief\.$/u);
    expect(await fetch(new URL('/api/sessions', world.pageUrl())).then((answer) => answer.json())).toEqual({
      sessions: [],
    });
  });

  test('streams its steps as one text, with its usage at the end', async () => {
    const world = await createWorld();
    await world.model.respond(
      toolCall(
        'todo',
        { todos: [{ id: '1', content: 'look', status: 'in_progress' }] },
        { content: 'I note it.' },
      ),
      deltas(['All ', 'is ', 'done.']),
    );
    const stream = await clientOf(world).chat.completions.create({
      model: 'test-model',
      messages: [question('go')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    const reasons: string[] = [];
    let total = 0;
    for await (const { choices, usage } of stream) {
      for (const { delta, finish_reason: reason } of choices) {
        if (delta.content) pieces.push(delta.content);
        if (reason !== null) reasons.push(reason);
      }
      total = usage?.total_tokens ?? total;
    }
    expect(pieces.join('')).toBe('I note it.\n\nAll is done.');
    expect(pieces.length).toBeGreaterThan(2);
    expect(reasons).toEqual(['stop']);
    expect(total).toBeGreaterThan(0);
  });

  test('cannot be asked for a yes: what needs one is denied, and the model is told', async () => {
    const world = await createWorld();
    await world.model.respond(
      toolCall('send_message', { action: 'send', target: 'telegram:1002', message: 'psst' }),
      text('I may not.'),
    );
    const completion = await clientOf(world).chat.completions.create({
      model: 'test-model',
      messages: [question('tell them')],
    });
    expect(completion.choices[0]?.message.content).toBe('I may not.');
    expect(await world.telegram.botTexts(1002)).toEqual([]);
  });

  test('says why it failed, in both forms', async () => {
    const world = await createWorld();
    await world.model.otherwise(httpError(401));
    const client = clientOf(world);
    const request = { model: 'test-model', messages: [question('hi')] };
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('key'),
    });
    const stream = await client.chat.completions.create({ ...request, stream: true });
    const read = async (): Promise<void> => {
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow(/key/u);
  });

  test.each([
    [
      'a picture',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      /text alone/u,
    ],
    [
      'tools',
      { messages: [question('hi')], tools: [{ type: 'function', function: { name: 'x' } }] },
      /tools of its own/u,
    ],
    ['two choices', { messages: [question('hi')], n: 2 }, /leave n out/u],
    ['no question', { messages: [question('hi'), { role: 'assistant', content: 'x' }] }, /last message/u],
    [
      'a tool result',
      { messages: [{ role: 'tool', content: 'x', tool_call_id: '1' }, question('hi')] },
      /role 'tool'/u,
    ],
    ['no messages', { messages: [] }, /messages/u],
  ])('refuses %s with a reason', async (_what, body, reason) => {
    const world = await createWorld();
    const answer = await fetch(new URL('/v1/chat/completions', world.pageUrl()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'test-model', ...body }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(reason) } });
  });
});

describe('a named session', () => {
  test('is one of the page, which keeps what was said', async () => {
    const world = await createWorld();
    const client = clientOf(world, { 'X-Hermes-Session-Id': 'notes' });
    await world.model.respond(text('Noted.'), deltas(['You like ', 'tea.']));
    const first = await client.chat.completions.create({
      model: 'test-model',
      messages: [question('I like tea.')],
    });
    expect(first.choices[0]?.message.content).toBe('Noted.');
    const stream = await client.chat.completions.create({
      model: 'test-model',
      messages: [question('What do I like?')],
      stream: true,
    });
    let said = '';
    for await (const { choices } of stream) said += choices[0]?.delta.content ?? '';
    expect(said).toBe('You like tea.');
    const kept = await fetch(new URL('/api/sessions/notes/messages', world.pageUrl()));
    const { messages } = (await kept.json()) as { messages: { text: string }[] };
    expect(messages.map((message) => message.text)).toEqual([
      'I like tea.',
      'Noted.',
      'What do I like?',
      'You like tea.',
    ]);
  });

  test('has nobody to ask either, so that what needs a yes is denied at once', async () => {
    const world = await createWorld();
    await world.model.respond(
      toolCall('send_message', { action: 'send', target: 'telegram:1002', message: 'psst' }),
      text('I may not.'),
    );
    const completion = await clientOf(world, { 'X-Hermes-Session-Id': 'notes' }).chat.completions.create({
      model: 'test-model',
      messages: [question('tell them')],
    });
    expect(completion.choices[0]?.message.content).toBe('I may not.');
    expect(await world.telegram.botTexts(1002)).toEqual([]);
  });

  test('obeys commands, and refuses a name that is none', async () => {
    const world = await createWorld();
    const ask = (session: string) =>
      clientOf(world, { 'X-Hermes-Session-Id': session }).chat.completions.create({
        model: 'test-model',
        messages: [question('/whoami')],
      });
    expect((await ask('notes')).choices[0]?.message.content).toContain('owner');
    await expect(ask('a/b')).rejects.toMatchObject({ status: 400 });
  });
});

test('metrics tell the state in the words of Prometheus', async () => {
  const world = await createWorld();
  const answer = await fetch(new URL('/metrics', world.pageUrl()));
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const lines = (await answer.text()).split('\n');
  expect(lines).toContain('hermes_platform_connected{platform="telegram"} 1');
  expect(lines).toContain('hermes_deliveries{state="pending"} 0');
  expect(lines).toContain('# TYPE hermes_turns_running gauge');
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
});
