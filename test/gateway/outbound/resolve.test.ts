import { describe, expect, test } from 'vitest';
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
