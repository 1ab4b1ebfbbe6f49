import { describe, expect, test } from 'vitest';
import { createKernel } from '../../fakes/kernel.js';
import type { TurnScript } from '../../fakes/scripted-agent.js';
import { storeBroken } from '../../fakes/unreliable.js';

type Kernel = Awaited<ReturnType<typeof createKernel>>;
type Sketch = Parameters<Kernel['platform']['say']>[1];

const hold: TurnScript = async ({ held }) => {
  await held();
  return 'done at last';
};

/** Says it and gives what was said back; whatever needs no time is over then. */
const ask = async ({ platform, settled }: Kernel, text: string, sketch: Sketch = {}): Promise<string> => {
  const chat = platform.chat(sketch.chat);
  const before = chat.texts.length;
  await platform.say(text, sketch);
  await platform.until(() => chat.texts.length > before);
  await settled();
  return chat.texts.at(-1) ?? '';
};

const owned = { platform: { allowedUsers: ['u1', 'u2'] }, settings: { owners: ['fake:u1'] } };
const guest = { user: 'u2', chat: 'c2' };
const group = { chat: 'g1', chatKind: 'group', addressed: 'mention' } as const;

describe('/undo', () => {
  test('takes back one exchange at a time, shortened to a line, until there is none', async () => {
    const kernel = await createKernel();
    const long = `remember\n\n${'words '.repeat(40)}`;
    await ask(kernel, 'my cat is Murr');
    await ask(kernel, long);
    const answer = await ask(kernel, '/undo');
    expect(answer).toContain('“remember words');
    expect(answer).toContain('…”');
    expect(answer.length).toBeLessThan(200);
    expect(await ask(kernel, '/undo')).toContain('“my cat is Murr”');
    expect(await ask(kernel, '/undo')).toContain('nothing that I could take back');
    await ask(kernel, 'who is Murr?');
    expect(kernel.agent.inputs.at(-1)?.history).toMatchObject([{ text: 'who is Murr?' }]);
  });

  test('has nothing to take back where nothing was ever said', async () => {
    expect(await ask(await createKernel(), '/undo')).toContain('nothing that I could take back');
  });
});

describe('/retry', () => {
  test('answers what was said last anew, and the first answer is gone', async () => {
    const kernel = await createKernel({ scripts: [async () => 'poor', async () => 'better'] });
    expect(await ask(kernel, 'a joke')).toBe('poor');
    expect(await ask(kernel, '/retry')).toBe('better');
    expect(kernel.agent.inputs.at(-1)?.history).toMatchObject([{ role: 'user', text: 'a joke' }]);
    expect(await kernel.kept.inbox.unfinished()).toHaveLength(0);
  });

  test('says so where there is nothing to answer', async () => {
    const kernel = await createKernel();
    expect(await ask(kernel, '/retry')).toContain('no message that I could answer');
    await ask(kernel, 'hello');
    await ask(kernel, '/undo');
    expect(await ask(kernel, '/retry')).toContain('no message that I could answer');
  });

  test('neither it nor /undo nor a switch touches what is being worked on', async () => {
    const kernel = await createKernel({ scripts: [async () => 'first', hold] });
    await ask(kernel, 'one');
    await ask(kernel, '/new');
    await kernel.platform.say('two');
    for (const command of ['/retry', '/undo', '/sessions 2'])
      expect(await ask(kernel, command)).toContain('I am still working');
    kernel.agent.release();
    await kernel.platform.showing('done at last');
  });
});

describe('/sessions', () => {
  test('lists conversations by what began them, and goes back to one', async () => {
    const kernel = await createKernel();
    expect(await ask(kernel, '/sessions')).toContain('no conversation yet');
    await ask(kernel, 'about cats');
    await ask(kernel, '/new');
    await ask(kernel, 'about dogs');
    const list = await ask(kernel, '/sessions');
    expect(list).toMatch(/1\. about dogs – .* – now/u);
    expect(list).toMatch(/2\. about cats – /u);
    expect(await ask(kernel, '/sessions 1')).toContain('the one we are in');
    expect(await ask(kernel, '/sessions 7')).toContain("no conversation '7'");
    expect(await ask(kernel, '/sessions 2')).toContain('We go on with: about cats');
    await ask(kernel, 'go on');
    expect(JSON.stringify(kernel.agent.inputs.at(-1)?.history)).toContain('about cats');
    expect(JSON.stringify(kernel.agent.inputs.at(-1)?.history)).not.toContain('about dogs');
  });

  test('tells times on the configured clocks', async () => {
    const kernel = await createKernel({ settings: { timezone: 'Asia/Shanghai' } });
    kernel.clock.setNow(Date.UTC(2031, 4, 5, 20, 30));
    await ask(kernel, 'late at night');
    expect(await ask(kernel, '/sessions')).toContain('2031-05-06 04:30');
  });
});

