import { describe, expect, test } from 'vitest';
import { toCorrelationId, toUserId } from '../../../src/core/ids.js';
import { Questions } from '../../../src/gateway/questions/questions.js';
import { createSpeaker } from '../../../src/gateway/speaker.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aMessage, anOrigin, aPress } from '../../fakes/builders.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { createKernel } from '../../fakes/kernel.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';

const queue = 'what you write while I work waits until I am done';
const interrupt = 'what you write while I work ends that work';

const labels = (platform: ScriptedPlatform): readonly string[] =>
  platform.chat().messages.flatMap(({ choices }) => choices?.map(({ label }) => label) ?? []);

const pressed = async (platform: ScriptedPlatform, count: number): Promise<void> => {
  await platform.until(() => platform.acknowledged.length >= count);
};

describe('choices as buttons', () => {
  test('a press runs the command, and its answer takes the place of the buttons', async () => {
    const { platform } = await createKernel({ canChoose: true });
    await platform.say('/busy');
    await platform.showing('Or rather');
    expect(labels(platform)).toHaveLength(3);
    expect(platform.chat().texts[0]).not.toContain('1.');
    await platform.press(queue);
    await platform.showing(`From now on in this chat: ${queue}`);
    expect(platform.acknowledged).toEqual([undefined]);
    expect(platform.chat().messages).toHaveLength(1);
    expect(labels(platform)).toEqual([]);
  });

  test('the first press counts, a later one is told what was chosen', async () => {
    const { platform } = await createKernel({ canChoose: true });
    await platform.say('/busy');
    await platform.showing('Or rather');
    const held = platform.script.hold('edit');
    await platform.press(queue);
    await held.reached;
    await platform.press(interrupt);
    await pressed(platform, 2);
    expect(platform.acknowledged).toEqual([undefined, `This was answered already: ${queue}`]);
    held.release();
    await platform.showing(`From now on in this chat: ${queue}`);
  });

  test('nobody chooses for somebody else', async () => {
    const { platform } = await createKernel({
      canChoose: true,
      platform: { allowedUsers: ['u1', 'u2'] },
      settings: { owners: ['fake:u1', 'fake:u2'] },
    });
    await platform.say('/busy', { chatKind: 'group' });
    await platform.showing('Or rather');
    await platform.press(queue, { user: 'u2', chatKind: 'group' });
    await pressed(platform, 1);
    await platform.press(queue, { user: 'u3', chatKind: 'group' });
    await pressed(platform, 2);
    expect(platform.acknowledged).toEqual([
      'Only the person who was asked can choose here.',
      'You may not choose here.',
    ]);
    await platform.press(interrupt, { chatKind: 'group' });
    await platform.showing(`From now on in this chat: ${interrupt}`);
  });

  test('a press after a restart counts, one after a day comes too late', async () => {
    const kernel = await createKernel({ canChoose: true });
    await kernel.platform.say('/busy');
    await kernel.platform.showing('Or rather');
    await kernel.platform.say('/busy', { chat: 'c2' });
    await kernel.platform.showing('Or rather', 'c2');
    await kernel.settled();
    await kernel.restartAfterKill();
    const { platform, clock } = kernel;
    await platform.press(queue);
    await platform.showing(`From now on in this chat: ${queue}`);
    await clock.advance(25 * 3_600_000);
    await platform.press(queue, { chat: 'c2' });
    await pressed(platform, 2);
    expect(platform.acknowledged[1]).toBe('It is too late for that. Please ask anew.');
    expect(platform.chat('c2').texts).toHaveLength(1);
  });

  test('a press that a kill cut short does what was chosen, once', async () => {
    const kernel = await createKernel({ canChoose: true });
    await kernel.platform.say('/busy');
    await kernel.platform.showing('Or rather');
    const held = kernel.platform.script.hold('edit');
    await kernel.platform.press(queue);
    await held.reached;
    await kernel.restartAfterKill();
    await kernel.platform.showing(`From now on in this chat: ${queue}`);
    expect(kernel.platform.chat().messages).toHaveLength(1);
  });

  test('what no question ever had is not known, nor a question of another chat', async () => {
    const { platform } = await createKernel({ canChoose: true });
    await platform.say('/busy');
    await platform.showing('Or rather');
    const [token = ''] = platform.chat().messages[0]?.choices?.map((one) => one.token) ?? [];
    expect(Buffer.byteLength(token)).toBeLessThanOrEqual(40);
    const strays = [
      aPress({ id: 'x1', token: 'nonsense', message: 'p1' }),
      aPress({ id: 'x2', token: `${token}9`, message: 'p1' }),
      aPress({ id: 'x3', token: '', message: 'p1' }),
      aPress({ id: 'x4', token, message: 'p1', chat: 'c2' }),
    ];
    await platform.push(strays);
    await pressed(platform, strays.length);
    const unknown = 'I no longer know this question. Please ask anew.';
    expect(platform.acknowledged).toEqual(strays.map(() => unknown));
    expect(platform.chat('c2').texts).toEqual([]);
  });

  test('a press whose acknowledgement fails counts all the same', async () => {
    const { platform } = await createKernel({ canChoose: true });
    await platform.say('/busy');
    await platform.showing('Or rather');
    platform.script.fail('acknowledge', new Error('too old'));
    await platform.press(queue);
    await platform.showing(`From now on in this chat: ${queue}`);
  });
});

