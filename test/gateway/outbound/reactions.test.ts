import { describe, expect, test } from 'vitest';
import { toMessageId } from '../../../src/core/ids.js';
import { createKernel } from '../../fakes/kernel.js';
import type { TurnScript } from '../../fakes/scripted-agent.js';
import { platformError } from '../../fakes/scripted-platform.js';

const hold: TurnScript = async ({ held }) => {
  await held();
  return 'done at last';
};
const fail: TurnScript = async () => {
  throw new Error('broken');
};
const reacting = { canReact: true, platform: { reactions: true } } as const;

describe('reactions', () => {
  test('say that a message is being worked on, and what came of it', async () => {
    const { platform, settled } = await createKernel({ ...reacting, scripts: [async () => 'fine', fail] });
    await platform.say('one');
    await platform.showing('fine');
    await settled();
    await platform.say('two');
    await platform.showing('Something went wrong');
    await settled();
    expect(platform.chat().reactions).toEqual([
      { message: 'm1', reaction: 'working' },
      { message: 'm1', reaction: 'done' },
      { message: 'm2', reaction: 'working' },
      { message: 'm2', reaction: 'failed' },
    ]);
  });

  test('go when the turn is stopped', async () => {
    const { platform, settled } = await createKernel({ ...reacting, scripts: [hold] });
    await platform.say('one');
    await settled();
    await platform.say('/stop');
    await platform.showing('Stopped');
    await settled();
    expect(platform.chat().reactions).toEqual([
      { message: 'm1', reaction: 'working' },
      { message: 'm1', reaction: undefined },
    ]);
  });

  test('go when the gateway stops in the middle of the turn', async () => {
    const { platform, settled, stop } = await createKernel({ ...reacting, scripts: [hold] });
    await platform.say('one');
    await settled();
    await stop();
    expect(platform.chat().reactions.at(-1)).toEqual({ message: 'm1', reaction: undefined });
  });

  test('that fail disturb nothing and leave no trace in the log', async () => {
    const { platform, settled, logger } = await createKernel(reacting);
    platform.script.fail('react', platformError('refused'), { times: 2 });
    await platform.say('one');
    await platform.showing('echo: one');
    await settled();
    expect(platform.chat().reactions).toEqual([]);
    const lines = logger.lines.filter(({ message }) => message === 'reaction failed');
    expect(lines.map(({ level }) => level)).toEqual(['debug', 'debug']);
  });

  test('one that hangs holds no answer up', async () => {
    const { platform } = await createKernel(reacting);
    const held = platform.script.hold('react');
    await platform.say('one');
    await held.reached;
    await platform.showing('echo: one');
    held.release();
    await platform.until(() => platform.chat().reactions.length === 2);
    expect(platform.chat().reactions.at(-1)).toEqual({ message: toMessageId('m1'), reaction: 'done' });
  });

  test('are off unless the settings say otherwise', async () => {
    const { platform, settled } = await createKernel({ canReact: true });
    await platform.say('one');
    await platform.showing('echo: one');
    await settled();
    expect(platform.chat().reactions).toEqual([]);
  });
});
