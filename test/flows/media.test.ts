import { readdirSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { deltas, slowly } from '../emulators/openai/control.js';
import { everywhere, place, replyOnPage, replyOnTelegram } from './media-world.js';
import { createWorld, user, type World } from './world.js';

let world: World;
let ws: string;

beforeEach(async () => {
  world = await createWorld();
  ws = world.workspace;
});

const spool = (): readonly string[] => readdirSync(join(world.home, 'cache/outbox'));
const warnings = (message: string) => world.logger.lines.filter((line) => line.message === message);

describe.each(everywhere)('on %s', (_platform, reply) => {
  test('ME-01 attaches an unquoted path with spaces', async () => {
    await place(join(ws, 'out/my chart v2.png'));
    const arrived = await reply(world, `Here it is\nMEDIA:${ws}/out/my chart v2.png\nMore text below`);
    expect(arrived).toEqual({ texts: ['Here it is\n\nMore text below'], files: ['my chart v2.png'] });
    expect(spool()).toEqual([]);
  });

  test('ME-02 attaches quoted paths without their quotes', async () => {
    await place(join(ws, 'a b.png'));
    await place(join(ws, 'c d.png'));
    for (const quoted of [`"${ws}/a b.png"`, `\`${ws}/a b.png\``, `'${ws}/a b.png'`])
      expect(await reply(world, `Look MEDIA:${quoted}`)).toEqual({ texts: ['Look'], files: ['a b.png'] });
    expect(await reply(world, `Look MEDIA:"${ws}/a b.png" "${ws}/c d.png"`)).toEqual({
      texts: ['Look'],
      files: ['a b.png', 'c d.png'],
    });
  });

  test('ME-04 takes no punctuation into the name and leaves none behind', async () => {
    await place(join(ws, 'a.png'));
    const replies = ['See MEDIA:#.', '(MEDIA:#)', 'MEDIA:#, as asked', '**MEDIA:#**', 'MEDIA:#!'];
    const texts = ['See', undefined, 'as asked', undefined, undefined];
    for (const [index, pattern] of replies.entries()) {
      const arrived = await reply(world, pattern.replace('#', `${ws}/a.png`));
      const expected = texts[index];
      expect(arrived).toEqual({ texts: expected === undefined ? [] : [expected], files: ['a.png'] });
    }
  });

  test('ME-05 tells several directives apart and sends one file once', async () => {
    for (const name of ['x.md', 'y.md', 'a.png', 'b.png']) await place(join(ws, name));
    await symlink(join(ws, 'a.png'), join(ws, 'same.png'));
    const filesOf = async (text: string) => (await reply(world, text.replaceAll('#', ws))).files;
    expect(await filesOf('MEDIA:#/x.md, MEDIA:#/y.md')).toEqual(['x.md', 'y.md']);
    expect(await filesOf('MEDIA:#/a.pngMEDIA:#/b.png')).toEqual(['a.png', 'b.png']);
    expect(await filesOf('MEDIA:#/a.png MEDIA:#/a.png')).toEqual(['a.png']);
    expect(await filesOf('MEDIA:#/a.png\nMEDIA:#/same.png\nMEDIA:#/../workspace/a.png')).toEqual(['a.png']);
  });
});

test('ME-03 leaves a directive in code or a quote alone, and says so in the log', async () => {
  await place(join(ws, 'x.png'));
  const example = `Write \`MEDIA:${ws}/x.png\` like this:\n\`\`\`\nMEDIA:${ws}/x.png\n\`\`\`\n> MEDIA:${ws}/x.png\nEnd`;
  expect(await replyOnPage(world, example)).toEqual({ texts: [example], files: [] });
  const fenced = `\`\`\`\nMEDIA:${ws}/x.png\n\`\`\``;
  expect(await replyOnPage(world, fenced)).toEqual({ texts: [fenced], files: [] });
  expect(warnings('media tag inside code or a quotation left alone')).toHaveLength(2);
  expect((await replyOnTelegram(world, fenced)).files).toEqual([]);
});

test('ME-06 names what is missing to the person and to the agent', async () => {
  await place(join(ws, 'here.png'));
  const arrived = await replyOnTelegram(world, `Two files:\nMEDIA:${ws}/gone.png\nMEDIA:${ws}/here.png`);
  expect(arrived.files).toEqual(['here.png']);
  expect(arrived.texts.join('\n')).toContain('Two files:');
  expect(arrived.texts.join('\n')).toContain('gone.png could not be attached: there is no such file.');
  expect(arrived.texts.join('\n')).not.toContain(ws);
  await world.telegram.sendDirect(user, 'and now?');
  await world.telegram.waitForMessage(user, 'and now?');
  const request = (await world.model.requests()).at(-1);
  expect(JSON.stringify(request?.body)).toContain('gone.png could not be attached: there is no such file.');
});

test('ME-07 attaches nothing from outside the allowed folders, whether it is there or not', async () => {
  await writeFile(join(world.home, 'secret.env'), 'KEY=hidden');
  await symlink(join(world.home, 'secret.env'), join(ws, 'link.png'));
  await symlink(join(world.home, 'not-there'), join(ws, 'dangling.png'));
  const paths = [
    `${ws}/../secret.env`,
    `${ws}/../not-there.env`,
    `${world.home}/config.yaml`,
    `${ws}/link.png`,
    `${ws}/dangling.png`,
    '/proc/self/environ',
  ];
  const notices: string[] = [];
  for (const path of paths) {
    const { texts, files } = await replyOnPage(world, `MEDIA:${path}\nGood night`);
    expect(files).toEqual([]);
    expect(texts.join()).toContain('Good night');
    expect(texts.join()).not.toContain('hidden');
    notices.push(texts.join().replace(/^.*⚠️ \S+/su, ''));
  }
  expect(new Set(notices)).toEqual(
    new Set([' could not be attached: it may not be sent from where it lies.']),
  );
  for (const reply of [
    `MEDIA:file://${world.home}/config.yaml`,
    `MEDIA:${ws}/sub/%2e%2e/%2e%2e/secret.env`,
  ]) {
    const { texts, files } = await replyOnTelegram(world, `${reply}\nGood night`);
    expect(files).toEqual([]);
    expect(texts.join()).toContain('could not be attached');
  }
  const refusals = warnings('file not attached');
  expect(refusals).toHaveLength(paths.length + 2);
  expect(JSON.stringify(refusals)).not.toContain('hidden');
});

test('ME-09 tells what cannot be uploaded and sends the rest', async () => {
  await place(join(ws, 'video.mp4'), 60 * 1_048_576);
  await place(join(ws, 'photo.jpg'), 12 * 1_048_576);
  await place(join(ws, 'empty.txt'), 0);
  const empty = await replyOnTelegram(world, `Here:\nMEDIA:${ws}/empty.txt`);
  expect(empty.files).toEqual([]);
  expect(empty.texts.join()).toContain('empty.txt could not be attached: it is empty (0 bytes)');
  const large = await replyOnTelegram(world, `Here:\nMEDIA:${ws}/photo.jpg`);
  expect(large.files).toEqual(['photo.jpg']);
  expect(await world.telegram.calls({ method: 'sendDocument', ok: true })).toHaveLength(1);
  const huge = await replyOnTelegram(world, `Here:\nMEDIA:${ws}/video.mp4`);
  expect(huge.files).toEqual([]);
  expect(huge.texts.join()).toContain('Here:');
  expect(huge.texts.join()).toMatch(/video\.mp4.*60 MB.*50 MB/su);
  expect(spool()).toEqual([]);
});

test('a tool sends files by the same tags, and is told what was not attached', async () => {
  await place(join(ws, 'a.png'));
  await replyOnTelegram(world, 'Hello');
  const [delivery] = await world.passing(
    world.daemon.services.send(
      { targets: `telegram:${user}`, text: `Hi\nMEDIA:${ws}/a.png\nMEDIA:${ws}/gone.png`, key: 'k' },
      { signal: new AbortController().signal },
    ),
  );
  expect(delivery).toMatchObject({ state: 'sent' });
  expect(delivery?.detail).toContain('gone.png could not be attached');
  expect(await world.telegram.calls({ method: 'sendPhoto', ok: true })).toHaveLength(1);
  expect(spool()).toEqual([]);
});

test('a sound file goes as a voice note where the answer asks for it', async () => {
  await place(join(ws, 'say.ogg'));
  await place(join(ws, 'a.png'));
  await replyOnTelegram(world, `MEDIA:${ws}/say.ogg [[audio_as_voice]]`);
  expect(await world.telegram.calls({ method: 'sendVoice', ok: true })).toHaveLength(1);
  await replyOnTelegram(world, `MEDIA:${ws}/a.png [[as_document]]`);
  expect(await world.telegram.calls({ method: 'sendDocument', ok: true })).toHaveLength(1);
});

test('a secret under a file is taken out, and the file arrives all the same', async () => {
  await place(join(ws, 'a.png'));
  const { key } = world.model;
  // Emphasis inside the secret hides it from a look at the source.
  const hidden = `${key.slice(0, 8)}**${key.slice(8)}**`;
  const arrived = await replyOnTelegram(world, `The key: ${hidden}\nMEDIA:${ws}/a.png`);
  expect(arrived.files).toEqual(['a.png']);
  expect(arrived.texts.join()).not.toContain(key);
});

test('a copy that a crash left behind is forgotten at the next start', async () => {
  await place(join(ws, 'a.png'));
  await replyOnTelegram(world, `MEDIA:${ws}/a.png`);
  await writeFile(join(world.home, 'cache/outbox/left.png'), 'left');
  await world.stop();
  await world.start();
  expect(spool()).toEqual([]);
});

test('ME-08 never shows a directive while the answer is written', async () => {
  const streaming = await createWorld({ telegram: 'streaming: true' });
  const { telegram, model, clock, workspace, passing } = streaming;
  await place(join(workspace, 'out.png'));
  const pieces = ['Done. ', 'MED', `IA:${workspace}/o`, 'ut.p', 'ng', '\nBye', ' [[audio_', 'as_voice]]'];
  await model.respond(slowly(deltas(pieces), 'slow'));
  await telegram.sendDirect(user, 'draw');
  await model.waitFor({ gate: 'slow', waiting: 1 });
  for (const _piece of pieces) {
    await model.release('slow');
    await clock.advance(3_000);
    await telegram.state();
  }
  await model.openGate('slow');
  await passing(telegram.waitForCalls({ method: 'sendPhoto', ok: true }, 1));
  const shown = (await telegram.messages(user, { deleted: true })).flatMap(({ from, history }) =>
    from === 'bot' ? history : [],
  );
  expect(shown.join()).toContain('Done.');
  for (const one of shown) expect(one).not.toMatch(/MED|out\.png|\[\[/u);
  expect(await telegram.calls({ method: 'sendPhoto' })).toHaveLength(1);
});
