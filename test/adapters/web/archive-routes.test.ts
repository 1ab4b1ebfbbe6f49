import { afterEach, expect, test } from 'vitest';
import { toSessionId, toSessionKey } from '../../../src/core/ids.js';
import type { ListedSession, SessionService } from '../../../src/core/session-service.js';
import { someGatewayServices } from '../../fakes/gateway-services.js';
import { type Page, startPage } from './support.js';

const aListed = (id: string): ListedSession => ({
  id: toSessionId(id),
  key: toSessionKey('agent:main:web:direct:main'),
  title: `title of ${id}`,
  createdAt: 0,
  usedAt: 0,
  messages: 0,
  isCurrent: true,
  usage: { inputTokens: 0, outputTokens: 0 },
  place: 'web:main',
  isRunning: false,
});

const pages: Page[] = [];
const start = async (sessions: Partial<SessionService>): Promise<Page> => {
  const page = await startPage({
    services: { sessions: { ...someGatewayServices().sessions, ...sessions } },
  });
  pages.push(page);
  return page;
};
afterEach(async () => {
  for (const page of pages.splice(0)) await page.stop();
});

const remove = async ({ url }: Page, path: string) => {
  const answer = await fetch(new URL(path, url), { method: 'DELETE' });
  return { status: answer.status, text: await answer.text() };
};

const oneOf =
  (session: ListedSession): SessionService['find'] =>
  async (name) =>
    session.id === name ? { type: 'one', session } : { type: 'none' };

test('conversations are listed, as many as wanted', async () => {
  const page = await start({ timezone: 'UTC', list: async ({ limit }) => [aListed(`ses_${limit}`)] });
  expect((await page.get('/api/archive?limit=7')).body).toEqual({
    sessions: [aListed('ses_7')],
    timezone: 'UTC',
  });
  expect((await page.get('/api/archive?limit=0')).status).toBe(400);
});

test('one is read by any name, also one with signs that addresses give a meaning', async () => {
  const asked: string[] = [];
  const page = await start({
    find: async (name) => {
      asked.push(name);
      return { type: 'one', session: aListed('ses_1') };
    },
    transcript: async () => [],
  });
  const { body } = await page.get(`/api/archive/${encodeURIComponent('irc:#a/b?c%')}`);
  expect(body).toEqual({ session: aListed('ses_1'), messages: [] });
  expect(asked).toEqual(['irc:#a/b?c%']);
});

test('a name that leads nowhere or to several is told so, with the candidates', async () => {
  const candidates = Array.from({ length: 12 }, (_, index) => aListed(`ses_${index}`));
  const page = await start({
    find: async (name) => (name === 'ses' ? { type: 'many', candidates } : { type: 'none' }),
  });
  const none = await page.get('/api/archive/nobody');
  expect([none.status, none.body.error.message]).toEqual([404, "There is no conversation 'nobody'."]);
  const many = await page.get('/api/archive/ses');
  expect(many.status).toBe(409);
  expect(many.body.error.message).toContain('ses_9 (web:main, title of ses_9); 2 more. Write one');
});

test('one is deleted unless it is being worked on', async () => {
  const page = await start({
    find: oneOf(aListed('ses_1')),
    delete: async () => 'deleted',
  });
  expect((await remove(page, '/api/archive/ses_1')).status).toBe(200);
  expect((await remove(page, '/api/archive/ses_2')).status).toBe(404);
  const busy = await start({ find: oneOf(aListed('ses_1')), delete: async () => 'running' });
  const refused = await remove(busy, '/api/archive/ses_1');
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('/stop');
});

test('a conversation of the page is deleted with all there is of it', async () => {
  const asked: unknown[] = [];
  let running = 0;
  const page = await start({
    deleteChat: async (place) => {
      asked.push(place);
      return { deleted: 1, running };
    },
  });
  expect((await remove(page, '/api/sessions/main')).status).toBe(204);
  expect(asked).toEqual([{ platform: 'web', chat: 'main' }]);
  running = 1;
  expect((await remove(page, '/api/sessions/main')).status).toBe(409);
  expect((await remove(page, '/api/sessions/a%20b')).status).toBe(404);
});
