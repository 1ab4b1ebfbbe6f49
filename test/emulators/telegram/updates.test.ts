import { Bot } from 'grammy';
import { describe, expect, test } from 'vitest';
import { descriptionOf, refusalOf, useEmulator } from './harness.js';

const stage = useEmulator();
const CONFLICT =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

describe('polling', () => {
  test("grammY's bot answers what a person writes", async () => {
    const { token, url, control } = await stage();
    const bot = new Bot(token, { client: { apiRoot: url } });
    bot.command('start', (context) => context.reply(`welcome ${context.from?.first_name}`));
    const running = bot.start();
    await control.waitForPoll();
    const { updateId } = await control.sendDirect(1001, '/start');
    const answer = await control.waitForMessage(1001, 'welcome');
    expect(answer.text).toBe('welcome User 1001');
    await control.waitForConfirmed(updateId);
    await bot.stop();
    await running;
  });

  test('an update is given again until a later offset confirms it', async () => {
    const { api, control } = await stage();
    const { updateId } = await control.sendDirect(1001, 'one');
    await control.sendDirect(1001, 'two');
    const ids = async (offset: number): Promise<number[]> =>
      (await api.getUpdates({ offset })).map((update) => update.update_id);
    expect(await ids(0)).toEqual([updateId, updateId + 1]);
    expect(await ids(0)).toEqual([updateId, updateId + 1]);
    expect(await ids(updateId + 1)).toEqual([updateId + 1]);
    expect(await ids(0)).toEqual([updateId + 1]);
    expect(await ids(updateId + 2)).toEqual([]);
  });

  test('a negative offset keeps only the last ones', async () => {
    const { api, control } = await stage();
    for (const text of ['a', 'b', 'c']) await control.sendDirect(1001, text);
    const texts = (await api.getUpdates({ offset: -1 })).map((update) => update.message?.text);
    expect(texts).toEqual(['c']);
    expect(await api.getUpdates()).toHaveLength(1);
  });

  test('an offset far ahead is not believed', async () => {
    const { api, control } = await stage();
    await control.sendDirect(1001, 'kept');
    expect(await api.getUpdates({ offset: 900_000 })).toHaveLength(1);
  });

  test('at most the limit is given', async () => {
    const { api, control } = await stage();
    for (let count = 0; count < 5; count += 1) await control.sendDirect(1001, `text ${count}`);
    expect(await api.getUpdates({ limit: 2 })).toHaveLength(2);
  });

  test('a waiting poll ends at once with an update, and in time without one', async () => {
    const { api, control } = await stage();
    const waiting = api.getUpdates({ timeout: 30 });
    await control.waitForPoll();
    await control.sendDirect(1001, 'now');
    expect(await waiting).toHaveLength(1);
    const before = performance.now();
    expect(await api.getUpdates({ offset: 1_001, timeout: 1 })).toEqual([]);
    expect(performance.now() - before).toBeGreaterThan(900);
  });

  test('a second poll ends the first with 409 and takes its place', async () => {
    const { api, control } = await stage();
    const first = refusalOf(api.getUpdates({ timeout: 30 }));
    await control.waitForPoll();
    const second = api.getUpdates({ timeout: 30 });
    const refusal = await first;
    expect(refusal.error_code).toBe(409);
    expect(refusal.description).toBe(CONFLICT);
    await control.sendDirect(1001, 'to the second');
    expect(await second).toHaveLength(1);
  });

  test('a poller that leaves without confirming loses nothing', async () => {
    const { api, control } = await stage();
    const leaving = new AbortController();
    // grammY types its signal after a package of its own; Node's has the same members.
    const left = api.getUpdates({ timeout: 30 }, leaving.signal as never).catch(() => 'left');
    await control.waitForPoll();
    leaving.abort();
    expect(await left).toBe('left');
    await control.waitForCalls('getUpdates');
    await control.sendDirect(1001, 'later');
    expect(await api.getUpdates()).toHaveLength(1);
    expect((await control.calls('getUpdates'))[0]?.outcome).toBe('gone');
  });

  test('conflicts on demand end the waiting poll and the next ones', async () => {
    const { api, control } = await stage();
    const waiting = descriptionOf(api.getUpdates({ timeout: 30 }));
    await control.waitForPoll();
    await control.conflict(2);
    expect(await waiting).toBe(CONFLICT);
    expect(await descriptionOf(api.getUpdates())).toBe(CONFLICT);
    expect(await api.getUpdates()).toEqual([]);
  });

  test('a webhook and polling exclude each other', async () => {
    const { api, control } = await stage();
    const waiting = descriptionOf(api.getUpdates({ timeout: 30 }));
    await control.waitForPoll();
    await api.setWebhook('https://bot.example.com/hook');
    expect(await waiting).toBe('Conflict: terminated by setWebhook request');
    expect((await refusalOf(api.getUpdates())).error_code).toBe(409);
    expect((await api.getWebhookInfo()).url).toBe('https://bot.example.com/hook');
    await control.sendDirect(1001, 'dropped');
    await api.deleteWebhook({ drop_pending_updates: true });
    expect(await api.getUpdates()).toEqual([]);
  });
});

