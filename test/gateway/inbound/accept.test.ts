import { describe, expect, test } from 'vitest';
import type { InboundEvent } from '../../../src/core/inbound.js';
import { createSink } from '../../../src/gateway/inbound/accept.js';
import type { AccessVerdict } from '../../../src/gateway/inbound/access.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aMessage } from '../../fakes/builders.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { diskFull, unreliable } from '../../fakes/unreliable.js';

const verdicts: Readonly<Record<string, AccessVerdict>> = { stranger: 'stranger', chatter: 'unaddressed' };

const create = ({ mayPass = true } = {}) => {
  const { inbox } = createMemoryStores();
  const logger = new MemoryLogger();
  const store = unreliable(inbox);
  const seen: string[] = [];
  const note = (what: string) => (event: InboundEvent) => void seen.push(`${what} ${event.dedupeKey}`);
  const sink = createSink({
    inbox: store.target,
    ids: createCountingIds(),
    logger,
    decide: ({ sender }) => verdicts[sender.user] ?? 'allowed',
    mayPass: () => mayPass,
    onDropped: note('dropped'),
    route: (_id, event) => note('routed')(event),
    onStranger: note('stranger'),
    onInbound: () => undefined,
  });
  return { sink, inbox, store, seen, logger };
};

describe('the sink', () => {
  test('stores what is allowed before it is taken on, in order', async () => {
    const { sink, inbox, seen } = create();
    expect(await sink.accept([aMessage({ id: 'm1' }), aMessage({ id: 'm2' })])).toEqual(['stored', 'stored']);
    expect((await inbox.unfinished()).map(({ event }) => event.dedupeKey)).toEqual([
      'fake/c1/m1',
      'fake/c1/m2',
    ]);
    expect(seen).toEqual(['routed fake/c1/m1', 'routed fake/c1/m2']);
  });

  test('recognises what came before, also within one batch', async () => {
    const { sink, seen } = create();
    await sink.accept([aMessage()]);
    expect(await sink.accept([aMessage(), aMessage({ id: 'm2' }), aMessage({ id: 'm2' })])).toEqual([
      'duplicate',
      'stored',
      'duplicate',
    ]);
    expect(seen).toEqual(['routed fake/c1/m1', 'routed fake/c1/m2']);
  });

  test('keeps nothing of what a stranger wrote, and does not write it to the log', async () => {
    const { sink, inbox, seen, logger } = create();
    const event = aMessage({ user: 'stranger', text: 'let me in' });
    expect(await sink.accept([event])).toEqual(['refused']);
    expect(await inbox.unfinished()).toEqual([]);
    expect(seen).toEqual(['stranger fake/c1/m1']);
    expect(await sink.accept([event])).toEqual(['duplicate']);
    expect(logger.text(['debug', 'info', 'warn', 'error'])).not.toContain('let me in');
  });

  test('does not take on what was said to others', async () => {
    const { sink, inbox, seen } = create();
    expect(await sink.accept([aMessage({ user: 'chatter' })])).toEqual(['refused']);
    expect(await inbox.unfinished()).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('drops a stranger who comes too fast without a write, and stores the others of the batch', async () => {
    const { sink, seen } = create({ mayPass: false });
    const stranger = aMessage({ user: 'stranger' });
    expect(await sink.accept([stranger, aMessage({ id: 'm2' }), stranger])).toEqual([
      'refused',
      'stored',
      'refused',
    ]);
    expect(seen).toEqual(['dropped fake/c1/m1', 'routed fake/c1/m2', 'dropped fake/c1/m1']);
  });

  test('takes on nothing of a batch that could not be stored', async () => {
    const { sink, store, seen } = create();
    const error = diskFull();
    store.fail('accept', error);
    await expect(sink.accept([aMessage()])).rejects.toBe(error);
    expect(seen).toEqual([]);
    expect(await sink.accept([aMessage()])).toEqual(['stored']);
  });

  test('takes an empty batch without a write', async () => {
    const { sink, store } = create();
    store.fail('accept', diskFull());
    expect(await sink.accept([])).toEqual([]);
  });
});
