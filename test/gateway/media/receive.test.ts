import { describe, expect, test } from 'vitest';
import { later, never, PlatformError, type RetryFate, ToolError } from '../../../src/core/errors.js';
import type { InboundMediaPart, InboundPart } from '../../../src/core/parts.js';
import type { MediaFacet } from '../../../src/core/platform.js';
import { isLost, receiveParts } from '../../../src/gateway/media/receive.js';
import { aMessage } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { createMemoryMedia } from '../../fakes/memory-media.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';

const aPart = (changes: Partial<InboundMediaPart> = {}): InboundMediaPart => ({
  type: 'media',
  kind: 'file',
  handle: 'f1',
  description: 'a file',
  fileName: 'notes.txt',
  mimeType: 'text/plain',
  ...changes,
});

const holding = (...parts: readonly InboundPart[]) => ({ ...aMessage(), parts });

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const refusal = (retry: RetryFate, userText?: string) =>
  new PlatformError({
    code: 'unavailable',
    outcome: 'none',
    retry,
    message: 'scripted',
    ...(userText !== undefined && { userText }),
  });

const createWorld = (fetch?: MediaFacet['fetch'], media = createMemoryMedia()) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const stopping = new AbortController();
  const platform = new ScriptedPlatform({ clock });
  const adapter = fetch === undefined ? platform : Object.assign(platform, { media: { fetch } });
  const receive = (...parts: readonly InboundPart[]) =>
    receiveParts([holding(...parts)], { media, clock, logger, adapterFor: () => adapter }, stopping);
  return { clock, logger, stopping, receive };
};

describe('a file that is there', () => {
  test('is kept and named to the agent with its size', async () => {
    const { receive } = createWorld(async () => bytesOf('hello'));
    const part = aPart();
    expect((await receive(part)).get(part)).toEqual({
      note: '[file saved at /cache/1-notes.txt: notes.txt, 1 KB]',
    });
  });

  test('that is seen and heard is told of where nobody understood it, and asked about all the same', async () => {
    const { receive } = createWorld(async () => bytesOf('x'));
    const part = aPart({ kind: 'video', isSpoken: true, unheard: { reason: 'the engine hangs' } });
    const silent = aPart({ kind: 'video', isSpoken: true, unheard: {} });
    const received = await receive(part, silent);
    expect(received.get(part)).toMatchObject({
      note: expect.stringContaining('could not be understood: the engine hangs'),
      problem: expect.stringContaining('video note: the engine hangs'),
      isUseful: true,
    });
    expect(received.get(silent)).toEqual({ note: expect.stringContaining('nothing is said in it') });
  });

  test('is shown where it is a picture that models take, and named only where it is not', async () => {
    const { receive } = createWorld(async (handle) => bytesOf('x'.repeat(Number(handle))));
    const small = aPart({ kind: 'image', mimeType: 'image/png', handle: '10' });
    const large = aPart({ kind: 'image', mimeType: 'image/png', handle: String(5 * 1_048_576 + 1) });
    const odd = aPart({ kind: 'image', mimeType: 'image/tiff', handle: '10' });
    const received = await receive(small, large, odd);
    expect(received.get(small)?.image).toMatchObject({ mimeType: 'image/png' });
    expect(received.get(large)).toEqual({ note: expect.stringContaining('5.0 MB') });
    expect(received.get(odd)?.image).toBeUndefined();
  });

  test('has its length named, and of a voice note that nobody hears it', async () => {
    const { receive } = createWorld(async () => bytesOf('opus'));
    const part = aPart({ kind: 'voice', durationMs: 12_400 });
    expect((await receive(part)).get(part)?.note).toMatch(
      /^\[voice note of 12 s saved at .*; nothing here recognises speech yet\]$/u,
    );
  });

  test('is not fetched again if it is kept already', async () => {
    const { receive } = createWorld(() => Promise.reject(new Error('nothing is to be fetched')));
    const kept = { path: '/cache/k', fileName: 'k.png', mimeType: 'image/png', sizeBytes: 3 };
    const part = aPart({ kind: 'image', kept });
    expect((await receive(part)).get(part)?.image).toEqual(kept);
  });

  test('needs no name and no type', async () => {
    const { receive } = createWorld(async () => bytesOf('x'));
    const { fileName: _fileName, mimeType: _mimeType, ...part } = aPart();
    expect((await receive(part)).get(part)?.note).toContain('/cache/1-file');
  });
});

