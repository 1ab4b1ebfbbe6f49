import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSessionKey, toUserId } from '../../../src/core/ids.js';
import { parseSessionKey, sessionKeyOf } from '../../../src/gateway/inbound/session-key.js';
import { anOrigin } from '../../fakes/builders.js';

const policy = { groupPerUser: true, threadPerUser: false };

describe('sessionKeyOf', () => {
  test('SE-06 keeps topics, threads, people and platforms apart', () => {
    const keys = [
      sessionKeyOf(
        anOrigin({ platform: 'a', chat: '-1009', thread: '5', chatKind: 'group' }),
        toUserId('u1'),
        policy,
      ),
      sessionKeyOf(
        anOrigin({ platform: 'a', chat: '-1009', thread: '6', chatKind: 'group' }),
        toUserId('u1'),
        policy,
      ),
      sessionKeyOf(
        anOrigin({ platform: 'b', chat: '70', thread: '77', chatKind: 'group' }),
        toUserId('u1'),
        policy,
      ),
      sessionKeyOf(anOrigin({ platform: 'a', chat: '' }), toUserId('u1'), policy),
      sessionKeyOf(anOrigin({ platform: 'a', chat: '' }), toUserId('u2'), policy),
      sessionKeyOf(anOrigin({ platform: 'a', chat: '1001' }), toUserId('1001'), policy),
      sessionKeyOf(anOrigin({ platform: 'b', chat: '1001', chatKind: 'channel' }), toUserId('1001'), policy),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('SE-06 lets no separator in an id forge another key', () => {
    const id = fc.string({ unit: fc.constantFrom(':', '%', 'a', '3', 'A', '/', 'thread', 'user') });
    const source = fc.record({
      chat: id.filter((text) => text !== ''),
      thread: fc.option(id, { nil: undefined }),
      user: id,
      kind: fc.constantFrom('group' as const, 'direct' as const),
    });
    fc.assert(
      fc.property(source, source, (one, other) => {
        const key = ({ chat, thread, user, kind }: typeof one) =>
          sessionKeyOf(
            anOrigin({ chat, chatKind: kind, ...(thread !== undefined && { thread }) }),
            toUserId(user),
            { groupPerUser: true, threadPerUser: true },
          );
        const isUserPart = one.kind === 'group' || other.kind === 'group';
        const isSame =
          one.kind === other.kind &&
          one.chat === other.chat &&
          one.thread === other.thread &&
          (!isUserPart || one.user === other.user);
        expect(key(one) === key(other)).toBe(isSame);
      }),
    );
  });

  test('gives each member of a group a session and shares threads by default', () => {
    const group = anOrigin({ chatKind: 'group' });
    const thread = anOrigin({ chatKind: 'group', thread: '1' });
    expect(sessionKeyOf(group, toUserId('u1'), policy)).not.toBe(sessionKeyOf(group, toUserId('u2'), policy));
    expect(sessionKeyOf(thread, toUserId('u1'), policy)).toBe(sessionKeyOf(thread, toUserId('u2'), policy));
  });
});

describe('parseSessionKey', () => {
  test('gives back where a key takes place, whatever is in the ids', () => {
    const id = fc.string({ unit: fc.constantFrom(':', '%', 'a', '3', 'ä', '/', 'thread', 'user') });
    const source = fc.record({
      chat: id.filter((text) => text !== ''),
      thread: fc.option(id, { nil: undefined }),
      user: id,
      chatKind: fc.constantFrom('group' as const, 'direct' as const),
    });
    fc.assert(
      fc.property(source, ({ chat, thread, user, chatKind }) => {
        const origin = anOrigin({ chat, chatKind, ...(thread !== undefined && { thread }) });
        const place = parseSessionKey(sessionKeyOf(origin, toUserId(user), policy));
        expect(place).toStrictEqual({
          platform: 'fake',
          chatKind,
          chat,
          ...(thread !== undefined && { thread }),
          ...(chatKind === 'group' && thread === undefined && { user }),
        });
      }),
    );
  });

  test.each([
    '',
    'agent:main:a:direct',
    'agent:main:a:crowd:1',
    'other:main:a:direct:1',
    'agent:main:a:direct:%',
  ])('gives nothing for %j', (key) => {
    expect(parseSessionKey(toSessionKey(key))).toBeUndefined();
  });
});
