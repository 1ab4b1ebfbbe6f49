import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deltas, text, toolCall } from '../emulators/openai/control.js';
import { createWorld, user } from './world.js';

const stranger = 6666;

describe('strangers', () => {
  test('SC-01 get at most one answer in private and none in a group, and cost nothing', async () => {
    const group = -100500;
    const { telegram, model, home } = await createWorld({ telegramWorld: { chats: [{ id: group }] } });
    const photo = { photo: [{ file_id: 'p', file_unique_id: 'u', width: 1, height: 1 }] };
    const voice = { voice: { file_id: 'v', file_unique_id: 'w', duration: 3 } };
    const kinds = [{}, { fields: photo }, { fields: voice }];
    for (let count = 0; count < 30; count += 1) {
      const words = count % 4 === 3 ? '/status' : `let me in ${count}`;
      await telegram.sendText(stranger, stranger, words, kinds[count % kinds.length]);
      await telegram.sendText(stranger, group, `@bot ${words}`, kinds[count % kinds.length]);
    }
    const last = await telegram.sendDirect(user, 'marker');
    await telegram.waitForConfirmed(last.updateId);
    await telegram.waitForMessage(user, 'marker');
    expect(await telegram.botTexts(stranger)).toEqual([expect.stringContaining(String(stranger))]);
    expect(await telegram.botTexts(group)).toEqual([]);
    expect(await telegram.calls('getFile')).toEqual([]);
    expect(await model.requests()).toHaveLength(1);
    const database = await Promise.all(
      ['state.db', 'state.db-wal'].map((name) => readFile(join(home, name))),
    );
    expect(Buffer.concat(database).includes('let me in')).toBe(false);
  });
});

describe('secrets', () => {
  test('SC-07 stay out of logs, chats and status whatever fails', async () => {
    const { telegram, model, logger, daemon, passing } = await createWorld();
    await model.respond(text(`the token is ${telegram.token} and the key ${model.key}`));
    await telegram.fault({ method: 'sendChatAction', times: 'always' }, { kind: 'drop', applied: false });
    await telegram.fault({ method: 'getUpdates', times: 2 }, { kind: 'drop', applied: false });
    await telegram.sendDirect(user, 'what is the token?');
    const answer = await passing(telegram.waitForMessage(user, 'the token is'));
    await telegram.sendDirect(user, '/status');
    const status = await passing(telegram.waitForMessage(user, 'Model'));
    const everything = [
      answer.text,
      status.text,
      logger.text(['debug', 'info', 'warn', 'error']),
      JSON.stringify(await daemon.services.status()),
    ].join('\n');
    expect(everything).not.toContain(telegram.token);
    expect(everything).not.toContain(telegram.token.split(':')[1]);
    expect(everything).not.toContain(model.key);
  });

  test('stay out of the model when a tool is asked to read them', async () => {
    const { telegram, model, workspace } = await createWorld();
    await writeFile(join(workspace, '.env'), 'API_TOKEN=very-secret-value');
    await writeFile(join(workspace, 'notes.txt'), 'milk and bread');
    await model.respond(
      toolCall('read_file', { path: '.env' }),
      toolCall('read_file', { path: '../config.yaml' }),
      toolCall('read_file', { path: 'notes.txt' }),
      text('done'),
    );
    await telegram.sendDirect(user, 'read');
    await telegram.waitForMessage(user, 'done');
    const last = JSON.stringify((await model.requests()).at(-1)?.body);
    expect(last).toContain('milk and bread');
    expect(last).not.toContain('very-secret-value');
    expect(last).not.toContain('api_root');
  });
});

describe('what a model lets slip', () => {
  test('is starred on the page while it is written, and under markup in a chat', async () => {
    const { telegram, model, pageUrl } = await createWorld();
    const half = Math.floor(model.key.length / 2);
    await model.respond(
      deltas(['the key is ', model.key.slice(0, half), model.key.slice(half), ' and more']),
    );
    const session = new URL('/api/sessions/leak/', pageUrl());
    const events = await fetch(new URL('events', session));
    await fetch(new URL('messages', session), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'tell me' }),
    });
    let seen = '';
    for await (const bytes of events.body ?? []) {
      seen += new TextDecoder().decode(bytes);
      if (seen.includes('stopReason')) break;
    }
    const shown = [...seen.matchAll(/"text":"([^"]*)"/gu)].map(([, part]) => part).join('');
    expect(shown).toContain('and more');
    expect(shown).not.toContain(model.key);
    await model.respond(text(`${telegram.token.slice(0, 20)}**${telegram.token.slice(20)}**`));
    await telegram.sendDirect(user, 'and the token?');
    const answer = await telegram.waitForBotMessages(user, 1);
    expect(answer[0]?.text).not.toContain(telegram.token);
  });
});

describe('an answer that cannot be seen', () => {
  test.each(['\u200b', '```\n```', '#'])('becomes a sentence: %j', async (invisible) => {
    const { telegram, model } = await createWorld();
    await model.otherwise(text(invisible));
    await telegram.sendDirect(user, 'say nothing');
    const [answer] = await telegram.waitForBotMessages(user, 1);
    expect(answer?.text.length).toBeGreaterThan(20);
  });
});
