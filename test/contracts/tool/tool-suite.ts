import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../../src/agent/index.js';
import { toCorrelationId, toSessionId, toToolCallId, toTurnId, toUserId } from '../../../src/core/ids.js';
import { categories } from '../../../src/core/permission.js';
import type { Tool, ToolContext } from '../../../src/core/tool.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { someServices } from '../../fakes/tool-services.js';

export const aToolContext = (changes: Partial<ToolContext> = {}): ToolContext => ({
  signal: new AbortController().signal,
  caller: { origin: anOrigin(), user: toUserId('u1'), isOwner: true },
  session: toSessionId('s1'),
  turn: toTurnId('t1'),
  call: toToolCallId('c1'),
  correlation: toCorrelationId('corr-1'),
  logger: new MemoryLogger(),
  clock: new ManualClock(),
  services: someServices(),
  ...changes,
});

/** What a model may hand over; none of it may do more than give an error. */
const oddInputs: readonly unknown[] = [{}, null, [], 'text', { unknown: 1 }, { path: '' }, { todos: 'all' }];

/** What every tool promises, whatever it does. */
export const describeTool = (tool: Tool, fileName: string): void => {
  describe(`${tool.name} as a tool`, () => {
    test('is named like its file and can be offered to a model', () => {
      expect(fileName).toBe(`${tool.name.replaceAll('_', '-')}.ts`);
      expect(createToolRegistry([tool]).specs).toHaveLength(1);
    });

    test('says in words what it is', () => {
      expect(tool.title.trim()).toBe(tool.title);
      expect(tool.title).not.toBe('');
      expect(tool.description.length).toBeGreaterThan(60);
      expect(categories).toContain(tool.category);
    });

    test('describes every argument', () => {
      const schema = z.toJSONSchema(tool.input, { io: 'input' });
      const undescribed = Object.entries(schema.properties ?? {}).filter(
        ([, property]) => typeof property !== 'object' || (property.description ?? '') === '',
      );
      expect(undescribed).toEqual([]);
    });

    test.each(oddInputs)('takes %o apart without throwing', async (given) => {
      const parsed = tool.input.safeParse(given);
      if (!parsed.success) return expect(parsed.error.issues.length).toBeGreaterThan(0);
      const context = aToolContext();
      expect(categories).toContain(tool.categoryOf?.(parsed.data, context) ?? tool.category);
      expect(typeof (tool.summarise?.(parsed.data) ?? '')).toBe('string');
      const outcome = await tool.execute(parsed.data, context);
      expect(outcome).toMatchObject({ text: expect.stringMatching(/\S/), isError: expect.any(Boolean) });
    });
  });
};
