import { afterEach, describe, expect, test } from 'vitest';
import { KeepingSink } from '../adapter-bed.js';
import { anySignal, createBed, type DiscordBed, general, otherPerson, person, server } from './harness.js';

let bed: DiscordBed;
afterEach(() => bed.control.remove());

const textsOf = (sink: KeepingSink): readonly string[] =>
  sink.events.flatMap((event) =>
    event.type === 'action' ? [] : event.parts.map((part) => (part.type === 'text' ? part.text : part.type)),
  );

describe('what was written while nobody listened', () => {
  test('is fetched at the next start, in its order, and nothing twice', async () => {
    bed = await createBed(undefined, { require_mention: false });
    const { control, sink } = bed;
    const first = bed.run();
    await first.waitForStatus(({ state }) => state === 'connected');
    await control.sayDirect(person, 'before');
    await control.say(person, general, 'before, in the channel');
    await sink.waitFor(2);
    await first.stop();
    await control.invalidate({ resumable: false });
    for (const text of ['one', 'two', 'three']) await control.sayDirect(person, text, { dispatch: false });
    await control.say(person, general, 'in the channel', { dispatch: false });
    const later = new KeepingSink();
    const second = bed.run(later);
    await later.waitFor(4);
    await second.stop();
    expect(textsOf(later)).toEqual(['one', 'two', 'three', 'in the channel']);
    expect(later.events.map(({ dedupeKey }) => dedupeKey)).toHaveLength(
      new Set(later.events.map(({ dedupeKey }) => dedupeKey)).size,
    );
    expect(later.events.at(-1)?.origin).toMatchObject({
      chat: general,
      chatKind: 'group',
      chatTitle: 'general',
    });
  });

  test('is found in a channel where nothing was written before, with what its author may do there', async () => {
    bed = await createBed(undefined, { require_mention: false, allowed_roles: ['500000000000000001'] });
    const { control } = bed;
    const first = bed.run();
    await first.waitForStatus(({ state }) => state === 'connected');
    await expect
      .poll(async () => JSON.stringify(await bed.notes.read(`seen:${bed.botId}`)))
      .toContain('since');
    await first.stop();
    await control.invalidate({ resumable: false });
    await control.say(person, general, 'anyone there?', { dispatch: false });
    await control.say(otherPerson, general, 'me too', { dispatch: false });
    await control.say(person, general, 'hello?', { dispatch: false });
    await control.clearCalls();
    const later = new KeepingSink();
    const second = bed.run(later);
    await later.waitFor(3);
    await second.stop();
    expect(textsOf(later)).toEqual(['anyone there?', 'me too', 'hello?']);
    expect(later.events.map(({ sender }) => sender.roles)).toEqual([
      ['500000000000000001'],
      undefined,
      ['500000000000000001'],
    ]);
    expect(await control.calls('GET /guilds/')).toHaveLength(2);
  });

  test('is found in a private chat that began meanwhile, of a person who is allowed by id', async () => {
    bed = await createBed(undefined, { allowed_users: [person, '800000000000000099'] });
    const { control } = bed;
    const first = bed.run();
    await first.waitForStatus(({ state }) => state === 'connected');
    await expect
      .poll(async () => JSON.stringify(await bed.notes.read(`seen:${bed.botId}`)))
      .toContain('since');
    await first.stop();
    await control.invalidate({ resumable: false });
    await control.sayDirect(person, 'my first word', { dispatch: false });
    const later = new KeepingSink();
    const second = bed.run(later);
    await later.waitFor(1);
    await second.stop();
    expect(textsOf(later)).toEqual(['my first word']);
  });

  test('is left alone where it is older than a day', async () => {
    bed = await createBed();
    const { control, sink, clock } = bed;
    const first = bed.run();
    await first.waitForStatus(({ state }) => state === 'connected');
    await control.sayDirect(person, 'before');
    await sink.waitFor(1);
    await first.stop();
    await control.sayDirect(person, 'long ago', { dispatch: false });
    await clock.advance(25 * 3_600_000);
    await control.sayDirect(person, 'just now', { dispatch: false, sentAt: clock.now() });
    const later = new KeepingSink();
    const second = bed.run(later);
    await later.waitFor(1);
    await second.stop();
    expect(textsOf(later)).toEqual(['just now']);
  });
});