describe('choices as a numbered list', () => {
  test('a bare number chooses, anything else is ordinary text', async () => {
    const { platform, agent } = await createKernel();
    await platform.say('/busy');
    await platform.showing(`2. ${queue}\n3. ${interrupt}\n\nAnswer with the number.`);
    await platform.say(' 2. ');
    await platform.showing(`From now on in this chat: ${queue}`);
    expect(agent.inputs).toEqual([]);
    await platform.say('2');
    await platform.showing('echo: 2');
  });

  test('a number that the list does not have, one from somebody else, and one after other words are text', async () => {
    const { platform } = await createKernel({ platform: { allowedUsers: ['u1', 'u2'] } });
    await platform.say('/busy');
    await platform.showing('Answer with the number');
    await platform.say('1', { user: 'u2' });
    await platform.showing('echo: 1');
    await platform.say('what is that?');
    await platform.showing('echo: what is that?');
    await platform.say('3');
    await platform.showing('echo: 3');
    await platform.say('/busy');
    await platform.until(() => platform.chat().texts.length === 5);
    await platform.say('7');
    await platform.showing('echo: 7');
  });

  test('in a group the number needs no mention', async () => {
    const { platform, agent } = await createKernel({ settings: { owners: ['fake:u1'] } });
    const group = { chatKind: 'group', addressed: 'none' } as const;
    await platform.say('3', group);
    await platform.say('/busy', group);
    await platform.showing('Answer with the number');
    await platform.say('3', group);
    await platform.showing(`From now on in this chat: ${interrupt}`);
    expect(agent.inputs).toEqual([]);
  });

  test('a number after a restart still answers', async () => {
    const kernel = await createKernel();
    await kernel.platform.say('/busy');
    await kernel.platform.showing('Answer with the number');
    await kernel.restartAfterKill();
    await kernel.platform.say('2');
    await kernel.platform.showing(`From now on in this chat: ${queue}`);
  });
});

