import { describe, expect, it } from 'vitest';
import {
  chunks,
  deltas,
  echo,
  reasoning,
  refusal,
  text,
  toolCall,
  toolCallDeltas,
  toolCalls,
} from './control.js';
import { ask, complete, readStream, useEmulator } from './harness.js';

const newWorld = useEmulator();

describe('the echo', () => {
  it('quotes the user text, streamed and not', async () => {
    const { client } = await newWorld();
    const plain = await complete(client, ask('hello'));
    expect(plain.choices[0]?.message.content).toBe('echo: hello');
    expect(plain.choices[0]?.finish_reason).toBe('stop');
    const streamed = await readStream(client, ask('hello'));
    expect(streamed).toMatchObject({ text: 'echo: hello', finishReason: 'stop' });
  });

  it('joins the user texts after the last answer, reading text parts', async () => {
    const { client } = await newWorld();
    const answer = await complete(client, {
      model: 'emulated-small',
      messages: [
        { role: 'user', content: 'old' },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'first' },
        { role: 'user', content: [{ type: 'text', text: 'second' }] },
      ],
    });
    expect(answer.choices[0]?.message.content).toBe('echo: first | second');
  });

  it('quotes the question again once its tool calls are answered', async () => {
    const { client } = await newWorld();
    const call = { id: 'c1', type: 'function' as const, function: { name: 'todo', arguments: '{}' } };
    const answer = await complete(client, {
      model: 'emulated-small',
      messages: [
        { role: 'user', content: 'question' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'result' },
      ],
    });
    expect(answer.choices[0]?.message.content).toBe('echo: question');
  });

  it('comes in chunks of a size, and never cuts a character', async () => {
    const { client } = await newWorld({ fallback: echo({ chunkSize: 3 }) });
    const { chunks: received, text: whole } = await readStream(client, ask('🚀🚀🚀🚀'));
    expect(whole).toBe('echo: 🚀🚀🚀🚀');
    const pieces = received.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean);
    expect(pieces).toEqual(['ech', 'o: ', '🚀🚀🚀', '🚀']);
  });
});

describe('scripted text', () => {
  it('comes in the given deltas behind a role chunk', async () => {
    const { client, control } = await newWorld();
    await control.respond(deltas(['<thi', 'nk>x</th', 'ink>Hi']));
    const { chunks: received } = await readStream(client, ask('x'));
    expect(received.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: '<thi' },
      { content: 'nk>x</th' },
      { content: 'ink>Hi' },
      {},
    ]);
  });

  it.each([[''], [null], ['  \n']])('can be %j', async (content) => {
    const { client, control } = await newWorld({ fallback: text(content) });
    const plain = await complete(client, ask('x'));
    expect(plain.choices[0]?.message.content).toBe(content);
    expect((await readStream(client, ask('x'))).text).toBe(content ?? '');
    expect((await control.requests()).map((request) => request.answer.text)).toEqual([content, content]);
  });

  it('ends with any finish reason, or with none', async () => {
    const { client, control } = await newWorld();
    await control.respond(
      text('a', { finishReason: 'length' }),
      text('b', { finishReason: 'content_filter' }),
      text('c', { finishReason: null }),
    );
    const reasons = [];
    for (const _ of [1, 2, 3]) reasons.push((await readStream(client, ask('x'))).finishReason);
    expect(reasons).toEqual(['length', 'content_filter', null]);
  });

  it('keeps reasoning in a member of its own', async () => {
    const { client, control } = await newWorld();
    await control.respond(
      reasoning('secret plan', 'Hi'),
      reasoning(['a', 'b'], 'Hi', { reasoningField: 'reasoning' }),
    );
    const plain = await complete(client, ask('x'));
    expect(plain.choices[0]?.message).toMatchObject({ reasoning_content: 'secret plan', content: 'Hi' });
    const { chunks: received } = await readStream(client, ask('x'));
    const thoughts = received
      .map((chunk) => chunk.choices[0]?.delta)
      .filter((delta) => delta && 'reasoning' in delta);
    expect(thoughts).toEqual([{ reasoning: 'a' }, { reasoning: 'b' }]);
  });

  it('can be a refusal', async () => {
    const { client } = await newWorld({ fallback: refusal('I will not.') });
    const plain = await complete(client, ask('x'));
    expect(plain.choices[0]?.message).toMatchObject({ content: null, refusal: 'I will not.' });
    const { chunks: received } = await readStream(client, ask('x'));
    expect(received.map((chunk) => chunk.choices[0]?.delta.refusal)).toContain('I will not.');
  });
});

