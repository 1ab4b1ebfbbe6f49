import { expect } from 'vitest';
import { PlatformError } from '../../../src/core/errors.js';
import type { Receipt } from '../../../src/core/outbound.js';
import type { PlatformCases, PlatformHarness } from './harness.js';

/** Sends one short text, which is one message everywhere. */
export const sendText = (
  { adapter, route }: PlatformHarness,
  text: string,
  signal = new AbortController().signal,
): Promise<Receipt> => {
  const [encoded] = adapter.encode([{ type: 'text', text }], route);
  if (encoded === undefined) throw new Error('the text gives no message');
  return adapter.send({ route, encoded, idempotencyKey: `key of ${text}` }, { signal });
};

export const rejectionOf = async (work: Promise<unknown>): Promise<unknown> => {
  const outcome = await work.then(
    () => 'no rejection' as const,
    (error: unknown) => ({ error }),
  );
  if (outcome === 'no rejection') throw new Error('it did not reject');
  return outcome.error;
};

export const sendingCases: PlatformCases = {
  'an address of this platform is read, and reads back the chat of a route': ({ definition, route }) => {
    expect(definition.parseAddress(route.chat)?.chat).toBe(route.chat);
    expect(definition.parseAddress('')).toBeUndefined();
    expect(definition.title).not.toBe('');
    expect(definition.connectHint).not.toBe('');
  },

  'the adapter names its platform and an account': ({ definition, adapter }) => {
    expect(adapter.platform).toBe(definition.id);
    expect(adapter.account).not.toBe('');
  },

  'a receipt names a message that stands in the chat': async (harness) => {
    const first = await sendText(harness, 'one');
    const second = await sendText(harness, 'two');
    expect(await harness.shown()).toEqual(['one', 'two']);
    const ids = [...first.messages, ...second.messages];
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  },

  'the same key shows one message where the platform says so': async (harness, skip) => {
    if (!harness.adapter.idempotentSend) return skip('it does not recognise repeats');
    const receipts = [await sendText(harness, 'once'), await sendText(harness, 'once')];
    expect(receipts[1]?.messages).toEqual(receipts[0]?.messages);
    expect(await harness.shown()).toEqual(['once']);
  },

  'a message over the limits is refused for good and not shown': async (harness) => {
    const { adapter, route, oversized } = harness;
    const signal = new AbortController().signal;
    const error = await rejectionOf(
      adapter.send({ route, encoded: oversized, idempotencyKey: 'k' }, { signal }),
    );
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ code: 'refused', outcome: 'none', retry: { kind: 'never' } });
    expect(await harness.shown()).toEqual([]);
  },

  'an aborted signal ends a send with its reason before anything is shown': async (harness) => {
    const reason = new Error('called off');
    expect(await rejectionOf(sendText(harness, 'never', AbortSignal.abort(reason)))).toBe(reason);
    expect(await harness.shown()).toEqual([]);
  },
};
