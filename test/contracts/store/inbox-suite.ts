import { describe, expect, test } from 'vitest';
import { toMessageId, toThreadId } from '../../../src/core/ids.js';
import type { InboundEvent } from '../../../src/core/inbound.js';
import { type OpenHarness, useStores } from './harness.js';
import { anEntry, anEvent, aRefusedEntry, inboxIds, origin, unfinishedInbox } from './records.js';

const { sentAt: _sentAt, type: _type, replyTo: _replyTo, ...common } = anEvent('shared');
const { message: _message, parts: _parts, addressed: _addressed, ...bare } = common;

const everyKind: readonly InboundEvent[] = [
  anEvent('full', {
    origin: { ...origin, thread: toThreadId('th'), chatTitle: 'A "title"\nof 2 lines 🙂' },
    replyTo: { message: toMessageId('q'), text: 'quoted', senderName: 'Bob' },
    parts: [
      { type: 'text', text: 'hello' },
      { type: 'unsupported', description: 'a sticker' },
    ],
  }),
  anEvent('quoting-nothing-readable', { replyTo: { message: toMessageId('q') }, addressed: 'none' }),
  { ...common, type: 'edit', dedupeKey: 'edit' },
  { ...bare, type: 'action', action: 'stop', dedupeKey: 'action' },
];

export const inboxSuite = (open: OpenHarness): void => {
  describe('inbox', () => {
    const harness = useStores(open);

    test('an accepted event is unfinished, in the order accepted, also after a restart', async () => {
      await harness.stores.inbox.accept([anEntry('b'), anEntry('a')]);
      await harness.stores.inbox.accept([anEntry('0')]);
      const stores = await harness.restart();
      expect(await unfinishedInbox(stores)).toEqual(['b', 'a', '0']);
    });

    test('every kind of event is read as it was accepted', async () => {
      await harness.stores.inbox.accept(
        everyKind.map((event, number) => anEntry(`${number}`, { event, dedupeKey: event.dedupeKey })),
      );
      const stores = await harness.restart();
      expect((await stores.inbox.unfinished()).map(({ event }) => event)).toStrictEqual(everyKind);
    });

    test('SE-03 a dedupe key that is known is a duplicate, whatever became of its event', async () => {
      const { inbox } = harness.stores;
      await inbox.accept([anEntry('a')]);
      expect(await inbox.accept([anEntry('later', { dedupeKey: 'key-a' })])).toEqual(['duplicate']);
      await inbox.finish(inboxIds('a'));
      expect(await inbox.accept([anEntry('later', { dedupeKey: 'key-a' })])).toEqual(['duplicate']);
      const stores = await harness.restart();
      expect(await stores.inbox.accept([anEntry('later', { dedupeKey: 'key-a' })])).toEqual(['duplicate']);
      expect(await unfinishedInbox(stores)).toEqual([]);
    });

    test('a dedupe key that comes twice in a batch is kept once, and every entry has its answer', async () => {
      const { inbox } = harness.stores;
      await inbox.accept([anEntry('old')]);
      const batch = [anEntry('a'), anEntry('again', { dedupeKey: 'key-a' }), anEntry('old'), anEntry('b')];
      expect(await inbox.accept(batch)).toEqual(['stored', 'duplicate', 'duplicate', 'stored']);
      expect(await unfinishedInbox(harness.stores)).toEqual(['old', 'a', 'b']);
    });

    test('a refused event is never unfinished, and its key is a duplicate from then on', async () => {
      const { inbox } = harness.stores;
      expect(await inbox.accept([aRefusedEntry('a')])).toEqual(['stored']);
      expect(await unfinishedInbox(harness.stores)).toEqual([]);
      expect(await inbox.accept([anEntry('a')])).toEqual(['duplicate']);
    });

    test('a batch with an id that is taken is refused whole', async () => {
      const { inbox } = harness.stores;
      await inbox.accept([anEntry('a')]);
      const batch = [anEntry('b'), anEntry('a', { dedupeKey: 'another' })];
      await expect(inbox.accept(batch)).rejects.toMatchObject({ name: 'StoreError', code: 'failed' });
      expect(await unfinishedInbox(harness.stores)).toEqual(['a']);
      expect(await inbox.accept([anEntry('b')])).toEqual(['stored']);
    });

    test('an empty batch has no answers', async () => {
      expect(await harness.stores.inbox.accept([])).toEqual([]);
    });

    test('a finished event is no longer unfinished; unknown ids and repeats do no harm', async () => {
      const { inbox } = harness.stores;
      await inbox.accept([anEntry('a'), anEntry('b')]);
      await inbox.finish(inboxIds('a', 'nobody'));
      await inbox.finish(inboxIds('a'));
      expect(await unfinishedInbox(await harness.restart())).toEqual(['b']);
    });

    test('U+0000 is left out of stored text, which is otherwise whole', async () => {
      const event = anEvent('key-a', { parts: [{ type: 'text', text: 'be\u0000fore \\u0000 after' }] });
      await harness.stores.inbox.accept([anEntry('a', { event })]);
      const stores = await harness.restart();
      expect((await stores.inbox.unfinished())[0]?.event).toEqual(
        anEvent('key-a', { parts: [{ type: 'text', text: 'before \\u0000 after' }] }),
      );
    });

    test('a key with U+0000 is found again', async () => {
      const { inbox } = harness.stores;
      expect(await inbox.accept([anEntry('a', { dedupeKey: 'x\u0000y' })])).toEqual(['stored']);
      expect(await inbox.accept([anEntry('b', { dedupeKey: 'x\u0000z' })])).toEqual(['stored']);
      expect(await inbox.accept([anEntry('c', { dedupeKey: 'x\u0000y' })])).toEqual(['duplicate']);
    });

    test('a finished key older than the bar is forgotten, an unfinished event never is', async () => {
      const { inbox, maintenance } = harness.stores;
      await inbox.accept([anEntry('young'), anEntry('old'), anEntry('open'), anEntry('bar')]);
      harness.setNow(2000);
      await inbox.finish(inboxIds('old'));
      await inbox.accept([aRefusedEntry('refused', 1000)]);
      harness.setNow(3000);
      await inbox.finish(inboxIds('bar'));
      harness.setNow(4000);
      await inbox.finish(inboxIds('young'));
      await maintenance.prune({ inboxAt: 3000, outboxAt: 0 });
      const names = ['young', 'old', 'open', 'bar', 'refused'];
      const answers = await inbox.accept(
        names.map((name) => anEntry(name, { id: inboxIds(`new-${name}`)[0]! })),
      );
      expect(answers).toEqual(['duplicate', 'stored', 'duplicate', 'duplicate', 'stored']);
      expect(await unfinishedInbox(harness.stores)).toEqual(['open', 'new-old', 'new-refused']);
    });
  });
};
