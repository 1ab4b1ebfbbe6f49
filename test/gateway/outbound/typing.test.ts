import { describe, expect, test } from 'vitest';
import { startTyping } from '../../../src/gateway/outbound/typing.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { platformError, ScriptedPlatform } from '../../fakes/scripted-platform.js';

const begin = () => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const platform = new ScriptedPlatform({ clock });
  const callSignal = new AbortController().signal;
  const options = { route: anOrigin(), clock, logger, callSignal };
  return { clock, logger, platform, end: startTyping({ ...options, adapter: platform }), options };
};

describe('the typing indicator', () => {
  test('is not lit for an answer that comes at once', async () => {
    const { clock, platform, end } = begin();
    await clock.advance(249);
    end();
    await clock.advance(60_000);
    expect(platform.chat().typingCount).toBe(0);
    expect(clock.sleeping).toEqual([]);
  });

  test('is lit again before it fades, until the turn is over', async () => {
    const { clock, platform, end } = begin();
    await clock.advance(250);
    expect(platform.chat().typingCount).toBe(1);
    await clock.advance(4_000);
    expect(platform.chat().typingCount).toBe(2);
    end();
    await clock.advance(60_000);
    expect(platform.chat().typingCount).toBe(2);
  });

  test('goes out after ten minutes of work', async () => {
    const { clock, platform } = begin();
    await clock.advance(30 * 60_000);
    expect(platform.chat().typingCount).toBe(150);
    expect(clock.sleeping).toEqual([]);
  });

  test('is no failure when it cannot be lit', async () => {
    const { clock, logger, platform } = begin();
    platform.script.fail('typing', platformError('rate-limited'));
    await clock.advance(60_000);
    expect(platform.chat().typingCount).toBe(0);
    expect(logger.text()).toBe('[]');
  });

  test('is left out where the platform has none', () => {
    const { clock, options, end } = begin();
    end();
    const { typing: _typing, ...adapter } = new ScriptedPlatform();
    const plain = Object.assign(Object.create(ScriptedPlatform.prototype) as ScriptedPlatform, adapter);
    startTyping({ ...options, adapter: plain });
    expect(clock.sleeping).toEqual([]);
  });
});
