import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/sessions.js';
import { UsageError } from '../../../src/cli/edge.js';
import type { StoredMessage } from '../../../src/core/archive.js';
import { toSessionId, toSessionKey, toTurnId } from '../../../src/core/ids.js';
import type { ListedSession } from '../../../src/core/session-service.js';
import { openSqliteStores } from '../../../src/store/index.js';
import { aSession, assistant, aTurn, toolResult, user } from '../../contracts/store/records.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { FakeEdge } from '../fake-edge.js';
import { answerOnSocket, type FakeGateway } from '../fake-gateway.js';

let gateway: FakeGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

const session: ListedSession = {
  id: toSessionId('ses_1'),
  key: toSessionKey('agent:main:matrix:direct:42'),
  title: 'Bread',
  createdAt: Date.UTC(2026, 0, 1, 12),
  usedAt: Date.UTC(2026, 2, 1, 8, 20),
  messages: 3,
  isCurrent: true,
  usage: { inputTokens: 1, outputTokens: 2 },
  place: 'matrix:42',
  isRunning: false,
};

const turn = toTurnId('t1');
const messages: readonly StoredMessage[] = [
  { message: user('How do I bake bread?'), turn, at: Date.UTC(2026, 2, 1, 8, 19) },
  { message: assistant('I look.', 'c1'), turn, at: 0 },
  { message: toolResult('c1', { text: 'a ```fence```' }), turn, at: Date.UTC(2026, 2, 1, 8, 20) },
];

const timezone = 'Asia/Kathmandu';

describe('wrong usage', () => {
  test.each([
    [[]],
    [['forget']],
    [['list', 'more']],
    [['list', '--limit', 'some']],
    [['show']],
    [['show', 'a', 'b']],
    [['export']],
    [['export', 'a', '--all']],
    [['export', 'a', '--format', 'pdf']],
    [['delete']],
  ])('%j', async (args) => {
    await expect(run(args, new FakeEdge())).rejects.toBeInstanceOf(UsageError);
  });
});

describe('with the gateway up', () => {
  test('lists conversations for people and for programs', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { sessions: [session], timezone } });
    expect(await run(['list', '--limit', '7'], edge)).toBe(0);
    expect(edge.out).toBe('ses_1\t2026-03-01 14:05\t3\tmatrix:42\tBread\n');
    expect(gateway.asked[0]?.path).toBe('/api/archive?limit=7');
    const json = new FakeEdge({ home: edge.home });
    expect(await run(['list', '--json'], json)).toBe(0);
    expect(JSON.parse(json.out)).toEqual({ sessions: [session] });
  });

  test('shows the newest messages and says how many are left out', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { session, messages, timezone } });
    expect(await run(['show', 'matrix:42', '--limit', '2'], edge)).toBe(0);
    expect(gateway.asked[0]?.path).toBe('/api/archive/matrix%3A42');
    expect(edge.out).not.toContain('How do I');
    expect(edge.out).toContain('I look.');
    expect(edge.err).toContain('1 earlier messages are not shown');
    const json = new FakeEdge({ home: edge.home });
    await run(['show', 'ses_1', '--json'], json);
    expect(JSON.parse(json.out)).toEqual({ session, messages });
  });

  test('exports lines of JSON', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { session, messages, timezone } });
    expect(await run(['export', 'ses_1'], edge)).toBe(0);
    const lines = edge.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({
      type: 'session',
      id: 'ses_1',
      place: 'matrix:42',
      usedAt: '2026-03-01T08:20:00.000Z',
    });
    expect(lines[1]).toEqual({
      type: 'message',
      session: 'ses_1',
      turn: 't1',
      at: '2026-03-01T08:19:00.000Z',
      role: 'user',
      text: 'How do I bake bread?',
    });
    expect(lines[2]).toMatchObject({ at: null, toolCalls: [{ name: 'look' }] });
  });

  test('exports Markdown in which no text ends its block', async () => {
    const edge = new FakeEdge();
    gateway = await answerOnSocket(edge.home, { status: 200, body: { session, messages, timezone } });
    expect(await run(['export', 'ses_1', '--format', 'markdown'], edge)).toBe(0);
    expect(edge.out).toContain('# Bread\n\n- Id: ses_1\n- Place: matrix:42\n');
    expect(edge.out).toContain(
      '## User, 2026-03-01 14:04\n\nHow do I bake bread?\n\n## Assistant\n\nI look.',
    );
    expect(edge.out).toContain('````\na ```fence```\n````\n');
  });

  test('asks before it deletes, and deletes by the id that was found', async () => {
    const edge = new FakeEdge({ line: 'yes' });
    gateway = await answerOnSocket(edge.home, { status: 200, body: { session, messages } });
    expect(await run(['delete', 'bread'], edge)).toBe(0);
    expect(edge.err).toContain('Delete for good: Bread (matrix:42, 3 messages, ses_1)?');
    expect(edge.err).toContain('Deleted: Bread');
    expect(gateway.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/archive/bread',
      'DELETE /api/archive/ses_1',
    ]);
  });

  test('deletes nothing without a yes, or where nobody can be asked', async () => {
    const edge = new FakeEdge({ line: 'no' });
    gateway = await answerOnSocket(edge.home, { status: 200, body: { session, messages } });
    await expect(run(['delete', 'bread'], edge)).rejects.toThrow('Nothing was deleted');
    const piped = new FakeEdge({ home: edge.home, stdin: 'yes\n' });
    await expect(run(['delete', 'bread'], piped)).rejects.toThrow('add --yes');
    expect(gateway.asked.every(({ method }) => method === 'GET')).toBe(true);
    expect(await run(['delete', 'bread', '--yes'], piped)).toBe(0);
  });

  test('says why the gateway refused', async () => {
    const edge = new FakeEdge();
    const body = { error: { code: 'conflict', message: 'Several are called so.' } };
    gateway = await answerOnSocket(edge.home, { status: 409, body });
    await expect(run(['show', 'b'], edge)).rejects.toThrow('Several are called so.');
  });
});

