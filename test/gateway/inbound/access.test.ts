import { describe, expect, test } from 'vitest';
import { toChatId } from '../../../src/core/ids.js';
import { type AccessQuestions, decideAccess, isOwner } from '../../../src/gateway/inbound/access.js';
import { aMessage, aPlatform, someSettings } from '../../fakes/builders.js';

const nothing: AccessQuestions = {
  isCommand: () => false,
  isAnswer: () => false,
  isPaired: () => false,
  chatNames: ({ chat }) => [chat],
};

describe('decideAccess', () => {
  test.each([
    ['nobody is listed', {}, {}, 'stranger'],
    ['the platform lists the user', { allowedUsers: ['u1'] }, {}, 'allowed'],
    ['the platform lists everyone', { allowedUsers: ['*'] }, {}, 'allowed'],
    ['everywhere by bare id', {}, { allowedUsers: ['u1'] }, 'allowed'],
    ['everywhere by platform and id', {}, { allowedUsers: ['fake:u1'] }, 'allowed'],
    ['another platform and the same id', {}, { allowedUsers: ['other:u1'] }, 'stranger'],
    ['an owner', {}, { owners: ['fake:u1'] }, 'allowed'],
    ['an owner of another platform', {}, { owners: ['other:u1'] }, 'stranger'],
    ['the chat is listed', { allowedChats: ['c1'] }, {}, 'allowed'],
  ] as const)('with %s', (_title, platform, settings, verdict) => {
    const event = aMessage({ user: 'u1' });
    const place = aPlatform({ allowedUsers: [], ...platform });
    expect(decideAccess(event, place, someSettings(settings), nothing)).toBe(verdict);
  });

  test.each([
    ['a mention', 'mention', true, 'allowed'],
    ['a reply', 'reply', true, 'allowed'],
    ['talk among people', 'none', true, 'unaddressed'],
    ['talk where no mention is required', 'none', false, 'allowed'],
  ] as const)('answers %s in a group', (_title, addressed, requireMention, verdict) => {
    const event = aMessage({ addressed, chatKind: 'group' });
    expect(decideAccess(event, aPlatform({ requireMention }), someSettings(), nothing)).toBe(verdict);
  });

  test('answers a command in a group without a mention', () => {
    const event = aMessage({ addressed: 'none', chatKind: 'group', text: '/help' });
    const questions = { ...nothing, isCommand: (text: string) => text === '/help' };
    expect(decideAccess(event, aPlatform(), someSettings(), questions)).toBe('allowed');
  });

  test('does not let a stranger in by a mention or a command', () => {
    const event = aMessage({ user: 'u9', addressed: 'mention', chatKind: 'group', text: '/help' });
    expect(decideAccess(event, aPlatform(), someSettings(), { ...nothing, isCommand: () => true })).toBe(
      'stranger',
    );
  });

  test('lets a paired person in, on that platform only and no owner for it', () => {
    const isPaired = (platform: string, user: string) => platform === 'fake' && user === 'u9';
    const questions = { ...nothing, isPaired };
    const elsewhere = aPlatform({ id: 'other' });
    expect(decideAccess(aMessage({ user: 'u9' }), aPlatform(), someSettings(), questions)).toBe('allowed');
    expect(decideAccess(aMessage({ user: 'u9' }), elsewhere, someSettings(), questions)).toBe('stranger');
    expect(isOwner(aPlatform(), 'u9', someSettings())).toBe(false);
  });
});

describe('a chat with several ids', () => {
  test('TG-11 is admitted by any of them', () => {
    const questions = { ...nothing, chatNames: () => [toChatId('old'), toChatId('new')] };
    const event = aMessage({ user: 'u9', addressed: 'mention', chatKind: 'group' });
    for (const [chat, verdict] of [
      ['old', 'allowed'],
      ['new', 'allowed'],
      ['other', 'stranger'],
    ] as const) {
      const place = aPlatform({ allowedUsers: [], allowedChats: [chat] });
      expect(decideAccess(event, place, someSettings(), questions)).toBe(verdict);
    }
  });
});

describe('a post in a channel', () => {
  test.each([
    ['the channel is listed', { allowedChats: ['c1'] }, 'allowed'],
    ['every person is listed, but not the channel', { allowedUsers: ['*'] }, 'stranger'],
    ['nothing is listed', { allowedUsers: [] }, 'stranger'],
  ] as const)('TG-14 with %s', (_title, platform, verdict) => {
    const event = aMessage({ addressed: 'none', chatKind: 'channel' });
    const place = aPlatform({ requireMention: true, ...platform });
    expect(decideAccess(event, place, someSettings(), nothing)).toBe(verdict);
  });
});

describe('isOwner', () => {
  test('takes every listed user where no owner is named, and never a wildcard', () => {
    expect(isOwner(aPlatform({ allowedUsers: ['u1'] }), 'u1', someSettings())).toBe(true);
    expect(isOwner(aPlatform({ allowedUsers: [] }), 'u1', someSettings({ allowedUsers: ['fake:u1'] }))).toBe(
      true,
    );
    expect(isOwner(aPlatform({ allowedUsers: ['*'] }), 'u1', someSettings())).toBe(false);
  });

  test('takes only the named owners where there are any', () => {
    const settings = someSettings({ owners: ['fake:u2'] });
    expect(isOwner(aPlatform({ allowedUsers: ['u1'] }), 'u1', settings)).toBe(false);
    expect(isOwner(aPlatform(), 'u2', settings)).toBe(true);
  });
});