describe('usage', () => {
  it('comes in a last chunk without choices only if it was asked for', async () => {
    const { client } = await newWorld({
      fallback: text('four', { usageTokens: { promptTokens: 7, completionTokens: 2 } }),
    });
    const silent = await readStream(client, ask('x'));
    expect(silent.chunks.some((chunk) => chunk.usage)).toBe(false);
    const asked = await readStream(client, {
      ...ask('x'),
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, total_tokens: 9 } });
    expect(asked.chunks.at(0)?.usage).toBeNull();
  });

  it('can be sent unasked, with the finish chunk, or never', async () => {
    const { client, control } = await newWorld();
    await control.respond(
      text('a', { usage: 'always' }),
      text('b', { usage: 'with-finish' }),
      text('c', { usage: 'never' }),
    );
    expect((await readStream(client, ask('x'))).chunks.at(-1)).toMatchObject({ choices: [], usage: {} });
    const withFinish = (await readStream(client, ask('x'))).chunks.at(-1);
    expect(withFinish?.choices[0]?.finish_reason).toBe('stop');
    expect(withFinish?.usage?.total_tokens).toBeGreaterThan(0);
    const never = await complete(client, ask('x'));
    expect(never.usage).toBeUndefined();
  });
});

describe('tool calls', () => {
  const calls = [
    { name: 'read_file', arguments: { path: 'a.txt' }, id: 'c1' },
    { name: 'todo', arguments: '{"broken":', id: 'c2' },
  ];

  it('are fragmented as OpenAI does and whole without streaming', async () => {
    const { client, control } = await newWorld({ fallback: toolCalls(calls) });
    const plain = await complete(client, ask('x'));
    expect(plain.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.txt"}' } },
          { id: 'c2', type: 'function', function: { name: 'todo', arguments: '{"broken":' } },
        ],
      },
    });
    const stream = client.chat.completions.stream({ ...ask('x'), stream: true });
    const final = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls;
    expect(final?.map((call) => call.function.arguments)).toEqual(['{"path":"a.txt"}', '{"broken":']);
    expect((await control.status()).requestCount).toBe(2);
  });

  it('get ids of their own, or none', async () => {
    const { client, control } = await newWorld();
    await control.respond(toolCall('todo', {}), toolCall('todo', {}), toolCall('todo', {}, { id: null }));
    const ids = [];
    for (const _ of [1, 2, 3])
      ids.push((await complete(client, ask('x'))).choices[0]?.message.tool_calls?.[0]?.id);
    expect(ids[0]).toMatch(/^call_/);
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBeUndefined();
  });

  it('are cut in every way that imitators cut them', async () => {
    const { client, control } = await newWorld();
    await control.respond(
      toolCalls(calls, { style: { identity: 'every', interleaved: true, fragmentSize: 8 } }),
      toolCalls(calls, { style: { identity: 'whole', index: 'zero' } }),
      toolCalls(calls.slice(0, 1), { style: { index: 'missing', nameFragmentSize: 5, fragmentSize: 8 } }),
    );
    const every = toolDeltas(await readStream(client, ask('x')));
    expect(
      every.map((delta) => [delta.index, delta.id, delta.function?.name, delta.function?.arguments]),
    ).toEqual([
      [0, 'c1', 'read_file', '{"path":'],
      [1, 'c2', 'todo', '{"broken'],
      [0, 'c1', 'read_file', '"a.txt"}'],
      [1, 'c2', 'todo', '":'],
    ]);
    const whole = toolDeltas(await readStream(client, ask('x')));
    expect(whole.map((delta) => [delta.index, delta.id])).toEqual([
      [0, 'c1'],
      [0, 'c2'],
    ]);
    const bare = toolDeltas(await readStream(client, ask('x')));
    expect(bare).toEqual([
      { id: 'c1', type: 'function', function: { name: 'read_', arguments: '' } },
      { function: { name: 'file' } },
      { function: { arguments: '{"path":' } },
      { function: { arguments: '"a.txt"}' } },
    ]);
  });

  it('are sent verbatim as deltas, and joined for a plain answer', async () => {
    const groups = [
      [{ index: 0, id: 'c1', function: { name: 'read_' } }],
      [{ index: 1, id: 'c2', function: { name: 'list' } }],
      [{ index: 0, function: { name: 'file' } }],
      [{ index: 1, function: { arguments: '{"d":' } }],
      [{ index: 0, function: { arguments: '{"p":1}' } }],
      [{ index: 1, function: { arguments: '2}' } }],
    ];
    const { client } = await newWorld({ fallback: toolCallDeltas(groups) });
    expect(toolDeltas(await readStream(client, ask('x')))).toEqual(groups.flat());
    const plain = await complete(client, ask('x'));
    expect(plain.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'c1', function: { name: 'read_file', arguments: '{"p":1}' } },
      { id: 'c2', function: { name: 'list', arguments: '{"d":2}' } },
    ]);
  });
});

describe('raw chunks', () => {
  it('are sent as they are', async () => {
    const odd = { id: 'x', choices: [{ index: 0, delta: { content: 'Hi', extra: 1 }, finish_reason: '' }] };
    const { client } = await newWorld({ fallback: chunks([{ choices: [] }, odd]) });
    expect((await readStream(client, ask('x'))).chunks).toEqual([{ choices: [] }, odd]);
    expect((await complete(client, ask('x'))).choices[0]?.message.content).toBe('Hi');
  });
});

function toolDeltas(streamed: Awaited<ReturnType<typeof readStream>>) {
  return streamed.chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
}
