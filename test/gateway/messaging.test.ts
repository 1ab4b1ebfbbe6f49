import { describe, expect, test } from 'vitest';
import { after } from '../../src/core/errors.js';
import { toCorrelationId, toUserId } from '../../src/core/ids.js';
import { aMessage, anOrigin } from '../fakes/builders.js';
import { createKernel } from '../fakes/kernel.js';
import { platformError } from '../fakes/scripted-platform.js';

const caller = { origin: anOrigin({ chat: 'mine' }), user: toUserId('u1'), isOwner: true };
const signal = new AbortController().signal;
const request = (targets: string, text = 'hello', key = 'k1') => ({
  targets,
  text,
  key,
  correlation: toCorrelationId('corr'),
});

describe('messages that tools send', () => {
  test('come back with a receipt for each target', async () => {
    const { messaging, platform } = await createKernel();
    expect(await messaging.send(request('origin, fake:c2, local'), caller, { signal })).toEqual([
      { target: 'origin', state: 'sent', detail: 'p1' },
      { target: 'fake:c2', state: 'sent', detail: 'p1' },
      { target: 'local', state: 'sent', detail: 'kept here, sent nowhere' },
    ]);
    expect(platform.chat('mine').texts).toEqual(['hello']);
    expect(platform.chat('c2').texts).toEqual(['hello']);
  });

  test('name every message that a long text became', async () => {
    const { messaging } = await createKernel({ maxLength: 5 });
    expect(await messaging.send(request('origin', 'one two'), caller, { signal })).toMatchObject([
      { state: 'sent', detail: 'p1 p2' },
    ]);
  });

  test('are not sent again with the same key', async () => {
    const { messaging, platform } = await createKernel();
    await messaging.send(request('origin'), caller, { signal });
    expect(await messaging.send(request('origin'), caller, { signal })).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('sent before') },
    ]);
    expect(platform.chat('mine').texts).toEqual(['hello']);
  });

  test('say why one was refused, and the chat hears nothing of it', async () => {
    const { messaging, platform, settled } = await createKernel();
    platform.script.fail('send', platformError('unreachable-chat'));
    expect(await messaging.send(request('fake:c2'), caller, { signal })).toEqual([
      { target: 'fake:c2', state: 'failed', detail: 'scripted unreachable-chat' },
    ]);
    await settled();
    expect(platform.chat('c2').texts).toEqual([]);
  });

  test('go nowhere when one of the targets leads nowhere', async () => {
    const { messaging, platform } = await createKernel();
    expect(await messaging.send(request('origin, nowhere:c1'), caller, { signal })).toMatchObject([
      { state: 'failed', detail: expect.stringContaining("No platform is called 'nowhere'") },
    ]);
    expect(platform.chat('mine').texts).toEqual([]);
  });

  test('stay on their way when nobody waits for them any longer', async () => {
    const { messaging, platform, clock } = await createKernel();
    platform.script.fail('send', platformError('rate-limited', { retry: after(60_000) }));
    const turn = new AbortController();
    const sent = messaging.send(request('origin'), caller, { signal: turn.signal });
    await clock.waiting(60_000);
    turn.abort(new Error('stopped'));
    expect(await sent).toMatchObject([{ state: 'waiting', detail: expect.stringContaining('outbox') }]);
    await clock.advance(60_000);
    expect(platform.chat('mine').texts).toEqual(['hello']);
  });
});

describe('a check', () => {
  test('tells the own chat and the home channel from others, without sending', async () => {
    const { messaging, platform } = await createKernel({ platform: { homeChannel: 'home' } });
    expect(messaging.check('origin, fake', caller)).toEqual({ ok: true, isOwnChatOrHome: true });
    expect(messaging.check('origin, fake:c2', caller)).toEqual({ ok: true, isOwnChatOrHome: false });
    expect(messaging.check('local', caller)).toEqual({ ok: true, isOwnChatOrHome: true });
    expect(messaging.check('nowhere:c1', caller)).toMatchObject({ ok: false });
    expect(platform.chat('home').texts).toEqual([]);
  });
});

describe('messages that an operator sends', () => {
  test('need a chat that is named', async () => {
    const { gateway, platform } = await createKernel();
    const send = (targets: string) =>
      gateway.services.send({ targets, text: 'hello', key: 'k1' }, { signal });
    expect(await send('origin')).toMatchObject([
      { state: 'failed', detail: expect.stringContaining('Name a chat') },
    ]);
    expect(await send('fake:c1')).toEqual([{ target: 'fake:c1', state: 'sent', detail: 'p1' }]);
    expect(platform.chat().texts).toEqual(['hello']);
  });
});

describe('one way of writing targets', () => {
  const inGroup = (chat: string, title: string) => {
    const message = aMessage({ id: `in-${chat}`, chat, chatKind: 'group', addressed: 'mention' });
    return { ...message, origin: { ...message.origin, chatTitle: title } };
  };
  const withGroups = async () => {
    const kernel = await createKernel();
    const twins = [inGroup('g3', 'Twins'), inGroup('g4', 'twins')];
    await kernel.platform.push([inGroup('g1', 'Ops: night, weekend'), inGroup('g2', 'Ops day'), ...twins]);
    await kernel.settled();
    return kernel;
  };

  test.each([
    'fake:"#Ops: night, weekend"',
    'fake:ops: ni',
    'fake:g1',
    'fake:g1, fake:"ops: night, weekend", local',
    'fake:ops',
    'fake:nobody at all',
    'fake:"',
  ])('of %s a tool and the operator learn the same', async (targets) => {
    const { messaging, gateway } = await withGroups();
    const owner = { ...caller, isOwner: true };
    const byTool = await messaging.send(request(targets, 'hello', 'tool'), owner, { signal });
    const byOperator = await gateway.services.send({ targets, text: 'hello', key: 'cli' }, { signal });
    const facts = (deliveries: typeof byTool) =>
      deliveries.map(({ target, state, detail }) => ({ target, state, ...(state !== 'sent' && { detail }) }));
    expect(facts(byTool)).toEqual(facts(byOperator));
    expect(messaging.check(targets, owner).ok).toBe(byTool.every(({ state }) => state === 'sent'));
  });

  test('every target of the list leads to its chat, by label and by id', async () => {
    const { messaging, platform } = await withGroups();
    const known = messaging.targets({ ...caller, isOwner: true });
    expect(known.map(({ target }) => target).sort()).toEqual([
      'fake:"#Ops: night, weekend"',
      'fake:#Ops day',
      'fake:g3',
      'fake:g4',
    ]);
    for (const { target, id } of known) {
      const chat = id.replace('fake:', '');
      const before = platform.chat(chat).texts.length;
      await messaging.send(request(`${target}, ${id}`, 'hello', target), caller, { signal });
      expect(platform.chat(chat).texts).toHaveLength(before + 1);
    }
  });

  test('names of other people’s chats are told to owners only, also in errors', async () => {
    const { messaging } = await withGroups();
    const guest = { ...caller, isOwner: false };
    expect(messaging.targets(guest)).toEqual([]);
    for (const targets of ['fake:ops: ni', 'fake:"nobody at all"']) {
      const [refused] = await messaging.send(request(targets), guest, { signal });
      expect(refused?.state).toBe('failed');
      expect(refused?.detail).not.toContain('Ops');
    }
  });
});
