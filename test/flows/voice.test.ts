/** Voice to voice with real programs: eSpeak NG speaks, PocketSphinx recognises, eSpeak NG answers. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { hasPrograms, probe, quiet, record, say, temporaryFolder } from '../voice/voice-bed.js';
import { createWorld, discordUser, otherDiscordUser, user, type World } from './world.js';

const grammar =
  '#JSGF V1.0;\ngrammar phrases;\npublic <phrase> = turn on the light | slash status | hello world;\n';

const speech = async (folder: string, { tts = "mode: 'on'", stt = '' } = {}): Promise<string> => {
  const path = join(folder, 'phrases.gram');
  await writeFile(path, grammar);
  const local = `local: {command: [pocketsphinx_continuous], grammar: '${path}'}`;
  return `stt: {provider: local, ${local}${stt}}\ntts: {provider: local, ${tts}}`;
};

const opus = ['-c:a', 'libopus', '-ac', '1'];

const noteOf = (folder: string, words: string): string =>
  record(folder, `${words}.ogg`, ['-i', say(folder, `${words}.wav`, words)], opus);

const sayOnTelegram = async ({ telegram }: World, path: string, more: object = {}): Promise<void> => {
  const bytes = await readFile(path);
  const { fileId } = await telegram.addFile({ bytes, mimeType: 'audio/ogg' });
  const file = { file_id: fileId, file_unique_id: 'u', mime_type: 'audio/ogg', file_size: bytes.length };
  const fields = { voice: { ...file, duration: 2 }, ...more };
  await telegram.pushUpdate({ kind: 'message', userId: user, fields });
};

const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 15_000, interval: 20 });

/** Voice messages that arrived in Telegram, with what the call said of them. */
const bubbles = ({ telegram }: World) => telegram.calls({ method: 'sendVoice', ok: true });

const download = async ({ telegram }: World, fileId: string, to: string): Promise<string> => {
  const root = telegram.apiRoot;
  const answer = await fetch(`${root}/bot${telegram.token}/getFile?file_id=${fileId}`);
  const { result } = (await answer.json()) as { result: { file_path: string } };
  const bytes = await (await fetch(`${root}/file/bot${telegram.token}/${result.file_path}`)).arrayBuffer();
  await writeFile(to, Buffer.from(bytes));
  return to;
};

const leftIn = ({ home }: World) => readdir(join(home, 'cache/voice')).catch(() => []);

