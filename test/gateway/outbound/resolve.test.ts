import { describe, expect, test } from 'vitest';
import type { KnownChat } from '../../../src/core/directory.js';
import { toAccountId, toChatId, toPlatformId } from '../../../src/core/ids.js';
import { labelTarget } from '../../../src/gateway/directory/labels.js';
import {
  isOwnChatOrHome,
  type ResolveContext,
  resolveTargets,
} from '../../../src/gateway/outbound/resolve.js';
import { anOrigin, aPlatform } from '../../fakes/builders.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';

const context: ResolveContext = {
  platforms: [
    { platform: aPlatform({ homeChannel: 'home' }), adapter: new ScriptedPlatform() },
    {
      platform: aPlatform({ id: 'mute', title: 'Mute', variables: { home_channel: 'MUTE_HOME' } }),
      adapter: new ScriptedPlatform({ id: 'mute' }),
    },
    { platform: aPlatform({ id: 'broken', title: 'Broken', homeChannel: 'home' }), adapter: undefined },
  ],
  offPlatforms: [{ id: 'off', title: 'Off', advice: 'Set OFF_TOKEN.' }],
};
const origin = anOrigin({ chat: 'mine', thread: 't1' });

const leads = (text: string) => {
  const resolution = resolveTargets(text, { ...context, origin });
  return resolution.ok ? resolution.targets.map(({ route }) => route?.chat) : resolution.problem;
};

describe('resolveTargets', () => {
  test('leads to chats by id, to the home channel, to the origin with its thread, and nowhere', () => {
    expect(leads('fake:c1, fake, origin, local')).toEqual(['c1', 'home', 'mine', undefined]);
    const resolution = resolveTargets('origin', { ...context, origin });
    expect(resolution).toMatchObject({
      targets: [{ target: 'origin', route: { chat: 'mine', thread: 't1' } }],
    });
  });

  test('serves a chat once that is named twice', () => {
    expect(leads('fake:home, fake, fake:"home"')).toEqual(['home']);
  });

  test('serves nobody when one of several leads nowhere', () => {
    expect(leads('fake:c1, nowhere:c2')).toContain("No platform is called 'nowhere'");
  });

  test.each([
    ['nowhere', "No platform is called 'nowhere'. Enabled are: fake, mute, broken"],
    ['off', 'Off is off. Set OFF_TOKEN.'],
    ['off:c1', 'Off is off. Set OFF_TOKEN.'],
    ['mute', 'Mute has no home channel. Set MUTE_HOME (or platforms.mute.home_channel)'],
    ['broken', 'Broken is not in service'],
    ['broken:c1', 'Broken is not in service'],
    ['fake:"no such label"', 'fake'],
    ['', 'The target is empty'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(leads(text)).toEqual(expect.stringContaining(problem));
  });

  test('knows no origin of an operator', () => {
    expect(resolveTargets('origin', context)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('Name a chat'),
    });
  });
});

describe('isOwnChatOrHome', () => {
  const own = { ...context, origin };

  test('holds for the chat of the request and for home channels', () => {
    expect(isOwnChatOrHome(anOrigin({ chat: 'mine', thread: 't1' }), own)).toBe(true);
    expect(isOwnChatOrHome(anOrigin({ chat: 'home' }), own)).toBe(true);
  });

  test('holds for no other chat, topic or platform', () => {
    expect(isOwnChatOrHome(anOrigin({ chat: 'mine' }), own)).toBe(false);
    expect(isOwnChatOrHome(anOrigin({ chat: 'home', thread: 't1' }), own)).toBe(false);
    expect(isOwnChatOrHome(anOrigin({ chat: 'home', platform: 'mute' }), own)).toBe(false);
    expect(isOwnChatOrHome(anOrigin({ chat: 'mine', thread: 't1' }), context)).toBe(false);
  });
});

describe('chats by name', () => {
  const aChat = (chat: string, title: string, kind: KnownChat['kind'] = 'group'): KnownChat => ({
    platform: toPlatformId('fake'),
    account: toAccountId('bot'),
    chat: toChatId(chat),
    kind,
    title,
    seenAt: 0,
  });
  const chats = [
    aChat('1', 'General'),
    aChat('2', 'Ops: night, weekend'),
    aChat('3', 'Support'),
    aChat('4', 'Support EU'),
    aChat('5', 'Alice', 'direct'),
    aChat('6', 'Bob "the" Builder', 'direct'),
    aChat('7', 'Twins'),
    aChat('8', 'twins'),
    aChat('9', '10'),
  ];
  const named: ResolveContext = {
    platforms: [
      {
        platform: aPlatform({
          parseAddress: (name) => (/^\d+$/.test(name) ? { chat: toChatId(name) } : undefined),
        }),
        adapter: new ScriptedPlatform(),
      },
    ],
    chats,
  };
  const find = (text: string) => {
    const resolution = resolveTargets(text, named);
    return resolution.ok ? resolution.targets.map(({ route }) => route?.chat) : resolution.problem;
  };

  test.each([
    ['an id', 'fake:1', ['1']],
    ['an id that nobody has written in', 'fake:77', ['77']],
    ['a label in any letter case', 'fake:#GENERAL', ['1']],
    ['a label without its sign', 'fake:general', ['1']],
    ['a quoted label with comma and colon', 'fake:"#Ops: night, weekend"', ['2']],
    ['a label with a colon', 'fake:#ops: night', ['2']],
    ['a whole label before one that begins like it', 'fake:support', ['3']],
    ['the beginning that only one has', 'fake:support e', ['4']],
    ['a private chat', 'fake:"Alice (dm)"', ['5']],
    ['the beginning of a private chat', 'fake:ali', ['5']],
    ['a label with quotes', 'fake:"Bob \\"the\\" Builder (dm)"', ['6']],
    ['an id before a label that looks like one', 'fake:10', ['10']],
    ['in quotes the label that looks like an id', 'fake:"10"', ['9']],
    ['a list of all kinds', 'fake:general, fake:"#Ops: night, weekend",fake:5', ['1', '2', '5']],
  ])('%s', (_, target, expected) => {
    expect(find(target)).toEqual(expected);
  });

  test.each([
    ['fake:supp', ['fake:#Support (fake:3)', 'fake:#Support EU (fake:4)']],
    ['fake:twins', ['fake:#Twins (fake:7)', 'fake:#twins (fake:8)']],
    ['fake:"nobody"', ['fake:#General (fake:1)', 'fake:"Alice (dm)" (fake:5)']],
  ])('%s is an error with the candidates', (target, candidates) => {
    for (const candidate of candidates) expect(find(target)).toContain(candidate);
  });

  test('every target that a candidate is listed by leads to it', () => {
    for (const chat of chats.filter(({ title }) => !/twins/i.test(title)))
      expect(find(labelTarget(chat))).toEqual([chat.chat]);
  });
});
