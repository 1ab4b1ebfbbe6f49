import { describe, expect, test } from 'vitest';
import { toMessageId } from '../../../src/core/ids.js';
import { createKernel } from '../../fakes/kernel.js';
import { platformError } from '../../fakes/scripted-platform.js';
import { diskFull, storeBroken } from '../../fakes/unreliable.js';

const failureText = 'Something went wrong';

describe('a turn', () => {
  test('answers what was asked and leaves nothing to be done', async () => {
    const { platform, kept, agent, settled } = await createKernel();
    await platform.say('hello');
    await platform.showing('echo: hello');
    await settled();
    expect(platform.chat().texts).toEqual(['echo: hello']);
    expect(agent.inputs).toMatchObject([{ history: [{ role: 'user', text: 'hello' }], openCalls: [] }]);
    expect(await kept.inbox.unfinished()).toEqual([]);
    expect(await kept.turns.interrupted()).toEqual([]);
    expect(await kept.outbox.unfinished()).toEqual([]);
  });

  test('and its input are one write: until it is stored, nothing of it is, and nothing leaves', async () => {
    const { platform, stores, kept, agent, clock } = await createKernel();
    stores.turns.fail('begin', diskFull());
    await platform.say('hello');
    await clock.waiting(500);
    await clock.advance(499);
    expect(platform.chat().texts).toEqual([]);
    expect(await kept.outbox.unfinished()).toEqual([]);
    expect(await kept.inbox.unfinished()).toMatchObject([{ event: { message: 'm1' } }]);
    expect(await kept.turns.interrupted()).toEqual([]);
    await clock.advance(1);
    await platform.showing('echo: hello');
    expect(agent.inputs).toHaveLength(1);
  });

  test('that can never be stored is apologised for, and tried again at the next start', async () => {
    const { platform, stores, kept, logger, settled } = await createKernel();
    stores.turns.fail('begin', storeBroken(), Number.POSITIVE_INFINITY);
    await platform.say('hello');
    await settled();
    expect(logger.text(['error'])).toContain('the database is damaged');
    expect(platform.chat().texts).toEqual([expect.stringContaining('Something went wrong')]);
    expect(await kept.inbox.unfinished()).toMatchObject([{ event: { message: 'm1' } }]);
  });

  test('that no prompt can be made for is apologised for, and the next message is answered', async () => {
    const { platform, agent, kept, settled } = await createKernel();
    agent.setSystemPrompt(() => Promise.reject(new Error('EISDIR: illegal operation on a directory')));
    await platform.say('hello');
    await platform.showing('Something went wrong');
    await settled();
    expect(await kept.inbox.unfinished()).toEqual([]);
    agent.setSystemPrompt(async () => 'system');
    await platform.say('and now?');
    await platform.showing('echo: and now?');
  });

  test('runs no tool until it is stored', async () => {
    const { platform, stores, clock } = await createKernel({
      scripts: [
        async ({ step }) => {
          await step('I write it down.', async () => undefined);
          return 'Done.';
        },
      ],
    });
    stores.turns.fail('begin', diskFull());
    await platform.say('hello');
    await clock.waiting(500);
    await clock.advance(499);
    expect(platform.chat().texts).toEqual([]);
    await clock.advance(1);
    await platform.showing('Done.');
    expect(platform.chat().texts).toEqual(['I write it down.', 'Done.']);
  });

  test('ends, with its answer and its deliveries, in one write', async () => {
    const { platform, stores, kept, clock, agent } = await createKernel();
    stores.turns.fail('end', diskFull());
    await platform.say('hello');
    await clock.waiting(500);
    expect(await kept.outbox.unfinished()).toEqual([]);
    expect(await kept.turns.interrupted()).toHaveLength(1);
    await clock.advance(500);
    await platform.showing('echo: hello');
    expect(await kept.turns.interrupted()).toEqual([]);
    expect(agent.inputs).toHaveLength(1);
  });

  test('that breaks unexpectedly says so, ends, and the next message is answered', async () => {
    const { platform, kept, logger } = await createKernel({
      scripts: [() => Promise.reject(new TypeError('x is not a function'))],
    });
    await platform.say('hello');
    await platform.showing(failureText);
    expect(await kept.turns.interrupted()).toEqual([]);
    expect(logger.text(['error'])).toContain('x is not a function');
    await platform.say('and now?');
    await platform.showing('echo: and now?');
  });

  test('whose history cannot be read says so and ends', async () => {
    const { platform, stores, kept } = await createKernel();
    stores.sessions.fail('messages', storeBroken());
    await platform.say('hello');
    await platform.showing(failureText);
    expect(await kept.turns.interrupted()).toEqual([]);
  });

  test('sends the text of a step before its calls and the answer after them', async () => {
    const { platform } = await createKernel({
      scripts: [
        async ({ step }) => {
          await step('I write it down.', () => platform.showing('I write it down.'));
          return 'Done.';
        },
      ],
    });
    await platform.say('write');
    await platform.showing('Done.');
    expect(platform.chat().texts).toEqual(['I write it down.', 'Done.']);
  });

  test('takes in, between two steps, what its person wrote meanwhile', async () => {
    const joined: string[] = [];
    const { platform, kept, agent, settled } = await createKernel({
      scripts: [
        async ({ step, held }) => {
          joined.push(...(await step('', held)).map(({ text }) => text));
          return 'about both';
        },
      ],
    });
    await platform.say('one');
    await settled();
    expect(agent.heldCount).toBe(1);
    await platform.say('two');
    agent.release();
    await platform.showing('about both');
    expect(joined).toEqual(['two']);
    expect(agent.inputs).toHaveLength(1);
    expect(await kept.inbox.unfinished()).toEqual([]);
  });

  test('quotes in a group what it answers, and nothing in a private chat', async () => {
    const { platform } = await createKernel();
    await platform.say('in the group', { chat: 'g1', chatKind: 'group', addressed: 'mention', id: 'q1' });
    await platform.showing('in the group', 'g1');
    await platform.say('in private');
    await platform.showing('in private');
    expect(platform.chat('g1').messages[0]?.replyTo).toBe('q1');
    expect(platform.chat().messages[0]?.replyTo).toBeUndefined();
  });

  test('tells what it was stopped at and marks it as unfinished', async () => {
    const { platform } = await createKernel({
      scripts: [
        async ({ type, held }) => {
          type('a long story');
          await held();
          return 'never said';
        },
      ],
    });
    await platform.say('tell');
    await platform.say('/stop');
    await platform.showing('(stopped)');
    await platform.showing('Stopped.');
    expect(platform.chat().texts.join('\n')).toContain('a long story …');
    expect(platform.chat().texts.join('\n')).not.toContain('never said');
  });
});

