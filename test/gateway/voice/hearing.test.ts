import { expect, test } from 'vitest';
import type { InboundMediaPart } from '../../../src/core/parts.js';
import type { Heard } from '../../../src/core/voice.js';
import { aMessage } from '../../fakes/builders.js';
import { createKernel } from '../../fakes/kernel.js';

const recording: InboundMediaPart = {
  type: 'media',
  kind: 'voice',
  handle: null,
  description: 'a voice message',
  durationMs: 2_000,
  kept: { path: '/cache/v.ogg', fileName: 'v.ogg', mimeType: 'audio/ogg', sizeBytes: 10 },
};

const words = (text: string, remarks: readonly string[] = []): Heard => ({ type: 'words', text, remarks });

let count = 0;
const aNote = (more: Partial<InboundMediaPart> = {}) => {
  count += 1;
  return { ...aMessage({ id: `v${count}` }), parts: [{ ...recording, ...more }] };
};

const held = () => {
  let release: (heard: Heard) => void = () => undefined;
  const heard = new Promise<Heard>((resolve) => {
    release = resolve;
  });
  return { heard, release };
};

const listening = async (options: Parameters<typeof createKernel>[0] = {}) => {
  const kernel = await createKernel(options);
  kernel.voice.listens = true;
  return kernel;
};

test('what is said into a recording is asked, and marked as heard by a machine', async () => {
  const { platform, voice, agent } = await listening();
  voice.heard.push(words('what time is it', ['groq failed: openai stood in.']));
  await platform.push([aNote()]);
  await platform.showing('what time is it');
  await platform.showing('openai stood in');
  expect(agent.inputs[0]?.history.at(-1)?.text).toBe(
    '[voice note of 2 s, transcribed by a machine, which may mishear]\nwhat time is it',
  );
});

test('what follows a recording waits until that is understood', async () => {
  const { platform, voice } = await listening();
  const { heard, release } = held();
  voice.heard.push(heard);
  await platform.push([aNote()]);
  await platform.say('second');
  release(words('first'));
  await platform.showing('second');
  const texts = platform.chat().texts.join('\n');
  expect(texts.indexOf('first')).toBeLessThan(texts.indexOf('second'));
});

test.each([true, false])('what is said answers a question that waits, buttons: %s', async (canChoose) => {
  const { platform, voice, agent } = await listening({ canChoose });
  await platform.say('/busy');
  await platform.showing('Or rather');
  voice.heard.push(words('What you write while I work waits until I am done.'));
  await platform.push([aNote()]);
  await platform.showing('From now on in this chat: what you write while I work waits until I am done');
  expect(agent.inputs).toEqual([]);
});

test('a stop lets go of a recording that nobody has understood yet', async () => {
  const { platform, voice, agent, kept } = await listening();
  voice.heard.push(held().heard);
  await platform.push([aNote()]);
  await platform.say('/stop');
  await platform.showing('dropped');
  expect(agent.inputs).toEqual([]);
  expect(await kept.inbox.unfinished()).toEqual([]);
});

test('VO-04 a failure is told to the sender, and the agent hears why', async () => {
  const { platform, voice, agent } = await listening();
  voice.heard.push({ type: 'failed', reason: 'openai refuses the key (401)' });
  await platform.push([aNote({ caption: 'listen' })]);
  await platform.showing('I could not understand your voice note: openai refuses the key (401).');
  await platform.showing('listen');
  expect(agent.inputs[0]?.history.at(-1)?.text).toContain(
    'could not be understood: openai refuses the key (401)',
  );
});

test('one that is longer than the limit is not even fetched', async () => {
  const { platform, voice } = await listening();
  await platform.push([aNote({ durationMs: 7_200_000, caption: 'two hours' })]);
  await platform.showing('it is longer than 1 minutes');
  expect(voice.listenedTo).toEqual([]);
});
