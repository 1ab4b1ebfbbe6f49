import { GrammyError, HttpError } from 'grammy';
import { describe, expect, test } from 'vitest';
import { refusalOf, useEmulator } from './harness.js';

const stage = useEmulator();
const chats = { chats: [{ id: 1 }, { id: 2 }] };

/** What the client makes of a call: its error, or `ok`. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'ok',
    (error: unknown) => error,
  );
}

describe('which calls a fault meets', () => {
  test('by method and chat, once by default', async () => {
    const { api, control } = await stage(chats);
    const fault = await control.flood({ method: 'sendMessage', chatId: 1 }, 3);
    await api.sendMessage(2, 'other chat');
    const refusal = await refusalOf(api.sendMessage(1, 'x'));
    expect(refusal.error_code).toBe(429);
    expect(refusal.description).toBe('Too Many Requests: retry after 3');
    expect(refusal.parameters.retry_after).toBe(3);
    await api.sendMessage(1, 'y');
    expect(await control.botTexts(1)).toEqual(['y']);
    expect(await fault.state()).toMatchObject({ seen: 2, fired: 1 });
  });

  test('the nth formatted one only', async () => {
    const { api, control } = await stage(chats);
    await control.fault(
      { method: 'sendMessage', formatted: true, nth: 2 },
      { kind: 'error', code: 400, description: "Bad Request: can't parse entities: nothing wrong" },
    );
    const bold = { entities: [{ type: 'bold' as const, offset: 0, length: 1 }] };
    const ends = [
      await endOf(api.sendMessage(1, 'a', bold)),
      await endOf(api.sendMessage(1, 'b')),
      await endOf(api.sendMessage(1, 'c', bold)),
      await endOf(api.sendMessage(1, 'd', bold)),
    ];
    expect(ends.map((end) => end === 'ok')).toEqual([true, true, false, true]);
  });

  test('by text, as often as asked, until it is removed', async () => {
    const { api, control } = await stage(chats);
    const fault = await control.fault(
      { textContains: 'bad', times: 'always' },
      { kind: 'html', status: 502 },
    );
    await api.sendMessage(1, 'good');
    for (let count = 0; count < 3; count += 1)
      expect(await endOf(api.sendMessage(1, 'bad'))).toBeInstanceOf(HttpError);
    await fault.remove();
    await api.sendMessage(1, 'bad');
    expect(
      (await control.calls({ method: 'sendMessage', textContains: 'bad' })).map((call) => call.status),
    ).toEqual([502, 502, 502, 200]);
  });
});

describe('unknown outcomes', () => {
  test('a dropped call may have been applied or not', async () => {
    const { api, control } = await stage(chats);
    await control.fault({ textContains: 'lost' }, { kind: 'drop', applied: false });
    await control.fault({ textContains: 'kept' }, { kind: 'drop', applied: true });
    expect(await endOf(api.sendMessage(1, 'lost'))).toBeInstanceOf(HttpError);
    expect(await endOf(api.sendMessage(1, 'kept'))).toBeInstanceOf(HttpError);
    expect(await control.botTexts(1)).toEqual(['kept']);
    const calls = await control.calls('sendMessage');
    expect(calls.map(({ outcome, applied }) => [outcome, applied])).toEqual([
      ['dropped', false],
      ['dropped', true],
    ]);
  });

  test('an answer cut half way leaves the message in the chat', async () => {
    const { url, token, control } = await stage(chats);
    await control.fault({ method: 'sendMessage' }, { kind: 'truncate' });
    // The HTTP client that grammY brings along does not notice a cut answer, so this one is read by Node's.
    const response = await fetch(`${url}/bot${token}/sendMessage?chat_id=1&text=half%20told`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await control.botTexts(1)).toEqual(['half told']);
  });

  test('a hanging call ends without an answer when it is released', async () => {
    const { api, control } = await stage(chats);
    const fault = await control.fault({ method: 'sendMessage' }, { kind: 'hang', applied: true });
    const end = endOf(api.sendMessage(1, 'there'));
    await fault.waitUntilHeld();
    expect(await control.botTexts(1)).toEqual(['there']);
    await fault.release();
    expect(await end).toBeInstanceOf(HttpError);
  });

  test('a delayed call is applied at its release, others pass it meanwhile', async () => {
    const { api, control } = await stage(chats);
    await control.fault({ textContains: 'slow' }, { kind: 'delay', applied: false });
    const slow = api.sendMessage(1, 'slow');
    await control.wait({ kind: 'held', count: 1 });
    await api.sendMessage(1, 'fast');
    expect(await control.release()).toBe(1);
    expect((await slow).text).toBe('slow');
    expect(await control.botTexts(1)).toEqual(['fast', 'slow']);
  });

  test('a delayed call whose client leaves is not applied', async () => {
    const { api, control } = await stage(chats);
    const fault = await control.fault({ textContains: 'slow' }, { kind: 'delay', applied: false });
    const leaving = new AbortController();
    // grammY types its signal after a package of its own; Node's has the same members.
    const end = endOf(api.sendMessage(1, 'slow', undefined, leaving.signal as never));
    await fault.waitUntilHeld();
    leaving.abort();
    await end;
    const [call] = await control.waitForCalls('sendMessage');
    expect(call).toMatchObject({ outcome: 'gone', applied: false });
    expect(await control.botTexts(1)).toEqual([]);
  });
});

describe('rate limit', () => {
  test('counts sends and edits per chat between ticks', async () => {
    const { api, control } = await stage({ ...chats, rateLimit: { perChat: 2, overall: 4, retryAfter: 7 } });
    const { message_id } = await api.sendMessage(1, 'a');
    await api.editMessageText(1, message_id, 'b');
    const refusal = await refusalOf(api.sendMessage(1, 'c'));
    expect(refusal).toBeInstanceOf(GrammyError);
    expect(refusal.parameters.retry_after).toBe(7);
    await api.sendMessage(2, 'a');
    await api.sendMessage(2, 'b');
    await control.tick();
    await api.sendMessage(1, 'c');
    expect(await control.botTexts(1)).toEqual(['b', 'c']);
  });

  test('holds for the whole bot too', async () => {
    const { api } = await stage({ ...chats, rateLimit: { overall: 1 } });
    await api.sendMessage(1, 'a');
    expect((await refusalOf(api.sendMessage(2, 'b'))).error_code).toBe(429);
  });
});
