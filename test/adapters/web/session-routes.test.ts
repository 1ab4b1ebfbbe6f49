import { afterEach, describe, expect, test } from 'vitest';
import { later, StoreError } from '../../../src/core/errors.js';
import { createMemoryStores } from '../../../src/store/index.js';
import { openStream, type Page, type PageOptions, rawRequest, startPage, told } from './support.js';

const pages: Page[] = [];
const start = async (options: PageOptions = {}): Promise<Page> => {
  const page = await startPage(options);
  pages.push(page);
  return page;
};
afterEach(async () => {
  for (const page of pages.splice(0)) await page.stop();
});

describe('sending a message', () => {
  test('hands it to the gateway and keeps it for the page', async () => {
    const page = await start();
    const { status, body } = await page.post('/api/sessions/main/messages', { text: 'Hello *there*' });
    expect(status).toBe(202);
    expect(page.inbox.events).toMatchObject([
      {
        type: 'message',
        message: body.messageId,
        origin: { platform: 'web', account: 'local', chat: 'main', chatKind: 'direct' },
        sender: { user: 'owner', isBot: false },
        addressed: 'direct',
        parts: [{ type: 'text', text: 'Hello *there*' }],
      },
    ]);
    const history = await page.get('/api/sessions/main/messages');
    expect(history.body).toEqual({
      messages: [
        {
          messageId: body.messageId,
          replyTo: null,
          role: 'user',
          text: 'Hello *there*',
          media: [],
          at: page.clock.now(),
        },
      ],
      retold: 0,
      before: null,
      lastEventId: '1-0-0',
    });
    expect((await page.get('/api/sessions')).body).toEqual({
      sessions: [{ session: 'main', title: 'Hello *there*', updatedAt: page.clock.now() }],
    });
  });

  test.each([
    ['a header', { text: 'once' }, { 'idempotency-key': 'key-1' }],
    ['the body', { text: 'once', clientId: 'key-1' }, {}],
  ])('is harmless to repeat with a key in %s', async (_, message, headers) => {
    const page = await start();
    const first = await page.post('/api/sessions/main/messages', message, headers);
    page.inbox.answer = async () => ['duplicate'];
    const second = await page.post('/api/sessions/main/messages', message, headers);
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(page.inbox.events[1]?.dedupeKey).toBe(page.inbox.events[0]?.dedupeKey);
    expect((await page.get('/api/sessions/main/messages')).body.messages).toHaveLength(1);
  });

  test('without a key makes each one a message of its own', async () => {
    const page = await start();
    const ids = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await page.post('/api/sessions/main/messages', { text: 'same' })).body.messageId);
    expect(new Set(ids).size).toBe(3);
    expect(new Set(page.inbox.events.map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
  });

  test.each([
    ['engine', { engine: 'claude' }],
    ['model', { model: 'x' }],
    ['mode', { mode: 'plan' }],
  ])('says that %s is not supported yet', async (name, extra) => {
    const page = await start();
    const { status, body } = await page.post('/api/sessions/main/messages', { text: 'a', ...extra });
    expect([status, body.error.code]).toEqual([400, 'unsupported']);
    expect(body.error.message).toContain(`'${name}'`);
    expect(page.inbox.events).toEqual([]);
  });

  test.each([{ skills: ['weather'] }, { explicitSkill: 'weather' }])(
    'refuses %o, which there is not',
    async (extra) => {
      const page = await start();
      const { status, body } = await page.post('/api/sessions/main/messages', { text: 'a', ...extra });
      expect([status, body.error.code]).toEqual([400, 'invalid-request']);
      expect(body.error.message).toContain("no skill 'weather'");
      expect(page.inbox.events).toEqual([]);
    },
  );

  test('takes empty lists for nothing asked', async () => {
    const page = await start();
    const { status } = await page.post('/api/sessions/main/messages', {
      text: 'a',
      skills: [],
      files: [],
      model: null,
    });
    expect(status).toBe(202);
  });

  test.each([
    ['no JSON', '{"text": ', 'malformed-json'],
    ['nothing', '', 'malformed-json'],
    ['a list', '[]', 'invalid-request'],
    ['no text', '{}', 'invalid-request'],
    ['a number for text', '{"text": 1}', 'invalid-request'],
    ['an empty text', '{"text": " \\n"}', 'invalid-request'],
    ['an unusable key', '{"text": "a", "clientId": "ü"}', 'invalid-request'],
  ])('is refused with %s', async (_, body, code) => {
    const page = await start();
    const answer = await page.post('/api/sessions/main/messages', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    expect(page.inbox.events).toEqual([]);
  });

  test('refuses what is no UTF-8', async () => {
    const page = await start();
    const chunks = [Buffer.from('{"text": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')];
    const { port } = page;
    const answer = await rawRequest({ method: 'POST', port, path: '/api/sessions/main/messages', chunks });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'malformed-json']);
  });

  test('takes a text of 200,000 characters and says of a megabyte what to do', async () => {
    const page = await start();
    const fits = await page.post('/api/sessions/main/messages', { text: 'a'.repeat(200_000) });
    expect(fits.status).toBe(202);
    const tooLong = await page.post('/api/sessions/main/messages', { text: 'a'.repeat(1_048_576) });
    expect([tooLong.status, tooLong.body.error.code]).toEqual([413, 'too-large']);
    expect(tooLong.body.error.message).toMatch(
      /1048576 characters; .*200000.*several messages, or put it into a file/u,
    );
    expect(page.inbox.events).toHaveLength(1);
  });

  test('drops what the database cannot keep', async () => {
    const page = await start();
    await page.post('/api/sessions/main/messages', '{"text": "a\\u0000b\\ud83d"}');
    expect(page.inbox.events).toMatchObject([{ parts: [{ text: 'ab\ufffd' }] }]);
  });

  test.each(['a b', 'a%2Fb', 'ä', 'x'.repeat(129)])('refuses the session id %s', async (session) => {
    const page = await start();
    const { status, body } = await page.post(`/api/sessions/${session}/messages`, { text: 'a' });
    expect([status, body.error.code]).toEqual([400, 'invalid-request']);
  });

  test('keeps nothing of a message that the gateway refuses', async () => {
    const page = await start();
    page.inbox.answer = async () => ['refused'];
    const { status, body } = await page.post('/api/sessions/main/messages', { text: 'a' });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect((await page.get('/api/sessions/main/messages')).body.messages).toEqual([]);
  });

  test('under a key that was used for another text is refused, and nothing of it is kept', async () => {
    const page = await start();
    const key = { 'idempotency-key': 'one-key' };
    const first = await page.post('/api/sessions/main/messages', { text: 'the first' }, key);
    const again = await page.post('/api/sessions/main/messages', { text: 'the first' }, key);
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    const other = await page.post('/api/sessions/main/messages', { text: 'another' }, key);
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    expect(other.body.error.message).toContain('use a new key');
    const files = [{ name: 'a.txt', type: 'text/plain', data: 'YQ==' }];
    const withFile = await page.post('/api/sessions/main/messages', { text: 'the first', files }, key);
    expect(withFile.status).toBe(409);
  });

  test('asks to try again when the gateway cannot store, and says so in the status until it can', async () => {
    const page = await start();
    const accept = page.inbox.answer;
    page.inbox.answer = async () => {
      throw new StoreError({
        code: 'full',
        message: 'no space',
        userText: 'The disk is full.',
        retry: later,
      });
    };
    const { status, body } = await page.post(
      '/api/sessions/main/messages',
      { text: 'a' },
      { 'idempotency-key': 'k' },
    );
    expect([status, body.error]).toEqual([503, { code: 'unavailable', message: 'The disk is full.' }]);
    expect(page.statuses.at(-1)).toEqual({ state: 'unhealthy', detail: 'The disk is full.' });
    page.inbox.answer = accept;
    expect(
      (await page.post('/api/sessions/main/messages', { text: 'a' }, { 'idempotency-key': 'k' })).status,
    ).toBe(202);
    expect(page.statuses.at(-1)).toEqual({ state: 'connected' });
  });
});

