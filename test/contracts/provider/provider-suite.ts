import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/core/provider.js';

/** Conversations that every provider can be made to have. */
export type ProviderCase = 'answers' | 'calls-tools' | 'fails' | 'waits';

export interface ProviderUnderTest {
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** Resolves when the call is so far under way that an abort meets it in the middle; absent: at its first event. */
  readonly underWay?: () => Promise<void>;
}

export interface ProviderSuite {
  readonly name: string;
  /** A fresh provider whose next call goes as the case says; `waits` does not end by itself. */
  readonly create: (of: ProviderCase) => Promise<ProviderUnderTest>;
  /** Cases that cannot happen here, each with the reason. */
  readonly skips?: Readonly<Partial<Record<ProviderCase, string>>>;
}

const read = async (
  { provider, request }: ProviderUnderTest,
  signal: AbortSignal,
): Promise<readonly ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, { signal })) events.push(event);
  return events;
};

const untouched = (): AbortSignal => new AbortController().signal;
const isLast = ({ type }: ModelEvent): boolean => type === 'done' || type === 'error';

/** What the port promises, for any provider. */
export const describeProvider = ({ name, create, skips = {} }: ProviderSuite): void => {
  const caseTest = (of: ProviderCase, title: string, run: () => Promise<void>): void => {
    if (skips[of] === undefined) test(title, run);
  };

  describe(`${name} as a provider`, () => {
    caseTest('answers', 'ends with one done whose text is that of the deltas', async () => {
      const events = await read(await create('answers'), untouched());
      expect(events.filter(isLast)).toEqual([events.at(-1)]);
      const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
      expect(text).not.toBe('');
      expect(events.at(-1)).toMatchObject({
        type: 'done',
        stop: 'end',
        message: { role: 'assistant', text, toolCalls: [] },
      });
    });

    caseTest('answers', 'can be asked again, and gives usage in whole tokens', async () => {
      const subject = await create('answers');
      await read(subject, untouched());
      const last = (await read(await create('answers'), untouched())).at(-1);
      const usage = last?.type === 'done' ? last.usage : undefined;
      expect(Object.values(usage ?? {}).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    });

    caseTest(
      'calls-tools',
      'stops for tool calls exactly if there are any, each with an id and a name',
      async () => {
        const last = (await read(await create('calls-tools'), untouched())).at(-1);
        expect(last).toMatchObject({ type: 'done', stop: 'tool-calls' });
        const calls = last?.type === 'done' ? last.message.toolCalls : [];
        expect(calls.length).toBeGreaterThan(0);
        for (const { id, name: tool, argumentsText } of calls) {
          expect([id, tool]).not.toContain('');
          expect(typeof JSON.parse(argumentsText)).toBe('object');
        }
        expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
      },
    );

    caseTest('fails', 'reports a failure as its last event, with a sentence for people', async () => {
      const events = await read(await create('fails'), untouched());
      expect(events.filter(isLast)).toEqual([events.at(-1)]);
      const last = events.at(-1);
      expect(last).toMatchObject({
        type: 'error',
        error: { origin: 'provider', userText: expect.stringMatching(/\.$/) },
      });
    });

    caseTest('answers', 'rejects with the reason of a signal that has aborted before', async () => {
      const reason = new Error('stopped before');
      await expect(read(await create('answers'), AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    caseTest('waits', 'rejects with the reason as soon as the signal aborts', async () => {
      const subject = await create('waits');
      const stop = new AbortController();
      const reason = new Error('stopped within');
      const running = read(subject, stop.signal);
      await subject.underWay?.();
      stop.abort(reason);
      await expect(running).rejects.toBe(reason);
    });

    test('says why it skips what it skips', () => {
      expect(Object.values(skips).every((reason) => reason.trim() !== '')).toBe(true);
    });
  });
};
