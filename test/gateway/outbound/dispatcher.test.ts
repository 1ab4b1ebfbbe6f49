import { describe, expect, test } from 'vitest';
import { after, later } from '../../../src/core/errors.js';
import { toMessageId } from '../../../src/core/ids.js';
import type { Delivery } from '../../../src/core/outbound.js';
import type { OutboxStore } from '../../../src/core/stores.js';
import { anOrigin } from '../../fakes/builders.js';
import { platformError } from '../../fakes/scripted-platform.js';
import { diskFull, storeBroken } from '../../fakes/unreliable.js';
import { createDispatcherWorld } from './dispatcher-world.js';

const unknown = platformError('unavailable', { outcome: 'unknown', retry: later });

describe('a dispatcher', () => {
  test('sends the rows of a chat one at a time and in order', async () => {
    const { platform, send, aRow } = createDispatcherWorld();
    const held = platform.script.hold('send');
    const sent = send(aRow('one'), aRow('two'), aRow('three'));
    await held.reached;
    expect(platform.chat().texts).toEqual([]);
    held.release();
    expect((await sent).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(platform.chat().texts).toEqual(['one', 'two', 'three']);
  });

  test('lets no chat wait for another', async () => {
    const { platform, send, aRow } = createDispatcherWorld();
    const held = platform.script.hold('send');
    const slow = send(aRow('slow'));
    await held.reached;
    await send(aRow('quick', { route: anOrigin({ chat: 'c2' }) }));
    expect(platform.chat('c2').texts).toEqual(['quick']);
    held.release();
    await slow;
    expect(platform.chat('c1').texts).toEqual(['slow']);
  });

  test('stores the receipt with every message id', async () => {
    const { platform, stores, send, aRow } = createDispatcherWorld();
    const [outcome] = await send(aRow('hello'));
    const ids = platform.chat().messages.map(({ id }) => id);
    expect(outcome).toMatchObject({ state: 'sent', receipt: { messages: ids } });
    expect(await stores.outbox.find(aRow('hello').id)).toMatchObject({
      state: 'sent',
      receipt: { messages: ids },
    });
  });

  test('holds a chat for as long as its platform asks, and no other chat', async () => {
    const { platform, clock, send, aRow } = createDispatcherWorld();
    platform.script.fail('send', platformError('rate-limited', { retry: after(30_000) }));
    const first = send(aRow('first'), aRow('second'));
    await clock.waiting(30_000);
    await send(aRow('elsewhere', { route: anOrigin({ chat: 'c2' }) }));
    await clock.advance(29_999);
    expect(platform.chat().texts).toEqual([]);
    await clock.advance(1);
    await first;
    expect(platform.chat().texts).toEqual(['first', 'second']);
  });

  test('tries again later, with growing pauses, what was certainly not sent', async () => {
    const { platform, clock, stores, send, aRow } = createDispatcherWorld();
    platform.script.fail('send', platformError('unavailable', { retry: later }), { times: 3 });
    const sent = send(aRow('hello'));
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await clock.waiting(pauseMs);
      expect(await stores.outbox.counts()).toMatchObject({ pending: 1 });
      await clock.advance(pauseMs);
    }
    await sent;
    expect(platform.chat().texts).toEqual(['hello']);
  });

  test('repeats once, marked, what may have arrived, and whoever waits learns of the repeat', async () => {
    const { platform, send, aRow, lost } = createDispatcherWorld();
    platform.script.fail('send', unknown, { isApplied: true });
    const [outcome] = await send(aRow('hello'), aRow('next'));
    expect(platform.chat().texts).toEqual(['hello', '(possible duplicate)\nhello', 'next']);
    expect(outcome).toMatchObject({
      state: 'sent',
      receipt: { messages: [platform.chat().messages[1]?.id] },
    });
    expect(lost).toEqual([]);
  });

  test('gives up what may have arrived twice, as unknown, and says so once', async () => {
    const { platform, stores, send, aRow, lost } = createDispatcherWorld();
    platform.script.fail('send', unknown, { times: 2 });
    const [outcome] = await send(aRow('hello'));
    expect(outcome?.state).toBe('unknown');
    expect(lost).toEqual([expect.stringMatching(/^\(possible duplicate\)\nhello unknown: /u)]);
    expect(await stores.outbox.unfinished()).toEqual([]);
  });

  test('repeats unmarked where the platform recognises the key', async () => {
    const { platform, clock, send, aRow } = createDispatcherWorld({ isIdempotent: true });
    platform.script.fail('send', unknown, { isApplied: true });
    const sent = send(aRow('hello'));
    await clock.waiting(1_000);
    await clock.advance(1_000);
    await sent;
    expect(platform.chat().texts).toEqual(['hello']);
  });

  test('edits the message that a row is to replace', async () => {
    const { platform, send, aRow } = createDispatcherWorld();
    const edits = platform.chat().add({ text: 'half an' });
    await send(aRow('half an answer', { edits }));
    expect(platform.chat().texts).toEqual(['half an answer']);
  });

  test('sends afresh what was to replace a message that is gone', async () => {
    const { platform, stores, send, aRow } = createDispatcherWorld();
    const [outcome] = await send(aRow('answer', { edits: toMessageId('p9') }));
    expect(outcome?.state).toBe('sent');
    expect(platform.chat().messages).toMatchObject([{ text: 'answer', earlier: [] }]);
    expect(await stores.outbox.unfinished()).toEqual([]);
  });

  test('ends a refused row as failed, free of secrets, and goes on with the next', async () => {
    const { platform, stores, send, aRow, lost } = createDispatcherWorld();
    platform.script.fail('send', Object.assign(platformError('refused'), { message: 'no s3cret here' }));
    const [outcome] = await send(aRow('odd'), aRow('next'));
    expect(outcome).toEqual({ state: 'failed', error: 'no *** here' });
    expect(lost).toEqual(['odd failed: no *** here']);
    expect(platform.chat().texts).toEqual(['next']);
    expect(await stores.outbox.counts()).toMatchObject({ failed: 1 });
  });

  test('takes a bug of an adapter for an unknown outcome', async () => {
    const { platform, send, aRow } = createDispatcherWorld();
    platform.script.fail('send', new TypeError('undefined is not a function'));
    await send(aRow('hello'));
    expect(platform.chat().texts).toEqual(['(possible duplicate)\nhello']);
  });

  test('keeps a receipt whose storing fails once', async () => {
    const { platform, clock, stores, outbox, send, aRow } = createDispatcherWorld();
    outbox.fail('sent', diskFull());
    const sent = send(aRow('hello'));
    await clock.waiting(500);
    await clock.advance(500);
    expect(await sent).toMatchObject([{ state: 'sent', receipt: { messages: ['p1'] } }]);
    expect(platform.chat().texts).toEqual(['hello']);
    expect(await stores.outbox.find(aRow('hello').id)).toMatchObject({ state: 'sent' });
  });

  test('tells whoever waits that it arrived, although the receipt can never be stored', async () => {
    const { outbox, send, aRow } = createDispatcherWorld();
    outbox.fail('sent', storeBroken());
    expect(await send(aRow('hello'))).toMatchObject([{ state: 'sent' }]);
  });

  test('tells whoever waits that nothing is known where a send can never be marked as begun', async () => {
    const { outbox, send, aRow, platform } = createDispatcherWorld();
    outbox.fail('begin', storeBroken());
    expect(await send(aRow('hello'))).toMatchObject([{ state: 'unknown', error: 'the database is damaged' }]);
    expect(platform.chat().texts).toEqual([]);
  });

  test('leaves the rows of a platform that is out of service where they are', async () => {
    const { stores, left, aRow, dispatcher } = createDispatcherWorld({ isInService: false });
    await left(aRow('waits'), aRow('begun', { state: 'sending' }));
    await dispatcher.recover();
    expect((await stores.outbox.unfinished()).map(({ state }) => state)).toEqual(['pending', 'sending']);
  });
});

