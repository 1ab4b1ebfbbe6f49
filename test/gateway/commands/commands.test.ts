import { describe, expect, test } from 'vitest';
import { commands, findCommand } from '../../../src/gateway/commands/index.js';
import { createKernel } from '../../fakes/kernel.js';
import type { TurnScript } from '../../fakes/scripted-agent.js';

const hold: TurnScript = async ({ held }) => {
  await held();
  return 'done at last';
};

describe('the commands', () => {
  test('have names that fit every menu, one each, and a description', () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, description } of commands) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,31}$/u);
      expect(description.length).toBeGreaterThan(2);
      expect(findCommand(name)?.name).toBe(name);
    }
    expect(findCommand('nonsense')).toBeUndefined();
  });

  test('/help lists all of them', async () => {
    const { platform } = await createKernel();
    await platform.say('/help');
    await platform.showing('/help');
    const [help = ''] = platform.chat().texts;
    for (const { name, description } of commands) expect(help).toContain(`/${name} – ${description}`);
  });

  test('/start greets by name, and names the demo where no model is connected', async () => {
    const { platform } = await createKernel();
    await platform.say('/start');
    await platform.showing('Hello User u1!');
    expect(platform.chat().texts.join()).not.toContain('demo');
    const model = { provider: 'offline', name: 'offline', isDemo: true };
    const demo = await createKernel({ settings: { model } });
    await demo.platform.say('/start');
    await demo.platform.showing('a scripted demo answers');
  });

  test('/status tells an owner of the platforms and of trouble, and others only of their own session', async () => {
    const { platform } = await createKernel({
      platform: { allowedUsers: ['u1', 'u2'] },
      settings: { owners: ['fake:u1'] },
    });
    await platform.say('/status');
    await platform.showing('Fake: connected');
    await platform.showing('I am idle');
    await platform.say('/status', { user: 'u2', chat: 'c2' });
    await platform.showing('I am idle', 'c2');
    expect(platform.chat('c2').texts.join()).not.toContain('Fake');
  });

  test('/stop says what it stopped and dropped, and that there was nothing', async () => {
    const { platform } = await createKernel({ platform: { busy: 'queue' }, scripts: [hold] });
    await platform.say('/stop');
    await platform.showing('There is nothing to stop.');
    await platform.say('one');
    await platform.say('two');
    await platform.say('/stop');
    await platform.showing('Stopped. One waiting message was dropped');
  });

  test('/new stops what runs and begins a conversation that knows nothing of the one before', async () => {
    const { platform, agent } = await createKernel({ scripts: [async () => 'noted', hold] });
    await platform.say('my name is Quirinius');
    await platform.showing('noted');
    await platform.say('work');
    await platform.say('/new');
    await platform.showing('Stopped. This is a new conversation');
    await platform.say('who am I?');
    await platform.showing('echo: who am I?');
    expect(agent.inputs.at(-1)?.history).toMatchObject([{ text: 'who am I?' }]);
  });
});
