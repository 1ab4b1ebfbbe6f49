import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenAiControl, text, toolCall } from './control.js';
import { ask, complete, createClient, failureOf, useEmulator } from './harness.js';
import { type OpenAiEmulator, startOpenAiEmulator } from './server.js';

const newWorld = useEmulator();

describe('keys', () => {
  it('are refused as the API does until they are known, and once they are forgotten', async () => {
    const { control, client } = await newWorld();
    const stranger = createClient(control.baseUrl, 'sk-somebody-else');
    expect(await failureOf(complete(stranger, ask('x')))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'invalid_request_error',
      param: null,
    });
    await control.forget();
    expect(await failureOf(complete(client, ask('x')))).toMatchObject({ status: 401 });
  });

  it('separate the worlds', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    await one.control.respond(text('mine'));
    expect((await complete(other.client, ask('x'))).choices[0]?.message.content).toBe('echo: x');
    expect((await complete(one.client, ask('x'))).choices[0]?.message.content).toBe('mine');
    expect(await one.control.requests()).toHaveLength(1);
  });
});

describe('an emulator for any key', () => {
  let emulator: OpenAiEmulator | undefined;
  beforeAll(async () => {
    emulator = await startOpenAiEmulator({ anyKey: true });
  });
  afterAll(() => emulator?.close());

  it('knows a key by its first use', async () => {
    const url = emulator?.url ?? '';
    const client = createClient(`${url}/v1`, 'sk-new');
    expect((await complete(client, ask('x'))).choices[0]?.message.content).toBe('echo: x');
    expect(await createOpenAiControl(url, 'sk-new').status()).toMatchObject({ requestCount: 1 });
  });
});

describe('models', () => {
  it('are two invented ones, or those of the world', async () => {
    const { client, control } = await newWorld();
    expect((await client.models.list()).data.map((model) => model.id)).toEqual([
      'emulated-small',
      'emulated-large',
    ]);
    expect(await client.models.retrieve('emulated-large')).toMatchObject({ object: 'model' });
    expect(await failureOf(client.models.retrieve('gone'))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await control.status()).toMatchObject({ modelListCount: 3, requestCount: 0 });
  });
});

describe('scripts', () => {
  it('serve rules before the queue before the fallback', async () => {
    const { client, control } = await newWorld();
    await control.otherwise(text('fallback'));
    await control.respond(text('queued'));
    await control.when({ userText: 'Ann' }, text('for Ann'), text('again for Ann'));
    await control.always({ userTextMatches: '^Bo+b$' }, text('for Bob'));
    const answers = [];
    for (const question of ['Ann', 'other', 'Boob', 'Ann', 'Ann', 'Bob']) {
      answers.push((await complete(client, ask(question))).choices[0]?.message.content);
    }
    expect(answers).toEqual(['for Ann', 'queued', 'for Bob', 'again for Ann', 'fallback', 'for Bob']);
    expect(await control.status()).toMatchObject({ liveRules: 1, queuedResponses: 0 });
    const sources = (await control.requests()).map((request) => request.answer.from);
    expect(sources).toEqual(['rule', 'queue', 'rule', 'rule', 'fallback', 'rule']);
  });

  it('tell a tool loop from its beginning, and calls by number, model and system text', async () => {
    const { client, control } = await newWorld();
    await control.always({ toolResults: true, toolResultText: 'found it' }, text('after the tool'));
    await control.when({ userText: 'look', toolResults: false }, toolCall('todo', {}, { id: 'c1' }));
    await control.when({ call: 3 }, text('third'));
    await control.when({ model: 'emulated-large' }, text('large'));
    await control.when({ anyText: 'be brief' }, text('brief'));
    const first = await complete(client, ask('look'));
    const calls = first.choices[0]?.message.tool_calls ?? [];
    const loop = await complete(client, {
      model: 'emulated-small',
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'c1', content: 'I found it' },
      ],
    });
    const others = [
      await complete(client, ask('x')),
      await complete(client, { ...ask('x'), model: 'emulated-large' }),
      await complete(client, {
        model: 'emulated-small',
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'x' },
        ],
      }),
    ];
    expect([loop, ...others].map((answer) => answer.choices[0]?.message.content)).toEqual([
      'after the tool',
      'third',
      'large',
      'brief',
    ]);
  });
});