describe('kinds of updates', () => {
  test('allowed_updates are remembered until they are changed', async () => {
    const { api, control } = await stage();
    await api.getUpdates({ allowed_updates: ['edited_message'] });
    const { messageId = 0, queued } = await control.sendDirect(1001, 'not wanted');
    expect(queued).toBe(false);
    await control.editText(1001, messageId, 'wanted');
    const [update] = await api.getUpdates();
    expect(update?.edited_message).toMatchObject({ text: 'wanted', message_id: messageId });
    expect(update?.edited_message?.edit_date).toBeTypeOf('number');
    await api.getUpdates({ allowed_updates: [] });
    expect((await control.sendDirect(1001, 'wanted again')).queued).toBe(true);
  });

  test('an update can be delivered twice under one id although it was confirmed', async () => {
    const { api, control } = await stage();
    const { updateId } = await control.sendDirect(1001, 'twice');
    await api.getUpdates({ offset: updateId + 1 });
    await control.redeliver(updateId);
    const again = await api.getUpdates({ offset: updateId + 1 });
    expect(again.map((update) => update.update_id)).toEqual([updateId]);
    expect(await api.getUpdates({ offset: updateId + 1 })).toEqual([]);
  });

  test('a press of a button is answered once', async () => {
    const { api, control } = await stage({ chats: [{ id: 1001 }] });
    const sent = await api.sendMessage(1001, 'choose', {
      reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] },
    });
    await control.press(1001, 1001, sent.message_id, 'yes');
    const [update] = await api.getUpdates();
    expect(update?.callback_query).toMatchObject({
      data: 'yes',
      from: { id: 1001 },
      message: { message_id: sent.message_id },
    });
    const id = update?.callback_query?.id ?? '';
    expect(await api.answerCallbackQuery(id)).toBe(true);
    expect(await descriptionOf(api.answerCallbackQuery(id))).toContain('query is too old');
  });

  test('a photo, a forum topic and a raw update arrive as they were given', async () => {
    const { api, control } = await stage();
    const photo = [{ file_id: 'p', file_unique_id: 'u', width: 1, height: 1 }];
    await control.pushUpdate({ kind: 'message', userId: 1001, fields: { photo, caption: 'see @some_name' } });
    await control.sendText(1001, -1009000777, 'in a topic', { threadId: 314 });
    await control.pushUpdate({ kind: 'raw', update: { poll: { id: '1' } } });
    const [first, second, third] = await api.getUpdates();
    expect(first?.message).toMatchObject({
      photo,
      caption: 'see @some_name',
      caption_entities: [{ type: 'mention' }],
    });
    expect(second?.message).toMatchObject({
      message_thread_id: 314,
      is_topic_message: true,
      chat: { is_forum: true },
    });
    expect(third).toEqual({ update_id: (second?.update_id ?? 0) + 1, poll: { id: '1' } });
  });

  test('a reply in a supergroup carries a thread id that is no topic', async () => {
    const { api, control } = await stage();
    const group = -1009000001;
    const { messageId = 0 } = await control.sendText(1001, group, 'root');
    await control.sendText(1002, group, 'answer', { replyTo: messageId });
    const update = (await api.getUpdates())[1];
    expect(update?.message).toMatchObject({
      message_thread_id: messageId,
      reply_to_message: { message_id: messageId },
    });
    expect(update?.message?.is_topic_message).toBeUndefined();
    const refused = api.sendMessage(group, 'x', { message_thread_id: messageId });
    expect(await descriptionOf(refused)).toBe('Bad Request: message thread not found');
  });

  test('blocking and unblocking change what the bot may do', async () => {
    const { api, control } = await stage();
    await control.sendDirect(1001, 'hi');
    await control.pushUpdate({ kind: 'my_chat_member', userId: 1001, chatId: 1001, status: 'kicked' });
    expect(await descriptionOf(api.sendMessage(1001, 'x'))).toBe('Forbidden: bot was blocked by the user');
    await control.pushUpdate({ kind: 'my_chat_member', userId: 1001, chatId: 1001, status: 'member' });
    await api.sendMessage(1001, 'x');
    const statuses = (await api.getUpdates()).flatMap(
      (update) => update.my_chat_member?.new_chat_member.status ?? [],
    );
    expect(statuses).toEqual(['kicked', 'member']);
  });
});