describe('a suspended turn', () => {
  test('records nothing after the suspension, and the suspension was no attempt', async () => {
    const world = await createKernel({
      scripts: [
        async ({ step, held, journal, signal }) => {
          await step('first step');
          await held().catch(() => undefined);
          await journal.step({ role: 'assistant', text: 'after the suspension', toolCalls: [] });
          throw signal.reason;
        },
      ],
    });
    await world.platform.say('work');
    await world.platform.showing('first step');
    await world.stop();
    const [turn] = await world.kept.turns.interrupted();
    expect(turn?.attempts).toBe(0);
    await world.restartAfterKill();
    await world.platform.showing('echo: work');
    expect(world.platform.chat().texts).toEqual(['first step', 'echo: work']);
    expect(JSON.stringify(world.agent.inputs.at(-1)?.history)).not.toContain('after the suspension');
  });
});

describe('an interrupted turn', () => {
  test('is taken up with the calls that it left open', async () => {
    const world = await createKernel({ scripts: [async ({ step, held }) => `${await step('', held)}`] });
    await world.platform.say('work');
    await world.clock.advance(0);
    expect(world.agent.heldCount).toBe(1);
    await world.restartAfterKill();
    await world.platform.showing('echo: work');
    expect(world.agent.inputs.at(-1)?.openCalls).toMatchObject([{ isBegun: true, category: 'write' }]);
    expect(world.agent.inputs[0]?.turn).toBe(world.agent.inputs[1]?.turn);
    expect(world.platform.chat().texts).toEqual(['echo: work']);
  });

  test('is given up after three attempts, and its person is told', async () => {
    const hang = async ({ held }: { held(): Promise<void> }) => {
      await held();
      return 'never';
    };
    const world = await createKernel({ scripts: [hang, hang, hang] });
    await world.platform.say('the poisoned question');
    await world.clock.advance(0);
    await world.restartAfterKill();
    await world.clock.advance(0);
    await world.restartAfterKill();
    await world.clock.advance(0);
    expect(world.agent.inputs).toHaveLength(3);
    await world.restartAfterKill();
    await world.platform.showing('interrupted 3 times');
    expect(world.agent.inputs).toHaveLength(3);
    expect(await world.kept.turns.interrupted()).toEqual([]);
    await world.platform.say('something else');
    await world.platform.showing('echo: something else');
  });

  test('lets its answer take over the preview that the kill left standing', async () => {
    const world = await createKernel({
      platform: { streaming: true },
      scripts: [
        async ({ type, held }) => {
          type('half an');
          await held();
          return 'never';
        },
        async () => 'half an answer',
      ],
    });
    await world.platform.say('ask');
    await world.clock.waiting(700);
    await world.clock.advance(700);
    expect(world.platform.chat().texts).toEqual(['half an']);
    await world.restartAfterKill();
    await world.platform.showing('half an answer');
    expect(world.platform.chat().messages).toMatchObject([{ text: 'half an answer', earlier: ['half an'] }]);
  });

  test('that breaks when it is taken up leaves no preview standing as if it were the answer', async () => {
    const world = await createKernel({
      platform: { streaming: true },
      scripts: [
        async ({ type, held }) => {
          type('half an');
          await held();
          return 'never';
        },
        () => Promise.reject(new Error('broken')),
      ],
    });
    await world.platform.say('ask');
    await world.clock.waiting(700);
    await world.clock.advance(700);
    await world.restartAfterKill();
    await world.platform.showing('Something went wrong');
    expect(world.platform.chat().texts).toHaveLength(1);
  });

  test('marks its answer where a preview may stand unseen', async () => {
    const world = await createKernel({
      platform: { streaming: true },
      scripts: [
        async ({ type, held }) => {
          type('half an');
          await held();
          return 'never';
        },
        async () => 'the answer',
      ],
    });
    const held = world.platform.script.hold('send');
    await world.platform.say('ask');
    await world.clock.waiting(700);
    await world.clock.advance(700);
    await held.reached;
    await world.restartAfterKill();
    await world.platform.showing('the answer');
    expect(world.platform.chat().texts).toEqual(['(possible duplicate)\nthe answer']);
  });
});

describe('a preview', () => {
  test('becomes the answer, and one that is gone is followed by the answer as a new message', async () => {
    const { platform, clock, agent } = await createKernel({
      platform: { streaming: true },
      scripts: [
        async ({ type, held }) => {
          type('half an');
          await held();
          return 'half an answer';
        },
      ],
    });
    await platform.say('ask');
    await clock.waiting(700);
    await clock.advance(700);
    expect(platform.chat().texts).toEqual(['half an']);
    platform.chat().remove(toMessageId('p1'));
    agent.release();
    await platform.showing('half an answer');
    expect(platform.chat().texts).toEqual(['half an answer']);
  });
});

describe('an answer that is lost', () => {
  test('is told of, with the reason', async () => {
    const { platform } = await createKernel();
    platform.script.fail('send', platformError('refused'));
    await platform.say('hello');
    await platform.showing('could not be delivered: scripted refused');
  });
});