describe('the size of a body', () => {
  const section = { max_body_bytes: 2048 };
  const path = '/api/sessions/main/messages';

  test('is refused by its announced length before it is sent', async () => {
    const { port } = await start({ section });
    // Not a byte of the body is written: an answer can only come from the header.
    const answer = await rawRequest({
      method: 'POST',
      port,
      path,
      headers: { 'content-length': '2049' },
      chunks: [],
    });
    expect(answer).toMatchObject({ status: 413 });
  });

  test('is refused when it grows too large without an announced length', async () => {
    const page = await start({ section });
    const chunks = ['{"text": "', 'a'.repeat(1500), 'a'.repeat(1500), '"}'];
    const answer = await rawRequest({ method: 'POST', port: page.port, path, chunks });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, 'too-large']);
    expect(JSON.parse(answer.body).error.message).toContain('platforms.web.max_body_bytes');
    expect(page.inbox.events).toEqual([]);
  });

  test('may reach the limit', async () => {
    const page = await start({ section });
    const frame = '{"text": ""}';
    const body = frame.replace('""', `"${'a'.repeat(2048 - frame.length)}"`);
    expect(body).toHaveLength(2048);
    expect((await page.post(path, body)).status).toBe(202);
  });
});

describe('earlier messages', () => {
  test('are paged backwards', async () => {
    const page = await start();
    for (let count = 1; count <= 5; count += 1) await page.reply('main', `text ${count}`, `key ${count}`);
    const pageOf = async (query: string) => (await page.get(`/api/sessions/main/messages?${query}`)).body;
    const newest = await pageOf('limit=2');
    expect(newest.messages.map(({ text }: { text: string }) => text)).toEqual(['text 4', 'text 5']);
    const older = await pageOf(`limit=2&before=${newest.before}`);
    expect(older.messages.map(({ text }: { text: string }) => text)).toEqual(['text 2', 'text 3']);
    const oldest = await pageOf(`limit=2&before=${older.before}`);
    expect([oldest.messages.length, oldest.before]).toEqual([1, null]);
  });

  test.each(['limit=0', 'limit=x', 'limit=-1', 'before=x'])('are refused for ?%s', async (query) => {
    const page = await start();
    expect((await page.get(`/api/sessions/main/messages?${query}`)).status).toBe(400);
  });
});

