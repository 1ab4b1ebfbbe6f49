import { describe, expect, test } from 'vitest';
import { after } from '../../../src/core/errors.js';
import { toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import { Lane } from '../../../src/gateway/outbound/lane.js';
import { createPreview } from '../../../src/gateway/outbound/preview.js';
import { ToolProgress, type ToolProgressMode } from '../../../src/gateway/outbound/tool-progress.js';
import { anOrigin } from '../../fakes/builders.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { platformError, ScriptedPlatform } from '../../fakes/scripted-platform.js';

const turn = toTurnId('t1');
const FIRST_MS = 1_500;
const INTERVAL_MS = 1_000;

const begin = (mode: ToolProgressMode = 'all') => {
  const clock = new ManualClock();
  const platform = new ScriptedPlatform({ clock });
  const lane = new Lane({
    clock,
    onIdle: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const progress = new ToolProgress({
    mode,
    createPreview: (mayBegin) =>
      createPreview({
        clock,
        logger: new MemoryLogger(),
        redact: (text) => text.replaceAll('s3cret', '***'),
        lane: () => lane,
        route: anOrigin(),
        adapter: platform,
        idempotencyKey: 'k',
        signal: new AbortController().signal,
        firstFrameMs: FIRST_MS,
        mayBegin,
        remember: async () => undefined,
      }),
  });
  let count = 0;
  const started = (name: string, summary = ''): string => {
    count += 1;
    progress.show({ type: 'tool-start', turn, call: toToolCallId(`c${count}`), name, summary });
    return `c${count}`;
  };
  const ended = (call: string, isError = false): void => {
    progress.show({ type: 'tool-end', turn, call: toToolCallId(call), name: '', isError, summary: '' });
  };
  const answering: TurnEvent = { type: 'text-delta', turn, text: 'The answer' };
  return { clock, platform, lane, progress, chat: platform.chat(), started, ended, answering };
};

describe('what tools do', () => {
  test('is one message that grows, with failures marked', async () => {
    const { clock, progress, chat, started, ended } = begin();
    started('read_file', 'notes.txt');
    await clock.advance(FIRST_MS);
    expect(chat.texts).toEqual(['🔧 read_file `notes.txt`']);
    const call = started('todo');
    ended(call, true);
    await clock.advance(INTERVAL_MS);
    expect(chat.texts).toEqual(['🔧 read_file `notes.txt`\n🔧 todo – failed']);
    await progress.end();
  });

  test('is not told if it is over soon, nor where it is switched off', async () => {
    const quick = begin();
    quick.started('read_file');
    await quick.progress.end();
    await quick.clock.advance(FIRST_MS * 2);
    expect(quick.chat.texts).toEqual([]);
    const off = begin('off');
    off.started('read_file');
    await off.clock.advance(FIRST_MS * 2);
    await off.progress.end();
    expect(off.chat.texts).toEqual([]);
  });

  test('names each tool once in a row in the mode new', async () => {
    const { clock, progress, chat, started } = begin('new');
    for (const name of ['read_file', 'read_file', 'todo', 'read_file']) started(name, name);
    await clock.advance(FIRST_MS);
    expect(chat.texts).toEqual(['🔧 read_file `read_file`\n🔧 todo `todo`\n🔧 read_file `read_file`']);
    await progress.end();
  });

  test('is not begun beneath an answer that is being written, but with the next tools', async () => {
    const { clock, progress, chat, started, answering } = begin();
    started('read_file');
    progress.show(answering);
    await clock.advance(FIRST_MS * 3);
    expect(chat.texts).toEqual([]);
    started('todo');
    await clock.advance(FIRST_MS);
    expect(chat.texts).toEqual(['🔧 read_file\n🔧 todo']);
    await progress.end();
  });

  test('tells its end in a last edit, and is quiet then', async () => {
    const { clock, progress, chat, started, ended } = begin();
    const call = started('read_file');
    await clock.advance(FIRST_MS);
    ended(call, true);
    await progress.end();
    await clock.advance(0);
    expect(chat.texts).toEqual(['🔧 read_file – failed']);
    started('todo');
    await clock.advance(FIRST_MS);
    expect(chat.texts).toEqual(['🔧 read_file – failed']);
  });

  test('shows the newest calls, arguments cut, as code and without secrets', async () => {
    const { clock, progress, chat, started } = begin();
    for (let index = 0; index < 20; index += 1)
      started('search', `a \`b\` s3cret ${index} ${'x'.repeat(100)}`);
    await clock.advance(FIRST_MS);
    const lines = chat.texts[0]?.split('\n') ?? [];
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe('… 8 before');
    expect(lines[12]).toMatch(/^🔧 search `a 'b' \*\*\* 19 x+…`$/u);
    await progress.end();
  });

  test('gives way to messages of its chat, and gives up where it floods', async () => {
    const { clock, platform, lane, progress, chat, started } = begin();
    started('read_file');
    platform.script.fail('send', platformError('rate-limited', { retry: after(5_000) }), { times: 3 });
    await clock.advance(FIRST_MS);
    expect(lane.isHeld).toBe(true);
    await clock.advance(20_000);
    started('todo');
    await clock.advance(20_000);
    expect(chat.texts).toEqual([]);
    await progress.end();
  });
});
