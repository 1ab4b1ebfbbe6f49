import { describe, expect, it } from 'vitest';
import { useEmulator } from './harness.js';
import { judgeBody } from './validate.js';

const newWorld = useEmulator();
const user = { role: 'user', content: 'hi' };
const fn = (parameters: unknown, name = 'f') => ({ type: 'function', function: { name, parameters } });
const call = (id: string, args: unknown = '{}', name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calling = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const body = (...messages: unknown[]) => ({ model: 'm', messages });
const withTools = (...tools: unknown[]) => ({ ...body(user), tools });

function judge(request: unknown, strictness: 'real' | 'lax' = 'real'): string {
  const verdict = judgeBody(typeof request === 'string' ? request : JSON.stringify(request), { strictness }, [
    'm',
  ]);
  return 'refusal' in verdict
    ? `${verdict.refusal.error.param ?? '-'}: ${verdict.refusal.error.message}`
    : 'accepted';
}

describe('an accepted request', () => {
  it.each<[string, unknown]>([
    ['a plain question', body(user)],
    ['an empty question', body({ role: 'user', content: '' })],
    ['an emoji', body({ role: 'user', content: '🚀' })],
    [
      'an escaped pair of surrogates',
      '{"model":"m","messages":[{"role":"user","content":"\\ud83d\\ude80"}]}',
    ],
    ['a name and a developer message', body({ role: 'developer', content: 'x' }, { ...user, name: 'Ann_1' })],
    [
      'answered parallel calls, in another order',
      body(user, calling(call('a'), call('b')), result('b'), result('a'), user),
    ],
    ['results at the end', body(user, calling(call('a')), result('a'))],
    ['broken arguments in a string', body(user, calling(call('a', '{"x":')), result('a'))],
    [
      'tools',
      withTools(
        fn({ type: 'object', properties: { list: { type: 'array', items: {} } } }),
        fn(undefined, 'g'),
      ),
    ],
    ['a free-form inner object', withTools(fn({ type: 'object', properties: { any: { type: 'object' } } }))],
  ])('is %s', (_, request) => {
    expect(judge(request)).toBe('accepted');
  });
});

describe('a refused request', () => {
  it.each<[string, unknown, string]>([
    ['broken JSON', '{"model":', '-: We could not parse the JSON body'],
    [
      'a lone surrogate',
      '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}',
      '-: We could not parse',
    ],
    ['no model', { messages: [user] }, '-: you must provide a model parameter'],
    ['no messages', { model: 'm' }, "messages: Missing required parameter: 'messages'."],
    ['empty messages', body(), "messages: Invalid 'messages': empty array."],
    ['an unknown role', body({ role: 'bot', content: 'x' }), "messages[0].role: Invalid value: 'bot'."],
    ['an unknown argument', { ...body(user), think: 1 }, '-: Unrecognized request argument supplied: think'],
    [
      'a foreign member',
      body({ ...user, reasoning_content: 'x' }),
      'messages[0].reasoning_content: Unknown parameter:',
    ],
    [
      'null content',
      body({ role: 'user', content: null }),
      "messages.[0].content: Invalid value for 'content': expected a string, got null.",
    ],
    [
      'an empty assistant message',
      body(user, { role: 'assistant' }),
      "messages.[1].content: Invalid value for 'content'",
    ],
    [
      'empty tool_calls',
      body(user, calling()),
      "messages[1].tool_calls: Invalid 'messages[1].tool_calls': empty array.",
    ],
    [
      'stream options alone',
      { ...body(user), stream_options: { include_usage: true } },
      "stream_options: The 'stream_options' parameter is only allowed",
    ],
    [
      'a tool choice alone',
      { ...body(user), tool_choice: 'auto' },
      "tool_choice: Invalid value for 'tool_choice'",
    ],
  ])('has %s', (_, request, message) => {
    expect(judge(request)).toContain(message);
  });

  const unanswered =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";
  it.each<[string, unknown, string]>([
    [
      'an unanswered call before the user',
      body(user, calling(call('c1'), call('c2')), result('c1'), user),
      `messages.[3].role: ${unanswered}c2`,
    ],
    [
      'an unanswered call at the end',
      body(user, calling(call('c1'), call('c2'))),
      `messages.[1].role: ${unanswered}c1, c2`,
    ],
    [
      'a result without calls',
      body(user, result('c9')),
      "messages.[1].role: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ],
    [
      'a result after another role',
      body(user, calling(call('a')), result('a'), user, result('a')),
      "messages.[4].role: Invalid parameter: messages with role 'tool'",
    ],
    [
      'a result for an unknown call',
      body(user, calling(call('c1')), result('c9')),
      "messages.[2].tool_call_id: Invalid parameter: 'tool_call_id' of 'c9' not found",
    ],
    [
      'two results for one call',
      body(user, calling(call('c1')), result('c1'), result('c1')),
      "messages.[3].tool_call_id: Invalid parameter: Duplicate value for 'tool_call_id' of 'c1', in messages[2] and messages[3].",
    ],
    [
      'two calls with one id',
      body(user, calling(call('c1'), call('c1')), result('c1')),
      'messages.[1].tool_calls: Invalid parameter: Duplicate value',
    ],
    [
      'an id used again later',
      body(user, calling(call('c1')), result('c1'), calling(call('c1')), result('c1')),
      'messages.[3].tool_calls: Invalid parameter: Duplicate value',
    ],
    [
      'a long id',
      body(user, calling(call('c'.repeat(41)))),
      'string too long. Expected a string with maximum length 40',
    ],
    [
      'arguments that are an object',
      body(user, calling(call('c1', { a: 1 })), result('c1')),
      "messages[1].tool_calls[0].function.arguments: Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    ],
    [
      'a call without id',
      body(user, calling({ type: 'function', function: { name: 'f', arguments: '' } })),
      'messages[1].tool_calls[0].id: Missing required parameter',
    ],
    [
      'a malformed name in the history',
      body(user, calling(call('c1', '{}', 'a b')), result('c1')),
      'messages[1].tool_calls[0].function.name: Invalid',
    ],
  ])('has %s', (_, request, message) => {
    expect(judge(request)).toContain(message);
  });

  const schema = (why: string) => `tools[0].function.parameters: Invalid schema for function 'f': ${why}`;
  it.each<[string, unknown, string]>([
    ['no tools in the list', withTools(), "tools: Invalid 'tools': empty array."],
    [
      'a tool with a bad name',
      withTools(fn({}, 'a.b')),
      "tools[0].function.name: Invalid 'tools[0].function.name': string does not match pattern.",
    ],
    [
      'a tool with a long name',
      withTools(fn({}, 'a'.repeat(65))),
      'Expected a string with maximum length 64',
    ],
    [
      'the same tool twice',
      withTools(fn(undefined), fn(undefined)),
      'tools[1].function.name: Duplicate function name',
    ],
    [
      'parameters without type',
      withTools(fn({})),
      schema('schema must be a JSON Schema of \'type: "object"\', got \'type: "None"\'.'),
    ],
    [
      'parameters that are an array',
      withTools(fn({ type: 'array' })),
      schema('schema must be a JSON Schema'),
    ],
    [
      'parameters without properties',
      withTools(fn({ type: 'object' })),
      schema('In context=(), object schema missing properties.'),
    ],
    [
      'a list without items',
      withTools(fn({ type: 'object', properties: { a: { type: 'array' } } })),
      schema("In context=('properties', 'a'), array schema missing items."),
    ],
    [
      'a strict function with an optional member',
      withTools({
        type: 'function',
        function: {
          name: 'f',
          strict: true,
          parameters: { type: 'object', properties: { a: {} }, additionalProperties: false },
        },
      }),
      schema("In context=(), 'required' is required to be supplied"),
    ],
  ])('has %s', (_, request, message) => {
    expect(judge(request)).toContain(message);
  });
});

describe('a lax world', () => {
  it('takes what only the real API refuses', () => {
    expect(judge(body(user, calling(call('c1')), user), 'lax')).toBe('accepted');
    expect(judge(body(), 'lax')).toContain('empty array');
  });
});

describe('limits of a world', () => {
  const options = { contextTokens: 10, onlyListedModels: true };
  const error = (request: unknown) => {
    const verdict = judgeBody(JSON.stringify(request), options, ['m']);
    return 'refusal' in verdict ? [verdict.refusal.status, verdict.refusal.error.code] : 'accepted';
  };

  it('refuse a long prompt and an unlisted model', () => {
    expect(error(body({ role: 'user', content: 'x'.repeat(40) }))).toBe('accepted');
    expect(error(body({ role: 'user', content: 'x'.repeat(41) }))).toEqual([400, 'context_length_exceeded']);
    expect(error({ model: 'other', messages: [user] })).toEqual([404, 'model_not_found']);
  });
});

describe('refusals', () => {
  it('reach the client in the error shape, are recorded, and leave the script alone', async () => {
    const { client, control } = await newWorld();
    await control.respond({ type: 'reply', content: 'kept' });
    const refused = client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'tool', tool_call_id: 'c', content: '' }],
    });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'messages.[0].role',
    });
    const [recorded] = await control.requests({ refused: true });
    expect(recorded?.answer).toMatchObject({ from: 'refusal', status: 400 });
    expect(recorded?.answer.error?.message).toContain("messages with role 'tool'");
    expect(await control.status()).toMatchObject({ refusedCount: 1, queuedResponses: 1 });
  });
});