describe('/model', () => {
  test('names who answers; an owner chooses another for this conversation and goes back', async () => {
    const kernel = await createKernel(owned);
    expect(await ask(kernel, '/model')).toContain('scripted by scripted answers here, as the settings say');
    expect(await ask(kernel, '/model scripted/bigger')).toContain('bigger answers in this conversation');
    expect(await ask(kernel, '/model')).toContain('bigger by scripted answers here, chosen');
    await ask(kernel, 'hello');
    expect(kernel.agent.inputs.at(-1)?.model).toBe('bigger');
    expect(await ask(kernel, '/model a nice big one')).toContain("'a nice big one' is not the name");
    expect(await ask(kernel, '/model default')).toBe('scripted by scripted answers again.');
    expect(await ask(kernel, '/model default')).toBe('scripted by scripted answers again.');
  });

  test('is for owners to change, and there is nothing to choose in the demo', async () => {
    const kernel = await createKernel(owned);
    expect(await ask(kernel, '/model bigger', guest)).toContain('Only an owner');
    const model = { provider: 'offline', name: 'offline', isDemo: true };
    expect(await ask(await createKernel({ settings: { model } }), '/model')).toContain('demo');
  });
});

describe('/busy', () => {
  test('tells and changes what becomes of messages, over a restart', async () => {
    const kernel = await createKernel();
    expect(await ask(kernel, '/busy')).toContain('Now: what you write while I work joins');
    expect(await ask(kernel, '/busy sometimes')).toContain("I do not know 'sometimes'");
    expect(await ask(kernel, '/busy QUEUE')).toContain('waits until I am done');
    await kernel.restartAfterKill();
    expect(await ask(kernel, '/busy')).toContain('Now: what you write while I work waits');
    expect(await ask(kernel, '/busy default')).toContain('joins that work');
  });

  test('in a group is for owners to change and for all to read', async () => {
    const kernel = await createKernel(owned);
    const read = await ask(kernel, '/busy', { ...group, user: 'u2' });
    expect(read).toContain('- /busy interrupt – ');
    expect(await ask(kernel, '/busy queue', { ...group, user: 'u2' })).toContain('only an owner');
    expect(await ask(kernel, '/busy queue', group)).toContain('waits until I am done');
  });
});

describe('/sethome', () => {
  test('makes the chat the home channel, says where it was before, and what did not change', async () => {
    const kernel = await createKernel(owned);
    expect(await ask(kernel, '/sethome')).toMatch(/home channel of Fake \(fake:c1\)[^.]*\.$/u);
    expect(await ask(kernel, '/sethome')).toContain('home channel of Fake already');
    const there = await ask(kernel, '/sethome', { chat: 'c9', thread: 't3' });
    expect(there).toContain('(fake:c9:t3)');
    expect(there).toContain('Before it was fake:c1.');
    expect(await ask(kernel, '/sethome', guest)).toContain('Only an owner');
  });
});

describe('/usage', () => {
  test('counts the conversation, the chat, and for an owner everything', async () => {
    const kernel = await createKernel(owned);
    expect(await ask(kernel, '/usage', guest)).toContain('This conversation: 0 tokens read, 0 written');
    await ask(kernel, 'one');
    expect(await ask(kernel, '/usage')).toContain('This conversation, 1 turn: 1 tokens read, 1 written');
    await ask(kernel, 'two');
    await ask(kernel, '/new');
    await ask(kernel, 'three', guest);
    const all = await ask(kernel, '/usage');
    expect(all).toContain('All conversations here: 2 tokens read, 2 written');
    expect(all).toContain('Everything: 3 tokens read, 3 written');
    expect(await ask(kernel, '/usage', guest)).not.toContain('Everything');
  });
});

describe('/whoami', () => {
  test('tells a person who they are and where this is', async () => {
    const kernel = await createKernel(owned);
    expect(await ask(kernel, '/whoami')).toContain('You are an owner.');
    const there = await ask(kernel, '/whoami', { ...group, thread: 't7', user: 'u2' });
    expect(there).toContain('User u2, Fake id `u2`');
    expect(there).toContain('you are no owner');
    expect(there).toContain('a group: `fake:g1`, thread t7');
  });
});

test('a name that no command has is answered', async () => {
  expect(await ask(await createKernel(), '/dance')).toContain('I do not know /dance');
});

test('a command that breaks is told in one line and not done again', async () => {
  const kernel = await createKernel();
  kernel.stores.outbox.fail('counts', storeBroken());
  expect(await ask(kernel, '/status')).toContain('Something went wrong on my side');
  await kernel.settled();
  expect(await kernel.kept.inbox.unfinished()).toHaveLength(0);
});

test('/new tells how many waiting messages it dropped', async () => {
  const kernel = await createKernel({ platform: { busy: 'queue' }, scripts: [hold] });
  await kernel.platform.say('one');
  await kernel.platform.say('two');
  await kernel.platform.say('three');
  expect(await ask(kernel, '/new')).toContain('Stopped. 2 waiting messages were dropped');
});
