import { describe, expect, test } from 'vitest';
import { showTyping } from '../../../src/gateway/outbound/typing.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { platformError, ScriptedPlatform } from '../../fakes/scripted-platform.js';

const begin = () => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const platform = new ScriptedPlatform({ clock });
  const over = new AbortController();
  const callSignal = new AbortController().signal;
  const options = { route: anOrigin(), clock, logger, signal: over.signal, callSignal };
  const shown = showTyping({ ...options, adapter: platform });
  return { clock, logger, platform, shown, end: () => over.abort(new Error('the turn is over')), options };
};

describe('the typing indicator', () => {
  test('is not lit for an answer that comes at once', async () => {
    const { clock, platform, shown, end } = begin();
    await clock.advance(249);
    end();
    await shown;
    expect(platform.chat().typingCount).toBe(0);
  });

  test('is lit again before it fades, until the turn is over', async () => {
    const { clock, platform, shown, end } = begin();
    await clock.advance(250);
    expect(platform.chat().typingCount).toBe(1);
    await clock.advance(4_000);
    expect(platform.chat().typingCount).toBe(2);
    end();
    await shown;
    await clock.advance(60_000);
    expect(platform.chat().typingCount).toBe(2);
  });

  test('goes out after ten minutes of work', async () => {
    const { clock, platform, shown } = begin();
    await clock.advance(30 * 60_000);
    await shown;
    expect(platform.chat().typingCount).toBe(150);
    expect(clock.sleeping).toEqual([]);
  });

  test('is no failure when it cannot be lit', async () => {
    const { clock, logger, platform, shown } = begin();
    platform.script.fail('typing', platformError('rate-limited'));
    await clock.advance(250);
    await expect(shown).resolves.toBeUndefined();
    expect(logger.text()).toBe('[]');
  });

  test('is left out where the platform has none', async () => {
    const { options } = begin();
    const { typing: _typing, ...adapter } = new ScriptedPlatform();
    const plain = Object.assign(Object.create(ScriptedPlatform.prototype) as ScriptedPlatform, adapter);
    await expect(showTyping({ ...options, adapter: plain })).resolves.toBeUndefined();
  });
});
