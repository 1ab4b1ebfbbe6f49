import { describe, expect, test } from 'vitest';
import { type MessageId, toMessageId } from '../../../src/core/ids.js';
import type { InboundAction, InboundEdit } from '../../../src/core/inbound.js';
import { aMessage } from '../../fakes/builders.js';
import { createKernel } from '../../fakes/kernel.js';
import type { TurnScript } from '../../fakes/scripted-agent.js';
import { storeBroken } from '../../fakes/unreliable.js';

const hold: TurnScript = async ({ held }) => {
  await held();
  return 'done at last';
};

const anEdit = (message: MessageId, text: string): InboundEdit => {
  const { message: _message, sentAt: _sentAt, replyTo: _replyTo, ...base } = aMessage({ text });
  return { ...base, type: 'edit', message, dedupeKey: `edit/${message}/${text}` };
};

const aStop = (id: string): InboundAction => {
  const { dedupeKey: _key, correlation, origin, sender, receivedAt } = aMessage();
  return { type: 'action', action: 'stop', dedupeKey: id, correlation, origin, sender, receivedAt };
};

const historyTexts = (input: { readonly history: readonly { readonly text: string }[] } | undefined) =>
  input?.history.map(({ text }) => text);

describe('what arrives', () => {
  test('right after /new belongs to the new conversation', async () => {
    const { platform, agent } = await createKernel({ scripts: [hold] });
    await platform.say('before');
    await platform.push([aMessage({ id: 'n1', text: '/new' }), aMessage({ id: 'n2', text: 'after' })]);
    await platform.showing('echo: after');
    expect(historyTexts(agent.inputs.at(-1))).toEqual(['after']);
    expect(agent.inputs[0]?.session).not.toBe(agent.inputs[1]?.session);
  });

  test('as a command is answered beside a running turn', async () => {
    const { platform, agent } = await createKernel({ scripts: [hold] });
    await platform.say('work');
    await platform.say('/status');
    await platform.showing('I am working on an answer');
    expect(agent.inputs).toHaveLength(1);
    agent.release();
    await platform.showing('done at last');
  });

  test('as an unknown command is told so, and a path is a message', async () => {
    const { platform } = await createKernel();
    await platform.say('/nonsense');
    await platform.showing('I do not know /nonsense');
    await platform.say('/etc/hosts is a file');
    await platform.showing('echo: /etc/hosts is a file');
  });

  test('as a command that breaks is told so, and is not left to be done again', async () => {
    const { platform, stores, kept, settled } = await createKernel();
    stores.outbox.fail('counts', storeBroken());
    await platform.say('/status');
    await platform.showing('this was not done');
    await settled();
    expect(await kept.inbox.unfinished()).toEqual([]);
  });

  test('as a forwarded command is somebody else’s words', async () => {
    const { platform, agent } = await createKernel();
    await platform.push([{ ...aMessage({ id: 'f1', text: '/new' }), isForwarded: true }]);
    await platform.showing('echo: /new');
    expect(agent.inputs).toHaveLength(1);
  });

  test('as an edit changes a message that still waits, and nothing of one that does not', async () => {
    const { platform, agent, kept, settled } = await createKernel({
      platform: { busy: 'queue' },
      scripts: [hold],
    });
    await platform.say('one');
    await platform.say('tow', { id: 'm2' });
    await platform.push([anEdit(toMessageId('m2'), 'two'), anEdit(toMessageId('m1'), 'eleven')]);
    agent.release();
    await platform.showing('echo: two');
    await platform.push([anEdit(toMessageId('m2'), 'twelve')]);
    await settled();
    expect(agent.inputs).toHaveLength(2);
    expect(historyTexts(agent.inputs[1])).toEqual(['one', 'done at last', 'two']);
    expect(await kept.inbox.unfinished()).toEqual([]);
  });

  test('as an edit of a waiting message leaves it its acknowledgement', async () => {
    const { platform, agent, clock } = await createKernel({ platform: { busy: 'queue' }, scripts: [hold] });
    await platform.say('one');
    await platform.say('tow', { id: 'm2' });
    await platform.push([anEdit(toMessageId('m2'), 'two')]);
    await clock.advance(1_000);
    await platform.showing('Your message is next');
    agent.release();
    await platform.showing('echo: two');
  });

  test('as a stop ends the turn and tells how many waiting messages it dropped', async () => {
    const { platform, kept, agent, settled } = await createKernel({
      platform: { busy: 'queue' },
      scripts: [hold],
    });
    await platform.say('one');
    await platform.say('two');
    await platform.say('three');
    await platform.push([aStop('s1')]);
    await platform.showing('2 waiting messages were dropped');
    await settled();
    expect(agent.inputs).toHaveLength(1);
    expect(await kept.inbox.unfinished()).toEqual([]);
    expect(await kept.turns.interrupted()).toEqual([]);
  });

  test('as a stop says nothing where it dropped nothing', async () => {
    const { platform, settled } = await createKernel({ scripts: [hold] });
    await platform.say('one');
    await platform.push([aStop('s1')]);
    await platform.say('two');
    await platform.showing('echo: two');
    await settled();
    expect(platform.chat().texts).toEqual(['echo: two']);
  });

  test('beyond two hundred waiting messages is refused, and its sender is told once', async () => {
    const { platform, agent, settled } = await createKernel({ platform: { busy: 'queue' }, scripts: [hold] });
    await platform.say('first');
    await platform.push(
      Array.from({ length: 205 }, (_, index) => aMessage({ id: `w${index}`, text: `w${index}` })),
    );
    await settled();
    expect(platform.chat().texts.filter((text) => text.includes('I take no more'))).toHaveLength(1);
    agent.release();
    await platform.showing('done at last');
    await platform.until(() => agent.inputs.length === 2);
    await platform.showing('w199');
    expect(JSON.stringify(agent.inputs[1]?.history)).not.toContain('w200');
  });
});
