import { describe, expect, test } from 'vitest';
import type { KnownChat } from '../../../src/core/directory.js';
import {
  createTargetNames,
  describeChats,
  findByLabel,
  findByPrefix,
  labelTarget,
} from '../../../src/gateway/directory/labels.js';
import { anOrigin } from '../../fakes/builders.js';

const aChat = (chat: string, title: string, kind: KnownChat['kind'] = 'group'): KnownChat => {
  const { platform, account, chat: id } = anOrigin({ chat });
  return { platform, account, chat: id, kind, title, seenAt: 0 };
};

const general = aChat('g1', 'General');
const gardeners = aChat('g2', 'Gardeners', 'channel');
const alice = aChat('a1', 'Alice', 'direct');
const otherAlice = aChat('a2', 'alice', 'direct');
const chats = [general, gardeners, alice];

describe('a chat is named', () => {
  test('by its title: groups and channels with a hash, people quoted', () => {
    expect(labelTarget(general)).toBe('fake:#General');
    expect(labelTarget(gardeners)).toBe('fake:#Gardeners');
    expect(labelTarget(alice)).toBe('fake:"Alice (dm)"');
  });

  test('by its id where another has the same label, whatever the letter case', () => {
    const name = createTargetNames([...chats, otherAlice]);
    expect(name(general)).toBe('fake:#General');
    expect(name(alice)).toBe('fake:a1');
    expect(name(otherAlice)).toBe('fake:a2');
  });

  test('by its label also where the list does not have it', () => {
    expect(createTargetNames([general])(alice)).toBe('fake:"Alice (dm)"');
  });
});

describe('a chat is found', () => {
  test('by its whole label in any letter case, the hash left out or not', () => {
    for (const name of ['#General', 'general', ' GENERAL '])
      expect(findByLabel(chats, name)).toEqual({ type: 'one', chat: general });
    expect(findByLabel(chats, 'alice (DM)')).toEqual({ type: 'one', chat: alice });
    expect(findByLabel(chats, 'gen')).toEqual({ type: 'none' });
    expect(findByLabel([...chats, otherAlice], 'alice (dm)')).toEqual({
      type: 'many',
      chats: [alice, otherAlice],
    });
  });

  test('by how its label begins, if that is one, and never by nothing', () => {
    expect(findByPrefix(chats, 'gen')).toEqual({ type: 'one', chat: general });
    expect(findByPrefix(chats, '#g')).toEqual({ type: 'many', chats: [general, gardeners] });
    expect(findByPrefix(chats, 'x')).toEqual({ type: 'none' });
    expect(findByPrefix(chats, ' # ')).toEqual({ type: 'none' });
  });
});

test('a list shows labels with ids, and counts what it leaves out', () => {
  expect(describeChats(chats.slice(0, 2))).toBe('fake:#General (fake:g1), fake:#Gardeners (fake:g2)');
  const many = Array.from({ length: 13 }, (_, index) => aChat(`n${index}`, `Room ${index}`));
  expect(describeChats(many)).toMatch(/\(fake:n9\), 3 more$/u);
});
