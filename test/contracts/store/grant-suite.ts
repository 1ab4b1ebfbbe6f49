import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../src/core/grant.js';
import { toGrantId, toSessionId } from '../../../src/core/ids.js';
import { type OpenHarness, useStores } from './harness.js';

const aGrant = (name: string, over: Partial<Grant> = {}): Grant => ({
  id: toGrantId(name),
  holder: 'matrix:@ada:example.org',
  tool: 'terminal',
  title: 'Terminal',
  category: 'system',
  keys: ['git', '漢字 🙂'],
  label: 'commands that begin with git',
  grantedBy: 'matrix:@ada:example.org',
  grantedAt: 10,
  ...over,
});

export const grantSuite = (open: OpenHarness): void => {
  describe('grants', () => {
    const harness = useStores(open);

    test('are kept in the order they were given, also after a restart', async () => {
      const first = aGrant('b', { session: toSessionId('s1') });
      const second = aGrant('a', { holder: 'job:j1', grantedAt: 5 });
      await harness.stores.grants.add(first);
      await harness.stores.grants.add(second);
      const { grants } = await harness.restart();
      expect(await grants.all()).toStrictEqual([first, second]);
    });

    test('are gone once they are revoked', async () => {
      const { grants } = harness.stores;
      await grants.add(aGrant('a'));
      expect(await grants.remove(toGrantId('a'))).toBe(true);
      expect(await grants.remove(toGrantId('a'))).toBe(false);
      expect(await grants.all()).toEqual([]);
    });
  });
};