const store =
  (outbox: OutboxStore) =>
  async (rows: readonly Delivery[]): Promise<void> =>
    void (await outbox.enqueue(rows));

describe('rows that are stored on their way', () => {
  test('need one write where nothing is before them', async () => {
    const { platform, stores, outbox, aRow, dispatcher } = createDispatcherWorld();
    outbox.fail('begin', storeBroken(), Number.POSITIVE_INFINITY);
    const held = platform.script.hold('send');
    const stored = dispatcher.deliver([aRow('hello')], store(stores.outbox));
    await held.reached;
    await stored;
    expect(await stores.outbox.unfinished()).toMatchObject([{ state: 'sending', attempts: 1 }]);
    held.release();
    await platform.showing('hello');
  });

  test('leave behind what is before them, and together', async () => {
    const { platform, stores, send, aRow, dispatcher } = createDispatcherWorld();
    const held = platform.script.hold('send');
    void send(aRow('before'));
    await held.reached;
    await dispatcher.deliver([aRow('one'), aRow('two')], store(stores.outbox));
    expect((await stores.outbox.unfinished()).map(({ state }) => state)).toEqual([
      'sending',
      'pending',
      'pending',
    ]);
    held.release();
    await platform.showing('two');
    expect(platform.chat().texts).toEqual(['before', 'one', 'two']);
  });

  test('are not parted by what comes while they are stored', async () => {
    const { platform, stores, send, aRow, dispatcher } = createDispatcherWorld();
    let go = (): void => {};
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    const delivered = dispatcher.deliver([aRow('one'), aRow('two')], async (rows) => {
      await wait;
      await stores.outbox.enqueue(rows);
    });
    void send(aRow('after'));
    go();
    await delivered;
    await platform.showing('after');
    expect(platform.chat().texts).toEqual(['one', 'two', 'after']);
  });

  test('do not leave when they cannot be stored, and hold up nothing', async () => {
    const { platform, send, aRow, dispatcher } = createDispatcherWorld();
    const delivered = dispatcher.deliver([aRow('lost')], () => Promise.reject(storeBroken()));
    await expect(delivered).rejects.toThrow('damaged');
    await send(aRow('next'));
    expect(platform.chat().texts).toEqual(['next']);
  });

  test('are tried again as any other', async () => {
    const { platform, clock, stores, aRow, dispatcher } = createDispatcherWorld();
    platform.script.fail('send', platformError('unavailable', { retry: later }));
    await dispatcher.deliver([aRow('hello')], store(stores.outbox));
    await clock.waiting(1_000);
    expect(await stores.outbox.unfinished()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    await clock.advance(1_000);
    await platform.showing('hello');
  });
});

describe('what a kill left', () => {
  test('is sent in its old order, an interrupted send once more and marked', async () => {
    const { platform, left, aRow, dispatcher } = createDispatcherWorld();
    await left(aRow('begun', { state: 'sending' }), aRow('waiting'));
    await dispatcher.recover();
    await platform.showing('waiting');
    expect(platform.chat().texts).toEqual(['(possible duplicate)\nbegun', 'waiting']);
  });

  test('is not held for longer than an hour, however far the clock was set back since', async () => {
    const { platform, left, aRow, dispatcher, clock } = createDispatcherWorld();
    await left(aRow('late', { notBefore: clock.now() + 30 * 3_600_000 }));
    await dispatcher.recover();
    await clock.advance(3_599_999);
    expect(platform.chat().texts).toEqual([]);
    await clock.advance(1);
    await platform.showing('late');
  });

  test('is sent as it was where the platform recognises the key', async () => {
    const { platform, left, aRow, dispatcher } = createDispatcherWorld({ isIdempotent: true });
    await left(aRow('begun', { state: 'sending' }));
    await dispatcher.recover();
    await platform.showing('begun');
    expect(platform.chat().texts).toEqual(['begun']);
  });

  test('is not sent a third time when the repeat was interrupted too', async () => {
    const { platform, left, aRow, dispatcher, lost, stores } = createDispatcherWorld();
    await left(aRow('again', { state: 'sending', isRepeat: true }));
    await dispatcher.recover();
    expect(lost).toEqual([expect.stringContaining('again unknown')]);
    expect(platform.chat().texts).toEqual([]);
    expect(await stores.outbox.counts()).toMatchObject({ unknown: 1, pending: 0 });
  });
});

describe('a stop', () => {
  test('lets the call under way end and begins no other', async () => {
    const { platform, stores, send, aRow, dispatcher, stop } = createDispatcherWorld();
    const held = platform.script.hold('send');
    const sent = send(aRow('under way'), aRow('waiting'));
    await held.reached;
    const stopped = stop();
    dispatcher.dispatch([aRow('too late')]);
    held.release();
    await stopped;
    expect(platform.chat().texts).toEqual(['under way']);
    expect((await stores.outbox.unfinished()).map(({ encoded }) => encoded.text)).toEqual(['waiting']);
    await expect(Promise.race([sent, 'still waiting'])).resolves.toBe('still waiting');
  });

  test('cuts a call off when the grace time is over, and the row stays begun', async () => {
    const { platform, stores, send, aRow, dispatcher } = createDispatcherWorld();
    const held = platform.script.hold('send');
    void send(aRow('endless'));
    await held.reached;
    await dispatcher.stop(AbortSignal.abort(new Error('the grace time is over')));
    expect((await stores.outbox.unfinished()).map(({ state }) => state)).toEqual(['sending']);
    expect(dispatcher.signal.aborted).toBe(true);
  });

  test('ends although a write waits for a full disk', async () => {
    const { clock, outbox, send, aRow, dispatcher, platform } = createDispatcherWorld();
    outbox.fail('begin', diskFull(), Number.POSITIVE_INFINITY);
    void send(aRow('never begun'));
    await clock.waiting(500);
    await dispatcher.stop(AbortSignal.abort(new Error('the grace time is over')));
    outbox.heal();
    await clock.advance(60_000);
    expect(platform.chat().texts).toEqual([]);
  });
});
