import { describe, expect, test } from 'vitest';
import { toSessionId } from '../../src/core/ids.js';
import { todo } from '../../src/tools/todo.js';
import { aToolContext } from '../contracts/tool/tool-suite.js';
import { MemoryTodos, someServices } from '../fakes/tool-services.js';

const aList = () => {
  const services = someServices({ todos: new MemoryTodos() });
  const call = (input: unknown, session = 's1') =>
    todo.execute(todo.input.parse(input), aToolContext({ services, session: toSessionId(session) }));
  return { call };
};

const two = [
  { id: '1', content: 'buy milk', status: 'completed' },
  { id: '2', content: 'bake cake' },
];

describe('the task list', () => {
  test('is empty at first and returned after every change', async () => {
    const { call } = aList();
    expect(await call({})).toEqual({ text: 'The list is empty.', isError: false });
    const written = '2 items: 1 pending, 1 completed\n1. [completed] buy milk\n2. [pending] bake cake';
    expect(await call({ todos: two })).toEqual({ text: written, isError: false });
    expect((await call({})).text).toBe(written);
  });

  test('is replaced, or merged by id in its order', async () => {
    const { call } = aList();
    await call({ todos: two });
    const merged = await call({
      merge: true,
      todos: [
        { id: '3', content: 'eat' },
        { id: '2', status: 'in_progress' },
      ],
    });
    expect(merged.text.split('\n').slice(1)).toEqual([
      '1. [completed] buy milk',
      '2. [in_progress] bake cake',
      '3. [pending] eat',
    ]);
    expect((await call({ todos: [{ id: 'x', content: 'rest' }] })).text).toBe(
      '1 item: 1 pending\nx. [pending] rest',
    );
    expect((await call({ todos: [] })).text).toBe('The list is empty.');
  });

  test('belongs to its session', async () => {
    const { call } = aList();
    await call({ todos: two });
    expect((await call({}, 's2')).text).toBe('The list is empty.');
  });

  test.each([
    [{ todos: [...two, { id: '1', content: 'again' }] }, "The id '1' comes twice."],
    [{ todos: [{ id: '9' }] }, "The item '9' is new and needs a content."],
    [{ merge: true, todos: [{ id: '9', status: 'completed' }] }, "The item '9' is new"],
    [
      {
        merge: true,
        todos: Array.from({ length: 200 }, (_each, index) => ({ id: `n${index}`, content: 'x' })),
      },
      'more than 200 items',
    ],
  ])('is not changed by %o', async (input, problem) => {
    const { call } = aList();
    await call({ todos: two });
    expect(await call(input)).toMatchObject({ isError: true, text: expect.stringContaining(problem) });
    expect((await call({})).text).toContain('2 items');
  });

  test('never needs permission', () => {
    expect(todo.neverAsks).toBe(true);
  });

  test.each([
    [{}, 'read'],
    [{ todos: [{ id: '1', content: 'buy milk' }] }, 'buy milk'],
    [{ todos: [{ id: '1', status: 'completed' }] }, '1: completed'],
    [{ todos: two }, '2 items'],
  ])('tells people of %o as %s', (input, summary) => {
    expect(todo.summarise?.(todo.input.parse(input))).toBe(summary);
  });
});