describe('stopping', () => {
  test('hands the gateway an action, a new one for each press', async () => {
    const page = await start();
    for (let count = 0; count < 2; count += 1)
      expect((await page.post('/api/sessions/main/cancel', '')).status).toBe(202);
    expect(page.inbox.events).toMatchObject([
      { type: 'action', action: 'stop', origin: { chat: 'main' } },
      { type: 'action', action: 'stop', origin: { chat: 'main' } },
    ]);
    expect(page.inbox.events[0]?.dedupeKey).not.toBe(page.inbox.events[1]?.dedupeKey);
  });
});

describe('the event stream', () => {
  test('tells a turn as it happens, each event with an id', async () => {
    const page = await start();
    const stream = await page.follow('main');
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const { body } = await page.post('/api/sessions/main/messages', { text: 'hi' });
    page.publish('main', told.start());
    page.publish('main', told.delta('Hel'));
    page.publish('main', told.reset());
    page.publish('main', told.delta('Hello'));
    await page.reply('main', 'Hello', 'key');
    page.publish('main', told.end('cancelled'));
    const events = await stream.take(8);
    expect(events.map(({ event, data }) => ({ event, data }))).toMatchObject([
      { event: 'status', data: { state: 'idle' } },
      {
        event: 'message',
        data: { messageId: body.messageId, role: 'user', text: 'hi', replyTo: null, media: [] },
      },
      { event: 'status', data: { state: 'working', turnId: 'turn-1' } },
      { event: 'delta', data: { turnId: 'turn-1', text: 'Hel' } },
      { event: 'delta', data: { turnId: 'turn-1', text: '', reset: true } },
      { event: 'delta', data: { turnId: 'turn-1', text: 'Hello' } },
      { event: 'message', data: { role: 'assistant', text: 'Hello' } },
      { event: 'status', data: { state: 'idle', turnId: 'turn-1', stopReason: 'cancelled' } },
    ]);
    expect(events.every(({ id }) => /^\d+-aa-\d+$/u.test(id))).toBe(true);
    stream.close();
  });

  test('starts with the running turn for a client that knows nothing', async () => {
    const page = await start();
    await page.reply('main', 'long ago', 'old');
    page.publish('main', told.start());
    page.publish('main', told.delta('so far'));
    const stream = await page.follow('main');
    expect((await stream.take(2)).map(({ event, data }) => [event, data['text'] ?? data['state']])).toEqual([
      ['status', 'working'],
      ['delta', 'so far'],
    ]);
    stream.close();
  });

  test('resumes after every event over connections of their own', async () => {
    const page = await start();
    const stream = await page.follow('main');
    await page.post('/api/sessions/main/messages', { text: 'hi' });
    page.publish('main', told.start());
    for (const text of ['a', 'b', 'c']) page.publish('main', told.delta(text));
    await page.reply('main', 'abc', 'key');
    page.publish('main', told.end());
    const whole = await stream.take(8);
    stream.close();
    for (const [index, { id }] of whole.entries()) {
      const resumed = await openStream(page.url, 'main', id);
      await page.reply('main', `sentinel ${index}`, `sentinel ${index}`);
      // What is left of the turn, and the sentinels of this round and the earlier ones.
      const events = await resumed.take(whole.length);
      expect(events.slice(0, whole.length - index - 1)).toEqual(whole.slice(index + 1));
      const texts = events.slice(whole.length - index - 1).map(({ data }) => data['text']);
      expect(texts).toEqual(Array.from({ length: index + 1 }, (_, count) => `sentinel ${count}`));
      resumed.close();
    }
  });

  test('takes the position from the address too', async () => {
    const page = await start();
    await page.reply('main', 'one', '1');
    await page.reply('main', 'two', '2');
    const response = await fetch(new URL('/api/sessions/main/events?lastEventId=1-0-0', page.url));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: status')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain('"text":"two"');
    expect(text).not.toContain('"text":"one"');
    await reader?.cancel();
  });

  test('loses and doubles nothing across a restart of the gateway', async () => {
    const { pageLog } = createMemoryStores();
    const before = await start({ pageLog, boot: 'aa' });
    const stream = await before.follow('main');
    await before.post('/api/sessions/main/messages', { text: 'hi' });
    before.publish('main', told.start());
    before.publish('main', told.delta('half of an ans'));
    const seen = await stream.take(4);
    await before.stop();
    expect(await stream.rest()).toEqual([]);

    const after = await start({ pageLog, boot: 'bb' });
    await after.reply('main', 'sent while the page was away', 'away');
    after.publish('main', told.start());
    after.publish('main', told.delta('half of an answer'));
    const resumed = await after.follow('main', seen.at(-1)?.id);
    expect((await resumed.take(4)).map(({ event, data }) => ({ event, ...data }))).toMatchObject([
      { event: 'delta', turnId: 'turn-1', text: '', reset: true },
      { event: 'message', text: 'sent while the page was away' },
      { event: 'status', state: 'working' },
      { event: 'delta', text: 'half of an answer' },
    ]);
    resumed.close();
  });

  test('says something every fifteen seconds', async () => {
    const page = await start();
    const stream = await page.follow('main');
    await stream.take(1);
    for (let count = 0; count < 2; count += 1) {
      await page.clock.waiting(15_000);
      await page.clock.advance(15_000);
      expect(await stream.nextFrame()).toBe(': keep-alive');
    }
    stream.close();
  });

  test('ends when the gateway stops', async () => {
    const page = await start();
    const stream = await page.follow('main');
    await stream.take(1);
    await page.stop();
    expect(await stream.rest()).toEqual([]);
  });

  test('cuts off a client that does not read, which then resumes without loss', async () => {
    const page = await start();
    const stream = await page.follow('main');
    await stream.take(1);
    page.publish('main', told.start());
    const id = (await stream.next())?.id;
    // Far more than the socket's own buffers and ours together hold.
    const piece = 'x'.repeat(100_000);
    const count = 200;
    const bystander = await page.follow('other');
    await bystander.take(1);
    for (let index = 0; index < count; index += 1) {
      page.publish('main', told.delta(piece));
      // Others are served meanwhile.
      if (index % 50 === 0) await page.reply('other', `text ${index}`, `key ${index}`);
    }
    await expect(stream.rest()).rejects.toThrow();
    expect(await bystander.take(4)).toHaveLength(4);
    await page.reply('main', 'the end', 'end');
    const resumed = await page.follow('main', id);
    let last = await resumed.next();
    expect(last).toMatchObject({ event: 'status', data: { state: 'working' } });
    let units = 0;
    while (last?.event !== 'message') {
      last = await resumed.next();
      if (last?.data['reset'] === true) units = 0;
      if (last?.event === 'delta') units += String(last.data['text']).length;
    }
    expect(units).toBe(count * piece.length);
    resumed.close();
    bystander.close();
  });

  test('answers HEAD without opening a stream', async () => {
    const page = await start();
    const response = await fetch(new URL('/api/sessions/main/events', page.url), { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });
});