describe('with the gateway down', () => {
  const withSessions = async (): Promise<FakeEdge> => {
    const edge = new FakeEdge();
    const stores = await openSqliteStores({
      file: `${edge.home}/state.db`,
      now: () => 1000,
      logger: new MemoryLogger(),
    });
    for (const [id, chat] of [
      ['ses_1', '1'],
      ['ses_2', '2'],
    ] as const) {
      const sessionId = toSessionId(id);
      await stores.sessions.begin(aSession(id, `agent:main:matrix:direct:${chat}`));
      const record = aTurn(`trn_${id}`, { session: sessionId });
      await stores.turns.begin(record, { entries: [], messages: [user(`words of ${id}`)] });
      if (id === 'ses_1') await stores.turns.end(record.id, { message: assistant('well'), deliveries: [] });
    }
    await stores.close();
    return edge;
  };
  const again = (edge: FakeEdge): FakeEdge => new FakeEdge({ home: edge.home });

  test('reads and deletes in the home itself', async () => {
    const edge = await withSessions();
    expect(await run(['list', '--json'], edge)).toBe(0);
    expect(JSON.parse(edge.out).sessions).toMatchObject([
      { id: 'ses_2', place: 'matrix:2', isRunning: false },
      { id: 'ses_1', place: 'matrix:1', title: 'words of ses_1' },
    ]);
    const all = again(edge);
    await run(['export', '--all'], all);
    expect(all.out.trimEnd().split('\n')).toHaveLength(5);
    await expect(run(['show', 'ses_'], again(edge))).rejects.toThrow(
      "'ses_' can be several conversations: ses_2 (matrix:2, words of ses_2); ses_1 (matrix:1, words of ses_1).",
    );
    await expect(run(['show', 'ses_3'], again(edge))).rejects.toThrow("no conversation 'ses_3'");
    expect(await run(['delete', 'matrix:1', '--yes'], again(edge))).toBe(0);
    await expect(run(['show', 'ses_1'], again(edge))).rejects.toThrow("no conversation 'ses_1'");
  });

  test('leaves a conversation whose turn was interrupted', async () => {
    const edge = await withSessions();
    await expect(run(['delete', 'ses_2', '--yes'], edge)).rejects.toThrow('goes on when the gateway starts');
    expect(await run(['show', 'ses_2'], again(edge))).toBe(0);
  });
});
