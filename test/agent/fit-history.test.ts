import { describe, expect, test } from 'vitest';
import { estimateFrame } from '../../src/agent/estimate.js';
import { fitHistory } from '../../src/agent/fit-history.js';
import { toToolCallId } from '../../src/core/ids.js';
import type { ModelMessage } from '../../src/core/provider.js';
import { aToolCall } from '../fakes/scripted-provider.js';
import { user } from './agent-world.js';

/** About a hundred tokens. */
const long = 'x'.repeat(350);
const answer = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });
const call: ModelMessage = {
  role: 'assistant',
  text: '',
  toolCalls: [aToolCall({ id: 'c1', name: 'look' })],
};
const result: ModelMessage = { role: 'tool', call: toToolCallId('c1'), text: long, isError: false };

describe('a history that fits', () => {
  test('stays whole', () => {
    const history = [user(long), answer(long), user('now')];
    expect(fitHistory(history, 1000)).toBe(history);
  });
});

describe('a history that is too long', () => {
  test('loses its oldest turns, cut at a message of a person', () => {
    const history = [user(long), answer(long), user('b'), call, result, answer('c'), user('now')];
    expect(fitHistory(history, 150)).toEqual(history.slice(2));
    expect(fitHistory(history, 100)).toEqual([user('now')]);
  });

  test('keeps its last turn even if that alone does not fit', () => {
    const history = [user('old'), answer('old'), user(long), call, result];
    expect(fitHistory(history, 50)).toEqual(history.slice(2));
  });

  test('without any message of a person stays as it is', () => {
    expect(fitHistory([answer(long)], 10)).toEqual([answer(long)]);
  });
});

describe('the estimate', () => {
  test('counts a character outside ASCII for more', () => {
    const history = [user('old'), answer('old'), user('東京'.repeat(50))];
    expect(fitHistory(history, 60)).toEqual(history.slice(2));
    expect(fitHistory([user('old'), answer('old'), user('to'.repeat(50))], 60)).toHaveLength(3);
  });

  test('of the frame counts the system prompt and the tools', () => {
    const bare = estimateFrame({ system: long, tools: [] });
    expect(bare).toBeGreaterThan(99);
    const tools = [{ name: 'look', description: long, parameters: {} }];
    expect(estimateFrame({ system: long, tools })).toBeGreaterThan(bare + 99);
  });
});
