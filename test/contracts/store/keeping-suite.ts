import { describe, expect, test } from 'vitest';
import type { KnownChat } from '../../../src/core/directory.js';
import { toChatId, toPlatformId } from '../../../src/core/ids.js';
import { type OpenHarness, useStores } from './harness.js';
import { origin } from './records.js';

const aChat = (chat: string, over: Partial<KnownChat> = {}): KnownChat => ({
  platform: origin.platform,
  account: origin.account,
  chat: toChatId(chat),
  kind: 'group',
  title: `Title of ${chat}`,
  seenAt: 1,
  ...over,
});

export const keepingSuite = (open: OpenHarness): void => {
  describe('the directory', () => {
    const harness = useStores(open);

    test('keeps each chat once, as it was seen last, also after a restart', async () => {
      const { directory } = harness.stores;
      await directory.note(aChat('b'));
      await directory.note(aChat('a'));
      await directory.note(aChat('b', { title: 'New name', kind: 'channel', seenAt: 2 }));
      await directory.note(aChat('c'));
      await directory.forget(aChat('c'));
      await directory.forget(aChat('never there'));
      const stores = await harness.restart();
      expect(await stores.directory.all()).toStrictEqual([
        aChat('a'),
        aChat('b', { title: 'New name', kind: 'channel', seenAt: 2 }),
      ]);
    });
  });

  describe('preferences', () => {
    const harness = useStores(open);

    test('are kept by key until they are changed or removed, also over a restart', async () => {
      const { preferences } = harness.stores;
      await preferences.set('busy/["a:b"]', 'queue');
      await preferences.set('model/x', 'first "one"');
      await preferences.set('model/x', '漢字 🙂');
      await preferences.set('home/y', 'gone');
      await preferences.remove('home/y');
      await preferences.remove('never there');
      const stores = await harness.restart();
      expect([...(await stores.preferences.all())].sort()).toEqual([
        ['busy/["a:b"]', 'queue'],
        ['model/x', '漢字 🙂'],
      ]);
    });
  });

  describe('notes', () => {
    const harness = useStores(open);

    test("are each platform's own, overwritten, and kept over a restart", async () => {
      const [one, other] = [toPlatformId('one'), toPlatformId('other')];
      await harness.stores.notes(one).write('seen', { a: '1' });
      await harness.stores.notes(one).write('seen', { a: '2', b: ['漢字 🙂', null] });
      await harness.stores.notes(other).write('seen', 'mine');
      await harness.stores.preferences.set('busy/x', 'queue');
      const stores = await harness.restart();
      expect(await stores.notes(one).read('seen')).toEqual({ a: '2', b: ['漢字 🙂', null] });
      expect(await stores.notes(other).read('seen')).toBe('mine');
      expect(await stores.notes(other).read('never')).toBeUndefined();
      expect([...(await stores.preferences.all()).keys()]).toEqual(['busy/x']);
    });
  });
};