describe.skipIf(!hasPrograms)('voice', () => {
  test('VO-07 goes round in Telegram: understood, answered in words, and spoken in a bubble', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder, { stt: ', echo: true' }) });
    await world.model.respond(text('The **light** is on: it costs $3.'));
    await sayOnTelegram(world, noteOf(folder, 'turn on the light'));
    await world.telegram.waitForMessage(user, '🎤 turn on the light');
    await world.telegram.waitForMessage(user, 'The light is on');
    expect((await world.model.requests()).at(-1)?.lastUserText).toMatch(
      /^\[voice note of 2 s, transcribed by a machine, which may mishear\]\nturn on the light$/u,
    );
    await eventually(async () => (await bubbles(world)).length).toBe(1);
    const [call] = await bubbles(world);
    const { voice } = (call?.response?.ok === true ? call.response.result : {}) as {
      voice: { file_id: string; duration: number };
    };
    const heard = probe(await download(world, voice.file_id, join(folder, 'heard.ogg')));
    expect(heard).toMatchObject({ codec: 'opus', channels: 1, sampleRate: 48_000, container: 'ogg' });
    expect(Math.abs(heard.seconds - voice.duration)).toBeLessThan(1);
    expect(await leftIn(world)).toEqual([]);
  });

  test('DC-08 goes round in Discord: one message with the flag, one file, its length and waveform, and no text', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({
      discord: 'streaming: false',
      discordWorld: { users: [discordUser, otherDiscordUser].map((id) => ({ id, username: `u${id}` })) },
      settings: await speech(folder),
    });
    const contentBase64 = (await readFile(noteOf(folder, 'hello world'))).toString('base64');
    const files = [{ name: 'voice-message.ogg', contentType: 'audio/ogg', contentBase64 }];
    const { channelId } = await world.discord.sayDirect(discordUser, '', { files, flags: 8192 });
    await world.discord.waitForMessage(channelId, 'hello world');
    await eventually(
      async () => (await world.discord.messages(channelId)).filter((one) => one.byBot).length,
    ).toBe(2);
    const [words, bubble] = (await world.discord.messages(channelId)).filter((one) => one.byBot);
    expect(words?.flags).not.toBe(8192);
    expect(bubble).toMatchObject({ flags: 8192, content: '' });
    const [file, ...others] = bubble?.attachments ?? [];
    expect(others).toEqual([]);
    expect(Buffer.from(file?.waveform ?? '', 'base64')).toHaveLength(64);
    const path = join(folder, 'bubble.ogg');
    await writeFile(path, Buffer.from(file?.contentBase64 ?? '', 'base64'));
    const heard = probe(path);
    expect(heard).toMatchObject({ codec: 'opus', channels: 1, sampleRate: 48_000, container: 'ogg' });
    expect(Math.abs(heard.seconds - (file?.durationSeconds ?? 0))).toBeLessThan(0.2);
  });

  test('goes round on the page: recorded there, answered in words and with a sound to play', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder) });
    const said = record(
      folder,
      'v.webm',
      ['-i', say(folder, 'w.wav', 'turn on the light')],
      ['-c:a', 'libopus'],
    );
    const data = (await readFile(said)).toString('base64');
    const root = `${world.pageUrl()}api/sessions/voice`;
    const files = [{ name: 'voice-message.webm', type: 'audio/webm', data, voice: true }];
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(`${root}/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ files }),
    });
    expect(sent.status).toBe(202);
    const shown = async () => JSON.stringify(await (await fetch(`${root}/messages`)).json());
    await eventually(shown).toContain('turn on the light');
    await eventually(shown).toContain('voice.ogg');
    const [, url = ''] = /"url":"([^"]+)","name":"voice\.ogg"/u.exec(await shown()) ?? [];
    const path = join(folder, 'played.ogg');
    await writeFile(path, Buffer.from(await (await fetch(new URL(url, world.pageUrl()))).arrayBuffer()));
    expect(probe(path)).toMatchObject({ codec: 'opus', channels: 1, sampleRate: 48_000 });
  });

  test('a round video is listened to; a sound file, sent or forwarded, stays a file', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder) });
    const picture = ['-f', 'lavfi', '-i', 'color=c=blue:s=240x240:r=10:d=3'];
    const sound = say(folder, 'w.wav', 'turn on the light');
    const path = record(folder, 'round.mp4', [...picture, '-i', sound], ['-c:a', 'aac', '-shortest']);
    const bytes = await readFile(path);
    const sent = await world.telegram.addFile({ bytes, mimeType: 'video/mp4' });
    const round = { file_id: sent.fileId, file_unique_id: 'r', file_size: bytes.length };
    const fields = { video_note: { ...round, duration: 3, length: 240 } };
    await world.telegram.pushUpdate({ kind: 'message', userId: user, fields });
    await world.model.waitFor({ requests: 1, idle: true });
    expect((await world.model.requests()).at(-1)?.lastUserText).toMatch(
      /^\[video note of 3 s saved at \S+\.mp4: .+transcribed by a machine, which may mishear\]\nturn on the light$/u,
    );
    await eventually(async () => (await bubbles(world)).length).toBe(1);
    const song = await readFile(noteOf(folder, 'hello world'));
    const { fileId } = await world.telegram.addFile({ bytes: song, mimeType: 'audio/ogg' });
    const audio = { file_id: fileId, file_unique_id: 's', mime_type: 'audio/ogg', file_size: song.length };
    const from = { forward_origin: { type: 'hidden_user', sender_user_name: 'B', date: 1_700_000_000 } };
    const forwarded = { audio: { ...audio, duration: 2 }, ...from };
    await world.telegram.pushUpdate({ kind: 'message', userId: user, fields: forwarded });
    await world.passing(world.model.waitFor({ requests: 2, idle: true }));
    const asked = (await world.model.requests()).at(-1)?.lastUserText;
    expect(asked).toContain('audio file of 2 s saved at');
    expect(asked).not.toContain('transcribed');
  });

  test('a command that is said is obeyed', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder) });
    await sayOnTelegram(world, noteOf(folder, 'slash status'));
    await world.telegram.waitForMessage(user, 'I am idle');
    expect(await world.model.requests()).toEqual([]);
  });

  test('VO-02 silence is told once and asks nobody; with words beside it there is a turn', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder) });
    const path = record(folder, 'quiet.ogg', quiet(3), opus);
    await sayOnTelegram(world, path);
    await eventually(async () => {
      await world.clock.advance(100);
      return (await world.telegram.botTexts(user)).join();
    }).toContain('could not hear anything');
    expect(await world.model.requests()).toEqual([]);
    await sayOnTelegram(world, path, { caption: 'what is this?' });
    await world.model.waitFor({ requests: 1, idle: true });
    expect((await world.model.requests()).at(-1)?.lastUserText).toContain('what is this?');
  });

  test('/voice is kept across a restart, and always speaks', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder, { tts: "mode: 'off'" }) });
    await world.telegram.sendDirect(user, '/voice always');
    await world.telegram.waitForMessage(user, 'I speak every answer');
    await world.telegram.sendDirect(user, '/voice only');
    await world.telegram.waitForMessage(user, 'write only what speech leaves out');
    await world.stop();
    await world.start();
    await world.telegram.sendDirect(user, 'good morning');
    await eventually(async () => (await bubbles(world)).length).toBe(1);
    expect((await world.telegram.botTexts(user)).join()).not.toContain('echo: good morning');
    await world.model.respond(text('Look:\n```js\nx()\n```'));
    await world.telegram.sendDirect(user, 'code please');
    await world.telegram.waitForMessage(user, 'x()');
  });

  test('a voice message to somebody who takes none goes as a sound file, after its words', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({ settings: await speech(folder, { tts: 'mode: always' }) });
    const description = 'Bad Request: VOICE_MESSAGES_FORBIDDEN';
    await world.telegram.fault(
      { method: 'sendVoice', times: 'always' },
      { kind: 'error', code: 400, description },
    );
    await world.telegram.sendDirect(user, 'good morning');
    await world.telegram.waitForMessage(user, 'echo: good morning');
    await eventually(async () => (await world.telegram.calls({ method: 'sendAudio', ok: true })).length).toBe(
      1,
    );
    expect(await bubbles(world)).toEqual([]);
  });

  test('where Discord takes no voice message it goes as a plain file', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({
      discord: 'streaming: false',
      discordWorld: { users: [discordUser, otherDiscordUser].map((id) => ({ id, username: `u${id}` })) },
      settings: await speech(folder, { tts: 'mode: always' }),
    });
    await world.discord.fault({
      call: '^POST /channels/\\d+/messages',
      nth: 2,
      action: { kind: 'answer', status: 403, body: { message: 'Missing Permissions', code: 50_013 } },
    });
    const { channelId } = await world.discord.sayDirect(discordUser, 'good morning');
    const sent = async () => (await world.discord.messages(channelId)).filter((one) => one.byBot);
    await eventually(async () => (await sent()).length).toBe(2);
    const [written, file] = await sent();
    expect(written?.content).toContain('good morning');
    expect(file?.flags).not.toBe(8192);
    expect(file?.attachments).toHaveLength(1);
  });

  test('VO-08 a stop while an answer is spoken ends the program and leaves nothing; the next start speaks once', async () => {
    const folder = await temporaryFolder();
    const script = join(folder, 'speak.sh');
    const wait = `while [ ! -e '${folder}/go' ] && [ -d '${folder}' ]; do sleep 0.05; done`;
    await writeFile(script, `echo $$ >> '${folder}/pids'\n${wait}\nespeak-ng -f "$1" -w "$2"\n`);
    const command = `[sh, '${script}', '{text_file}', '{output}']`;
    const world = await createWorld({
      settings: await speech(folder, { tts: `mode: always, local: {command: ${command}}` }),
    });
    await world.telegram.sendDirect(user, 'good morning');
    const pids = async () => (await readFile(join(folder, 'pids'), 'utf8').catch(() => '')).split('\n');
    await eventually(async () => (await pids()).length).toBe(2);
    await world.stop();
    const [pid = ''] = await pids();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(await leftIn(world)).toEqual([]);
    expect(await bubbles(world)).toEqual([]);
    await writeFile(join(folder, 'go'), '');
    await world.start();
    await eventually(async () => (await bubbles(world)).length).toBe(1);
    const texts = await world.telegram.botTexts(user);
    expect(texts.filter((one) => one.includes('echo: good morning'))).toHaveLength(1);
  });

  test('an answer that cannot be spoken is written, and says why', async () => {
    const folder = await temporaryFolder();
    const world = await createWorld({
      settings: await speech(folder, { tts: "mode: always, local: {command: ['false']}" }),
    });
    await world.telegram.sendDirect(user, '/voice only');
    await world.telegram.waitForMessage(user, 'From now on');
    await world.telegram.sendDirect(user, 'good morning');
    await world.telegram.waitForMessage(user, 'echo: good morning');
    await world.telegram.waitForMessage(user, 'I could not say this aloud: false failed (exit code 1).');
    expect(await bubbles(world)).toEqual([]);
  });
});