describe('a file that does not come', () => {
  test('is asked for again, as late as the platform says but not later than half a minute', async () => {
    const fates: RetryFate[] = [{ kind: 'after', delayMs: 3_600_000 }, later];
    const { receive, clock } = createWorld(async () => {
      const retry = fates.shift();
      if (retry !== undefined) throw refusal(retry);
      return bytesOf('at last');
    });
    const part = aPart();
    const receiving = receive(part);
    await clock.waiting(30_000);
    await clock.advance(30_000);
    await clock.waiting(4_000);
    await clock.advance(4_000);
    expect((await receiving).get(part)?.problem).toBeUndefined();
  });

  test('is given up after three tries; both sides are told', async () => {
    let tries = 0;
    const { receive, clock } = createWorld(async () => {
      tries += 1;
      throw refusal(later, 'The platform is down.');
    });
    const part = aPart();
    const receiving = receive(part);
    for (const ms of [1_000, 4_000]) {
      await clock.waiting(ms);
      await clock.advance(ms);
    }
    const received = await receiving;
    expect(tries).toBe(3);
    expect(received.get(part)).toEqual({
      note: '[The sender attached a file, but it did not arrive here: The platform is down.]',
      problem: 'The platform is down.',
    });
  });

  test('for a reason of ours is told by its name, for one that nobody foresaw without the reason', async () => {
    const tooLarge = new ToolError({ code: 'invalid-input', message: 'it is too large', retry: never });
    const { receive } = createWorld(async (handle) => {
      throw handle === 'f1' ? tooLarge : handle === 'f2' ? refusal(never) : new TypeError('x is not a y');
    });
    const large = aPart();
    const refused = aPart({ handle: 'f2' });
    const { fileName: _fileName, ...odd } = aPart({ handle: 'f3' });
    const received = await receive(large, refused, odd);
    expect(received.get(large)?.problem).toBe('I cannot take notes.txt: it is too large.');
    expect(received.get(refused)?.problem).toBe('I could not fetch notes.txt. Please send it again.');
    expect(received.get(odd)?.problem).toBe('I could not fetch a file. Please send it again.');
    expect(received.get(odd)?.note).toContain('it cannot be fetched');
  });

  test('because the platform hands out none is told to the agent alone', async () => {
    const { receive } = createWorld();
    const part = aPart();
    expect((await receive(part)).get(part)).toEqual({
      note: '[The sender attached a file; it cannot be read here.]',
    });
  });

  test('before a stop is no problem of the sender', async () => {
    const { receive, stopping } = createWorld(
      (_handle, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const part = aPart();
    const receiving = receive(part);
    stopping.abort(new Error('the gateway is stopping'));
    expect((await receiving).get(part)).toEqual({ note: expect.stringContaining('before the stop') });
  });

  test('between two tries does not hold up a stop', async () => {
    const { receive, stopping, clock } = createWorld(() => Promise.reject(refusal(later)));
    const part = aPart();
    const receiving = receive(part);
    await clock.waiting(1_000);
    stopping.abort(new Error('the gateway is stopping'));
    expect((await receiving).get(part)?.problem).toBeUndefined();
  });
});

test('four files at once, and no more', async () => {
  const letGo: (() => void)[] = [];
  const { receive, clock } = createWorld(
    () => new Promise((resolve) => letGo.push(() => resolve(bytesOf('x')))),
  );
  const parts = Array.from({ length: 6 }, () => aPart());
  const receiving = receive(...parts);
  await clock.advance(0);
  expect(letGo).toHaveLength(4);
  letGo.shift()?.();
  await clock.advance(0);
  expect(letGo).toHaveLength(4);
  while (letGo.length > 0) {
    letGo.shift()?.();
    await clock.advance(0);
  }
  expect((await receiving).size).toBe(6);
});

test('a message is lost if it is nothing but files that did not arrive', () => {
  const part = aPart();
  const gone = new Map([[part, { note: '', problem: 'gone' }]]);
  expect(isLost(holding(part), gone)).toBe(true);
  expect(isLost(holding(part), new Map([[part, { note: '' }]]))).toBe(false);
  expect(isLost(holding(), new Map())).toBe(false);
  expect(isLost(holding(part, { type: 'text', text: 'look' }), gone)).toBe(false);
  const captioned = aPart({ caption: 'look' });
  expect(isLost(holding(captioned), new Map([[captioned, { note: '', problem: 'gone' }]]))).toBe(false);
});
