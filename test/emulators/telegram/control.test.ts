import { describe, expect, test } from 'vitest';
import { spawnEmulator } from '../kit/emulator-process.js';
import { createTelegramControl } from './control.js';
import { useEmulator } from './harness.js';
import { toTerminalText } from './terminal.js';

const stage = useEmulator();
const chats = { chats: [{ id: 1 }] };

describe('waiting', () => {
  test('ends as soon as the calls are there', async () => {
    const { api, control } = await stage(chats);
    const waiting = control.waitForCalls('sendMessage', 2);
    await api.sendMessage(1, 'a');
    await api.sendMessage(1, 'b');
    expect((await waiting).map((call) => call.params['text'])).toEqual(['a', 'b']);
  });

  test('ends with the message that a predicate wants, also one that comes by an edit', async () => {
    const { api, control } = await stage(chats);
    const waiting = control.waitForMessage(1, (message) => message.edits > 0 && message.text.endsWith('!'));
    const { message_id } = await api.sendMessage(1, 'a!');
    await api.editMessageText(1, message_id, 'b!');
    expect((await waiting).text).toBe('b!');
  });

  test('for the number of visible messages counts deleted ones out', async () => {
    const { api, control } = await stage(chats);
    const { message_id } = await api.sendMessage(1, 'a');
    await api.deleteMessage(1, message_id);
    const waiting = control.waitForBotMessages(1, 2);
    await api.sendMessage(1, 'b');
    await api.sendMessage(1, 'c');
    expect((await waiting).map((message) => message.text)).toEqual(['b', 'c']);
  });

  test('in vain fails in time and says what was there', async () => {
    const { api, control } = await stage(chats);
    await api.sendMessage(1, 'something else');
    const waiting = control.waitForMessage(1, 'never', { timeoutMs: 50 });
    await expect(waiting).rejects.toThrow(/waited in vain.*sendMessage 200.*something else/s);
  });

  test('works over plain HTTP too', async () => {
    const { api, url, token } = await stage(chats);
    await api.sendMessage(1, 'a');
    const query = new URLSearchParams({
      kind: 'calls',
      method: 'sendMessage',
      count: '1',
      timeoutMs: '1000',
    });
    const response = await fetch(`${url}/control/${token}/wait?${query}`);
    expect(await response.json()).toEqual({ met: true, value: true });
  });
});

describe('the log', () => {
  test('tells what was asked, answered and when', async () => {
    const { api, control } = await stage(chats);
    const before = Date.now() - 1;
    await api.sendMessage(1, 'a', { parse_mode: 'HTML' });
    const [call] = await control.calls({ method: 'sendMessage', chatId: 1, ok: true });
    expect(call).toMatchObject({
      method: 'sendMessage',
      params: { chat_id: 1, text: 'a', parse_mode: 'HTML' },
      outcome: 'answered',
      applied: true,
      status: 200,
      response: { ok: true },
      warnings: [],
    });
    expect(call?.receivedAt).toBeGreaterThan(before);
    expect(call?.answeredAt).toBeGreaterThanOrEqual(call?.receivedAt ?? Number.POSITIVE_INFINITY);
    await control.clearCalls();
    expect(await control.calls()).toEqual([]);
  });

  test('warns of what the real server changes without a word', async () => {
    const { api, control } = await stage(chats);
    await api.sendMessage(1, 'clean', { entities: [{ type: 'bold', offset: 0, length: 3 }] });
    expect(await control.warnings()).toEqual([]);
    await api.sendMessage(1, 'overlap', {
      entities: [
        { type: 'bold', offset: 0, length: 4 },
        { type: 'italic', offset: 2, length: 4 },
      ],
    });
    expect(await control.warnings()).toEqual(['entity-overlap: bold[0,4) italic[2,6)']);
  });
});

describe('worlds', () => {
  test('a reset forgets everything and ends a waiting poll', async () => {
    const { api, control } = await stage(chats);
    await api.sendMessage(1, 'a');
    const poll = api.getUpdates({ timeout: 30 }).catch(() => 'ended');
    await control.waitForPoll();
    await control.reset();
    expect(await poll).toBe('ended');
    expect(await control.state()).toMatchObject({ calls: 0, polling: false, pendingUpdates: 0 });
  });

  test('nonsense is answered with a reason', async () => {
    const { control } = await stage();
    await expect(control.redeliver(5)).rejects.toThrow('no update 5 was ever pushed');
    await expect(control.editText(1, 1, 'x')).rejects.toThrow('no message 1 of a person in 1');
    await control.remove();
    await expect(control.state()).rejects.toThrow('unknown token');
  });
});

describe('the process', () => {
  test('prints its port, serves, takes first ids and ends on SIGTERM', async () => {
    const flags = ['--any-token', '--start-update', '7000', '--start-message', '300'];
    const emulator = await spawnEmulator(new URL('./main.ts', import.meta.url), flags);
    const control = createTelegramControl(emulator.url, '55:abcdefghijklmnopqrstuvwxyz');
    expect(await control.sendDirect(1, 'x')).toEqual({ updateId: 7000, messageId: 300, queued: true });
    await emulator.stop();
    await expect(control.state()).rejects.toThrow('fetch failed');
  });
});

test('a terminal shows styles, link targets and buttons', async () => {
  const { api, control } = await stage(chats);
  await api.sendMessage(1, 'a <b>b</b> <a href="https://example.com/x">c</a>', {
    parse_mode: 'HTML',
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] },
  });
  const [message] = await control.messages(1);
  const shown = message === undefined ? '' : toTerminalText(message);
  expect(shown).toBe('a \u001b[1mb\u001b[0m \u001b[4;34mc\u001b[0m (https://example.com/x)\n[ Yes ]');
});