const createBench = (canChoose: boolean) => {
  const clock = new ManualClock();
  const stores = createMemoryStores();
  const platform = new ScriptedPlatform({ clock, canChoose });
  const ids = createCountingIds();
  const logger = new MemoryLogger();
  const persist = <T>(work: () => Promise<T>): Promise<T> => work();
  const options = { signal: new AbortController().signal };
  const speaker = createSpeaker({
    outbox: stores.outbox,
    persist,
    compose: { ids, clock, redact: (text) => text },
    attach: () => Promise.reject(new Error('nothing is attached here')),
    release: async () => undefined,
    adapterFor: () => platform,
    dispatch: (rows) => {
      for (const { route, encoded, edits, idempotencyKey } of rows) {
        if (edits === undefined) void platform.send({ route, encoded, idempotencyKey }, options);
        else void platform.editing?.edit({ route, encoded, message: edits }, options);
      }
    },
    outcome: async () => ({ state: 'sent', receipt: { messages: [], sentAt: 0 } }),
  });
  const start = () =>
    new Questions({
      store: stores.questions,
      persist,
      clock,
      ids,
      logger,
      speaker,
      adapterFor: () => platform,
      firstPlace: (place) => place,
      isOwner: () => false,
      sentBefore: (key) => stores.outbox.keyed(key),
      callSignal: options.signal,
    });
  const asking = {
    route: anOrigin(),
    key: 'turn/1/call/2',
    text: 'May I?',
    options: [
      { label: 'Yes', value: 'allow' },
      { label: 'No', value: 'deny' },
    ],
    user: toUserId('u1'),
    cause: { kind: 'notice' },
    correlation: toCorrelationId('corr'),
    timeoutMs: 30_000,
  } as const;
  const tokenOf = (label: string): string =>
    platform.chat().messages[0]?.choices?.find((one) => one.label === label)?.token ?? '';
  return { clock, platform, stores, start, asking, tokenOf };
};

const never = { signal: new AbortController().signal };

describe('asking and waiting', () => {
  test('gives what was pressed, and the message says it', async () => {
    const { platform, start, asking, tokenOf } = createBench(true);
    const questions = start();
    const answer = questions.ask(asking, never);
    await platform.showing('May I?');
    const press = aPress({ token: tokenOf('No'), message: 'p1' });
    expect(await questions.take(press)).toEqual({ kind: 'settled' });
    expect(await answer).toMatchObject({ kind: 'answered', value: 'deny' });
    expect(platform.chat().messages).toMatchObject([{ text: 'May I?\n\n✓ No', earlier: ['May I?'] }]);
    expect(labels(platform)).toEqual([]);
  });

  test('gives what a number says, and other words close nothing', async () => {
    const { platform, start, asking } = createBench(false);
    const questions = start();
    const answer = questions.ask(asking, never);
    await platform.showing('2. No');
    questions.onOther(aMessage({ text: 'hurry up' }));
    const number = aMessage({ id: 'm2', text: '1' });
    expect(questions.isAnswer(number)).toBe(true);
    expect(await questions.take(number)).toEqual({ kind: 'settled' });
    expect(await answer).toMatchObject({ kind: 'answered', value: 'allow' });
    expect(questions.isAnswer(aMessage({ id: 'm3', text: '1' }))).toBe(false);
  });

  test('ends without an answer when the time is over, and a late press is told so', async () => {
    const { clock, platform, start, asking, tokenOf } = createBench(true);
    const questions = start();
    const answer = questions.ask(asking, never);
    await platform.showing('May I?');
    await clock.advance(30_000);
    expect(await answer).toEqual({ kind: 'timed-out' });
    await questions.take(aPress({ token: tokenOf('Yes'), message: 'p1' }));
    expect(platform.acknowledged).toEqual(['It is too late for that. Please ask anew.']);
  });

  test('an abort ends it with its reason, and nobody can answer any more', async () => {
    const { platform, start, asking, tokenOf } = createBench(true);
    const questions = start();
    const stop = new AbortController();
    const answer = questions.ask(asking, { signal: stop.signal });
    await platform.showing('May I?');
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await questions.take(aPress({ token: tokenOf('Yes'), message: 'p1' }));
    expect(platform.acknowledged).toEqual(['It is too late for that. Please ask anew.']);
  });

  test('asked again after a restart it is shown once and takes the answer that was given meanwhile', async () => {
    const { platform, start, asking, tokenOf } = createBench(true);
    void start().ask(asking, never);
    await platform.showing('May I?');
    const second = start();
    await second.load();
    await second.take(aPress({ token: tokenOf('Yes'), message: 'p1' }));
    expect(await second.ask(asking, never)).toMatchObject({ kind: 'answered', value: 'allow' });
    expect(platform.chat().messages).toHaveLength(1);
  });
});
