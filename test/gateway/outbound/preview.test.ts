import { describe, expect, test } from 'vitest';
import { after, later } from '../../../src/core/errors.js';
import type { PreviewHandle } from '../../../src/core/outbound.js';
import { Lane } from '../../../src/gateway/outbound/lane.js';
import { createPreview } from '../../../src/gateway/outbound/preview.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { platformError, ScriptedPlatform } from '../../fakes/scripted-platform.js';

const begin = ({ maxLength = 4_000 } = {}) => {
  const clock = new ManualClock();
  const platform = new ScriptedPlatform({ clock, maxLength });
  const lane = new Lane({ clock, onIdle: () => undefined, onError: () => undefined });
  const remembered: (PreviewHandle | undefined)[] = [];
  const preview = createPreview({
    clock,
    logger: new MemoryLogger(),
    redact: (text) => text.replaceAll('s3cret', '***'),
    lane: () => lane,
    route: anOrigin(),
    adapter: platform,
    idempotencyKey: 'turn',
    signal: new AbortController().signal,
    remember: async (handle) => void remembered.push(handle),
  });
  if (preview === undefined) throw new Error('the scripted platform shows previews');
  return { clock, platform, lane, preview, remembered, chat: platform.chat() };
};

const flood = platformError('rate-limited', { retry: after(3_000) });

describe('a preview', () => {
  test('costs no call where the text is complete within 700 ms', async () => {
    const { clock, preview, chat, remembered } = begin();
    preview.update('quick');
    await clock.advance(699);
    expect(await preview.finish()).toBeUndefined();
    expect(chat.messages).toEqual([]);
    expect(remembered).toEqual([]);
  });

  test('shows the newest text after 700 ms and then at the pace of the platform, in one message', async () => {
    const { clock, preview, chat } = begin();
    preview.update('one');
    preview.update('one two');
    await clock.advance(700);
    expect(chat.texts).toEqual(['one two']);
    preview.update('one two three');
    preview.update('one two three four');
    await clock.advance(999);
    expect(chat.texts).toEqual(['one two']);
    await clock.advance(1);
    expect(chat.messages).toMatchObject([{ text: 'one two three four', earlier: ['one two'] }]);
    expect(await preview.finish()).toEqual({ message: chat.messages[0]?.id });
  });

  test('remembers that it is about to be sent before it is, and its message after', async () => {
    const { clock, platform, preview, remembered } = begin();
    const held = platform.script.hold('send');
    preview.update('text');
    await clock.advance(700);
    await held.reached;
    expect(remembered).toEqual([{}]);
    held.release();
    await platform.showing('text');
    await preview.finish();
    expect(remembered).toEqual([{}, { message: 'p1' }]);
  });

  test('sends no frame that looks like the one before', async () => {
    const { clock, platform, preview, chat } = begin({ maxLength: 5 });
    preview.update('one two');
    await clock.advance(700);
    // An edit that is tried fails and would switch the preview off.
    platform.script.fail('edit', platformError('refused'));
    preview.update('one two three');
    await clock.advance(10_000);
    expect(chat.messages).toMatchObject([{ text: 'one', earlier: [] }]);
    expect(clock.sleeping).toEqual([1_000]);
    await preview.finish();
  });

  test('is off after a first frame that may stand there unseen, and says that it may', async () => {
    const { clock, platform, preview, chat, remembered } = begin();
    platform.script.fail('send', platformError('unavailable', { outcome: 'unknown', retry: later }), {
      isApplied: true,
    });
    preview.update('one');
    await clock.advance(700);
    preview.update('one two');
    await clock.advance(60_000);
    expect(await preview.finish()).toEqual({});
    expect(chat.texts).toEqual(['one']);
    expect(remembered).toEqual([{}]);
  });

  test('is off after such a frame also where the platform says when to come again', async () => {
    const { clock, platform, preview, chat } = begin();
    platform.script.fail('send', platformError('rate-limited', { outcome: 'unknown', retry: after(3_000) }), {
      isApplied: true,
    });
    preview.update('one');
    await clock.advance(700);
    preview.update('one two');
    await clock.advance(60_000);
    expect(await preview.finish()).toEqual({});
    expect(chat.texts).toEqual(['one']);
  });

  test('forgets a first frame that certainly was not sent', async () => {
    const { clock, platform, preview, chat, remembered } = begin();
    platform.script.fail('send', platformError('refused'));
    preview.update('one');
    await clock.advance(60_000);
    expect(await preview.finish()).toBeUndefined();
    expect(remembered).toEqual([{}, undefined]);
    expect(chat.texts).toEqual([]);
  });

  test('waits as long as the platform asks, for the whole chat, and goes on with the newest text', async () => {
    const { clock, platform, preview, lane, chat } = begin();
    preview.update('one');
    await clock.advance(700);
    platform.script.fail('edit', flood);
    preview.update('one two');
    await clock.advance(1_000);
    expect(lane.isHeld).toBe(true);
    preview.update('one two three');
    await clock.advance(2_999);
    expect(chat.texts).toEqual(['one']);
    await clock.advance(1_001);
    expect(chat.messages).toMatchObject([{ text: 'one two three', earlier: ['one'] }]);
    await preview.finish();
  });

  test('is off after three refusals for flooding, and what stands there is taken over', async () => {
    const { clock, platform, preview, chat } = begin();
    preview.update('text 0');
    await clock.advance(700);
    platform.script.fail('edit', flood, { times: 3 });
    for (let round = 1; round <= 10; round += 1) {
      preview.update(`text ${round}`);
      await clock.advance(5_000);
    }
    expect(chat.messages).toMatchObject([{ text: 'text 0', earlier: [] }]);
    expect(await preview.finish()).toEqual({ message: 'p1' });
  });

  test('lets messages of the chat go first', async () => {
    const { clock, lane, preview, chat } = begin();
    let release: () => void = () => undefined;
    const sending = new Promise<void>((resolve) => {
      release = resolve;
    });
    lane.push(() => sending);
    preview.update('text');
    await clock.advance(5_000);
    expect(chat.texts).toEqual([]);
    release();
    await clock.advance(1_000);
    expect(chat.texts).toEqual(['text']);
    await preview.finish();
  });

  test('ends only when its frame under way has ended', async () => {
    const { clock, platform, preview } = begin();
    const held = platform.script.hold('send');
    preview.update('text');
    await clock.advance(700);
    await held.reached;
    let isOver = false;
    const finished = preview.finish().finally(() => {
      isOver = true;
    });
    await clock.advance(1_000);
    expect(isOver).toBe(false);
    held.release();
    expect(await finished).toEqual({ message: 'p1' });
  });

  test('shows no secret', async () => {
    const { clock, preview, chat } = begin();
    preview.update('the key is s3cret');
    await clock.advance(700);
    expect(chat.texts).toEqual(['the key is ***']);
    await preview.finish();
  });
});