describe('the record', () => {
  it('holds parsed bodies, headers without the key, and what was answered', async () => {
    const { client, control } = await newWorld();
    await complete(client, ask('hello'));
    const [request] = await control.requests();
    expect(request).toMatchObject({
      number: 1,
      path: '/v1/chat/completions',
      lastUserText: 'hello',
      body: { messages: [{ role: 'user', content: 'hello' }] },
      headers: { authorization: 'Bearer ***', 'content-type': 'application/json' },
      answer: { from: 'fallback', type: 'echo', status: 200, text: 'echo: hello' },
    });
    expect(JSON.stringify(request)).not.toContain(control.key);
  });

  it('drops the oldest beyond its capacity and its bytes', async () => {
    const { client, control } = await newWorld({ logCapacity: 3, logBytes: 5000 });
    for (const question of ['a', 'b', 'c', 'd']) await complete(client, ask(question));
    expect((await control.requests()).map((request) => request.lastUserText)).toEqual(['b', 'c', 'd']);
    await complete(client, ask('e'.repeat(5000)));
    expect((await control.requests()).map((request) => request.number)).toEqual([5]);
    expect(await control.status()).toMatchObject({ requestCount: 5, droppedCount: 4 });
  });

  it('can be asked in part', async () => {
    const { client, control } = await newWorld();
    for (const question of ['red one', 'blue', 'red two']) await complete(client, ask(question));
    expect(await control.requests({ userText: 'red' })).toHaveLength(2);
    expect(await control.requests({ userText: 'red', after: 1 })).toHaveLength(1);
  });
});

describe('a wait', () => {
  it('ends when so many requests have come, before or after it began', async () => {
    const { client, control } = await newWorld();
    const waiting = control.waitFor({ requests: 2 });
    await complete(client, ask('one'));
    await complete(client, ask('two'));
    expect(await waiting).toEqual({ requestCount: 2, request: null });
    expect((await control.waitFor({ requests: 1 })).requestCount).toBe(2);
  });

  it('ends with the request whose user text fits', async () => {
    const { client, control } = await newWorld();
    const waiting = control.waitFor({ userText: 'needle' });
    await complete(client, ask('hay'));
    await complete(client, ask('a needle'));
    expect((await waiting).request).toMatchObject({ number: 2, lastUserText: 'a needle' });
    await control.waitFor({ idle: true, requests: 2 });
  });

  it('is given up by its signal', async () => {
    const { control } = await newWorld();
    const controller = new AbortController();
    const waiting = failureOf(control.waitFor({ requests: 1 }, controller.signal));
    controller.abort();
    expect(await waiting).toMatchObject({ name: 'AbortError' });
  });
});

describe('a wrong control call', () => {
  it('says what is wrong', async () => {
    const { control } = await newWorld();
    const { baseUrl } = control;
    await expect(createOpenAiControl(baseUrl, 'unknown').status()).rejects.toThrow('no world has this key');
    await expect(control.when({ userTextMatches: '(' }, text('x'))).rejects.toThrow(
      'Invalid regular expression',
    );
    const untyped = await fetch(`${baseUrl.replace('/v1', '')}/control/${control.key}/responses`, {
      method: 'POST',
      body: '{"responses":[{"content":"x"}]}',
    });
    expect([untyped.status, await untyped.json()]).toMatchObject([
      400,
      { error: expect.stringContaining('types') },
    ]);
  });
});

describe('the API around completions', () => {
  it('answers unknown addresses, wrong methods and missing keys in the error shape', async () => {
    const { control } = await newWorld();
    const statusOf = async (path: string, method: string) => {
      const answer = await fetch(`${control.baseUrl}${path}`, { method });
      return [answer.status, Object.keys(((await answer.json()) as { error: object }).error)];
    };
    const members = ['message', 'type', 'param', 'code'];
    expect(await statusOf('/embeddings', 'POST')).toEqual([404, members]);
    expect(await statusOf('/chat/completions', 'GET')).toEqual([405, members]);
    expect(await statusOf('/chat/completions', 'POST')).toEqual([401, members]);
  });

  it('shows a script that cannot be sent, and goes on', async () => {
    const { client, control } = await newWorld();
    await control.respond({ type: 'http', status: 200, headers: { 'x-bad': 'a\nb' }, body: '' });
    expect(await failureOf(complete(client, ask('x')))).toMatchObject({ status: 500 });
    expect((await complete(client, ask('y'))).choices[0]?.message.content).toBe('echo: y');
  });
});