describe('the connection', () => {
  test('that cannot be made is tried again, and told', async () => {
    bed = await createBed();
    const { control, sink, clock } = bed;
    const body = 'down for maintenance';
    await control.fault({
      call: '^GET /gateway/bot',
      times: 2,
      action: { kind: 'answer', status: 503, body },
    });
    const running = bed.run();
    const status = await running.waitForStatus(({ state }) => state === 'unhealthy');
    expect(status.detail).toContain('Discord cannot be reached');
    await clock.waitForSleep(700, 1_000);
    await clock.advance(1_000);
    await clock.waitForSleep(1_500, 2_000);
    await clock.advance(2_000);
    await running.waitForStatus(({ state }) => state === 'connected');
    await control.sayDirect(person, 'hello');
    await sink.waitFor(1);
    await running.stop();
  });

  test('that the server wants moved goes on where it was', async () => {
    bed = await createBed();
    const { control, sink } = bed;
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await control.askToReconnect();
    await control.sayDirect(person, 'meanwhile');
    await sink.waitFor(1);
    const { identifies, resumes } = await control.state();
    expect(identifies).toBe(1);
    expect(resumes.map(({ accepted }) => accepted)).toEqual([true]);
    expect(running.statuses.map(({ state }) => state)).not.toContain('unhealthy');
    await running.stop();
  });

  test('that cannot be resumed begins anew, and what was missed is fetched', async () => {
    bed = await createBed();
    const { control, sink } = bed;
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await control.sayDirect(person, 'first');
    await sink.waitFor(1);
    await control.invalidate({ resumable: false });
    await control.closeGateway(4009);
    await control.sayDirect(person, 'meanwhile', { dispatch: false });
    const pauseMs = await bed.clock.waitForSleep(1_000, 5_000);
    expect((await control.state()).identifies).toBe(1);
    await bed.clock.advance(pauseMs);
    await control.wait({ kind: 'sessions', count: 2 });
    await sink.waitFor(2);
    expect(textsOf(sink)).toEqual(['first', 'meanwhile']);
    await running.stop();
  });

  test('that is silent though it stands is opened anew', async () => {
    bed = await createBed();
    const { control, clock } = bed;
    const running = bed.run();
    await running.waitForStatus(({ state }) => state === 'connected');
    await clock.waitForSleep(300_000, 300_000);
    await clock.advance(300_000);
    await control.wait({ kind: 'sessions', count: 2 });
    await running.stop();
  });
});

test('a thread that nobody announced is asked for, and belongs to its channel', async () => {
  bed = await createBed();
  const { control, sink } = bed;
  const running = bed.run();
  await running.waitForStatus(({ state }) => state === 'connected');
  const thread = '600000000000000900';
  await control.setChannel({ id: thread, name: 'aside', type: 11, parent_id: general, guildId: server });
  await control.say(person, thread, 'hi');
  await sink.waitFor(1);
  expect(sink.events[0]?.origin).toMatchObject({ chat: general, thread, chatTitle: 'general' });
  await running.stop();
});

test('an edit of a person is told, a preview of a link is not', async () => {
  bed = await createBed();
  const { control, sink } = bed;
  const running = bed.run();
  await running.waitForStatus(({ state }) => state === 'connected');
  const { messageId, channelId } = await control.sayDirect(person, 'helo');
  await control.dispatch('MESSAGE_UPDATE', {
    id: messageId,
    channel_id: channelId,
    author: { id: person },
    content: 'helo',
    type: 0,
    embeds: [{ type: 'link' }],
  });
  await control.edit(messageId, 'hello');
  await sink.waitFor(2);
  expect(sink.events.map(({ type }) => type)).toEqual(['message', 'edit']);
  expect(textsOf(sink)).toEqual(['helo', 'hello']);
  await running.stop();
});

test('a file comes with its bytes, and one over the limit is refused with words for the person', async () => {
  bed = await createBed();
  const { control, sink, adapter } = bed;
  const running = bed.run();
  await running.waitForStatus(({ state }) => state === 'connected');
  const contentBase64 = Buffer.from('the bytes').toString('base64');
  await control.sayDirect(person, 'look', {
    files: [{ name: 'p.png', contentBase64, contentType: 'image/png' }],
  });
  await sink.waitFor(1);
  const [event] = sink.events;
  const part = event?.type === 'message' ? event.parts[1] : undefined;
  if (part?.type !== 'media') throw new Error('no file came');
  expect(part).toMatchObject({ kind: 'image', fileName: 'p.png', mimeType: 'image/png', sizeBytes: 9 });
  const pieces: Uint8Array[] = [];
  for await (const piece of (await adapter.media?.fetch(part.handle, { ...anySignal(), maxBytes: 100 })) ??
    [])
    pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('the bytes');
  await expect(adapter.media?.fetch(part.handle, { ...anySignal(), maxBytes: 4 })).rejects.toMatchObject({
    code: 'refused',
    userText: 'This file is too large (9 bytes): I take files of at most 4 bytes.',
  });
  await expect(
    adapter.media?.fetch({ url: 'http://169.254.169.254/latest' }, { ...anySignal(), maxBytes: 100 }),
  ).rejects.toMatchObject({ code: 'refused' });
  await running.stop();
});