describe('privacy mode', () => {
  const group = -1009000002;

  test('hides from the bot what is not addressed to it', async () => {
    const { api, control } = await stage({ privacyMode: true, bot: { username: 'my_bot' } });
    const own = await control.sendText(1001, group, '/ask@my_bot');
    const sent = await api.sendMessage(group, 'from the bot');
    const seen = async (text: string, replyTo?: number): Promise<boolean> =>
      (await control.sendText(1001, group, text, replyTo === undefined ? {} : { replyTo })).queued;
    expect(own.queued).toBe(true);
    expect(await seen('just talk')).toBe(false);
    expect(await seen('/ask')).toBe(true);
    expect(await seen('/ask@other_bot')).toBe(false);
    expect(await seen('hey @My_Bot')).toBe(true);
    expect(await seen('mail me@my_bot')).toBe(false);
    expect(await seen('answer', sent.message_id)).toBe(true);
    expect((await api.getMe()).can_read_all_group_messages).toBe(false);
  });

  test('is off by default and does not bind an administrator', async () => {
    const open = await stage();
    expect((await open.control.sendText(1001, group, 'just talk')).queued).toBe(true);
    const closed = await stage({ privacyMode: true, chats: [{ id: group, botIsAdmin: true }] });
    expect((await closed.control.sendText(1001, group, 'just talk')).queued).toBe(true);
  });
});

describe('commands', () => {
  test('are kept as they were set, by scope', async () => {
    const { api } = await stage();
    const commands = [{ command: 'start', description: 'Begin' }];
    await api.setMyCommands(commands);
    expect(await api.getMyCommands()).toEqual(commands);
    expect(await api.getMyCommands({ scope: { type: 'all_group_chats' } })).toEqual([]);
  });

  test('are refused with a wrong name, without a description, or over a hundred', async () => {
    const { api } = await stage();
    const set = (command: string, description = 'x'): Promise<string> =>
      descriptionOf(api.setMyCommands([{ command, description }]));
    expect(await set('New-Chat')).toBe('Bad Request: BOT_COMMAND_INVALID');
    expect(await set('a'.repeat(33))).toBe('Bad Request: BOT_COMMAND_INVALID');
    expect(await set('new', '')).toBe('Bad Request: BOT_COMMAND_DESCRIPTION_INVALID');
    expect(await set('new', 'x'.repeat(257))).toBe('Bad Request: BOT_COMMAND_DESCRIPTION_INVALID');
    const many = Array.from({ length: 101 }, (_, index) => ({ command: `c${index}`, description: 'x' }));
    expect(await descriptionOf(api.setMyCommands(many))).toBe('Bad Request: BOT_COMMANDS_TOO_MUCH');
  });
});
