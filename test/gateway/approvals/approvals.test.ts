import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer, ApprovalContext, ApprovalRequest } from '../../../src/core/approval.js';
import { toCorrelationId, toSessionId, toToolCallId, toTurnId, toUserId } from '../../../src/core/ids.js';
import type { DeliveryOutcome } from '../../../src/core/outbound.js';
import { defaultMatrix } from '../../../src/core/permission.js';
import { Approvals } from '../../../src/gateway/approvals/approvals.js';
import { codeOf } from '../../../src/gateway/approvals/card.js';
import { Grants } from '../../../src/gateway/approvals/grants.js';
import { Questions } from '../../../src/gateway/questions/questions.js';
import { createSpeaker } from '../../../src/gateway/speaker.js';
import { createMemoryStores } from '../../../src/store/memory/memory-stores.js';
import { aMessage, anOrigin, aPress } from '../../fakes/builders.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { ScriptedPlatform } from '../../fakes/scripted-platform.js';

const boss = 'boss';

const aRequest = (changes: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  tool: 'terminal',
  title: 'Terminal',
  category: 'system',
  summary: 'git push',
  details: 'git push origin main',
  grant: { keys: ['git'], label: 'commands of git' },
  ...changes,
});

const aContext = (call = 'c1', user = 'u1', session = 's1'): ApprovalContext => ({
  caller: { origin: anOrigin(), user: toUserId(user), isOwner: false },
  session: toSessionId(session),
  turn: toTurnId('t1'),
  call: toToolCallId(call),
  correlation: toCorrelationId('corr'),
});

const never = { signal: new AbortController().signal };

const createBench = ({ canChoose, fails = false }: { canChoose: boolean; fails?: boolean }) => {
  const clock = new ManualClock();
  const stores = createMemoryStores({ now: () => clock.now() });
  const platform = new ScriptedPlatform({ clock, canChoose });
  const ids = createCountingIds();
  const persist = <T>(write: () => Promise<T>): Promise<T> => write();
  const outcome = async (): Promise<DeliveryOutcome> =>
    fails
      ? { state: 'failed', error: 'The bot was blocked.' }
      : { state: 'sent', receipt: { messages: [], sentAt: 0 } };
  const speaker = createSpeaker({
    outbox: stores.outbox,
    persist,
    compose: { ids, clock, redact: (text) => text },
    attach: async (text) => ({ parts: [{ type: 'text', text }], problems: [] }),
    release: async () => {},
    adapterFor: () => platform,
    dispatch: (rows) => {
      for (const { route, encoded, edits, idempotencyKey } of fails ? [] : rows) {
        if (edits === undefined) void platform.send({ route, encoded, idempotencyKey }, never);
        else void platform.editing?.edit({ route, encoded, message: edits }, never);
      }
    },
    outcome,
  });
  const begin = () => {
    const questions = new Questions({
      store: stores.questions,
      persist,
      clock,
      ids,
      logger: new MemoryLogger(),
      speaker,
      adapterFor: () => platform,
      firstPlace: (place) => place,
      isOwner: (_platform, user) => user === boss,
      sentBefore: (key) => stores.outbox.keyed(key),
      callSignal: never.signal,
    });
    const grants = new Grants({ store: stores.grants, persist });
    const approvals = new Approvals({
      questions,
      grants,
      clock,
      ids,
      timeoutMs: 30_000,
      policy: () => ({ level: 'auto', matrix: defaultMatrix, canAsk: true }),
      jobOf: ({ user }) => (user === 'job' ? 'j1' : undefined),
    });
    return { questions, grants, approvals };
  };
  const tokenOf = (label: string): string =>
    platform
      .chat()
      .messages.flatMap(({ choices }) => choices ?? [])
      .findLast((one) => one.label.includes(label))?.token ?? '';
  const seen: { code?: string } = {};
  return { clock, platform, stores, begin, tokenOf, seen, ...begin() };
};

type Bench = ReturnType<typeof createBench>;

/** The code of the first card. */
const codeIn = ({ seen, questions }: Bench): string => {
  const code = seen.code ?? questions.pending.map(codeOf)[0];
  if (code === undefined) throw new Error('nothing waits');
  seen.code = code;
  return code;
};

const values = ['once', 'session', 'always', 'deny'] as const;
type Value = (typeof values)[number];
const labels: Readonly<Record<Value, string>> = {
  once: 'Allow once',
  session: 'This session',
  always: 'Always',
  deny: 'Deny',
};

/** Every way in which an answer may come. */
const ways: Readonly<
  Record<string, { canChoose: boolean; give(bench: Bench, value: Value, by: string): Promise<unknown> }>
> = {
  'by a button': {
    canChoose: true,
    give: (bench, value, user) =>
      bench.questions.take(
        aPress({ token: bench.tokenOf(labels[value]), message: 'p1', user, id: `press-${user}-${value}` }),
      ),
  },
  'by a number': {
    canChoose: false,
    give: (bench, value, user) =>
      bench.questions.take(aMessage({ id: `n-${user}`, user, text: ` ${values.indexOf(value) + 1}. ` })),
  },
  'by a word': {
    canChoose: false,
    give: (bench, value, user) => {
      const word = { once: 'Yes!', session: 'this session', always: 'ALWAYS', deny: 'no' }[value];
      return bench.questions.take(aMessage({ id: `w-${user}`, user, text: word }));
    },
  },
  'by a Chinese word': {
    canChoose: false,
    give: (bench, value, user) => {
      const word = { once: '可以。', session: '本次会话', always: '总是', deny: '拒绝' }[value];
      return bench.questions.take(aMessage({ id: `z-${user}`, user, text: word }));
    },
  },
  'by a word and the code of its card': {
    canChoose: false,
    give: (bench, value, user) => {
      const word = { once: 'ok', session: 'session', always: 'always', deny: 'no' }[value];
      return bench.questions.take(
        aMessage({ id: `k-${user}`, user, text: `${word} ${codeIn(bench).toLowerCase()}` }),
      );
    },
  },
  'by a command': {
    canChoose: true,
    give: (bench, value, user) =>
      bench.approvals.answerByCode({
        platform: 'fake',
        chat: 'c1',
        user,
        isOwner: user === boss,
        code: codeIn(bench),
        value,
        event: `command-${user}`,
      }),
  },
};

const begin = async (bench: Bench, ...given: [ApprovalRequest?, ApprovalContext?]) => {
  const [request = aRequest(), context = aContext()] = given;
  let isOver = false;
  const before = bench.questions.pending.length;
  const answer = bench.approvals.ask(request, context, never).finally(() => {
    isOver = true;
  });
  await bench.platform.until(() => bench.questions.pending.length > before || isOver);
  await bench.platform.showing('May I do this?');
  return { answer, isOver: () => isOver };
};

const expected = (value: Value): ApprovalAnswer => ({ outcome: value === 'deny' ? 'denied' : 'allowed' });

describe.each(Object.entries(ways))('an answer %s', (_name, { canChoose, give }) => {
  test.each(values)('%s counts for whoever asked', async (value) => {
    const bench = createBench({ canChoose });
    const { answer } = await begin(bench);
    await give(bench, value, 'u1');
    expect(await answer).toEqual(expected(value));
    const { approvals } = bench;
    expect(approvals.isGranted(aRequest(), aContext('c2'))).toBe(value === 'session' || value === 'always');
    expect(approvals.isGranted(aRequest(), aContext('c2', 'u1', 's2'))).toBe(value === 'always');
    expect(approvals.isGranted(aRequest(), aContext('c2', 'u2'))).toBe(false);
  });

  test('counts for an owner in the place of whoever asked', async () => {
    const bench = createBench({ canChoose });
    const { answer } = await begin(bench);
    await give(bench, 'always', boss);
    expect(await answer).toEqual({ outcome: 'allowed' });
    expect(bench.grants.all).toMatchObject([{ holder: 'fake:u1', grantedBy: 'fake:boss' }]);
  });

  test('of somebody else changes nothing', async () => {
    const bench = createBench({ canChoose });
    const { answer, isOver } = await begin(bench);
    await give(bench, 'once', 'u2');
    expect(isOver()).toBe(false);
    await give(bench, 'deny', 'u1');
    expect(await answer).toEqual({ outcome: 'denied' });
  });

  test('that comes too late changes nothing', async () => {
    const bench = createBench({ canChoose });
    const { answer } = await begin(bench);
    const code = codeIn(bench);
    await bench.clock.advance(30_001);
    expect(await answer).toEqual({ outcome: 'timed-out' });
    await give(bench, 'always', 'u1');
    expect(code).toMatch(/^[A-Z2-9]{4}$/);
    expect(bench.grants.all).toEqual([]);
  });
});

describe('a request', () => {
  test('is told apart from its neighbours, each with a card of its own', async () => {
    const bench = createBench({ canChoose: false });
    const first = await begin(bench, aRequest({ details: 'one' }), aContext('c1'));
    const second = await begin(bench, aRequest({ details: 'two' }), aContext('c2'));
    const unclear = await bench.questions.take(aMessage({ id: 'm1', text: 'yes' }));
    expect(unclear).toMatchObject({ kind: 'settled', text: expect.stringContaining('Several requests') });
    expect([first.isOver(), second.isOver()]).toEqual([false, false]);
    const codes = bench.questions.pending.map(codeOf);
    await bench.questions.take(aMessage({ id: 'm2', text: `no ${codes[1]}` }));
    expect(await second.answer).toEqual({ outcome: 'denied' });
    await bench.questions.take(aMessage({ id: 'm3', text: 'yes' }));
    expect(await first.answer).toEqual({ outcome: 'allowed' });
  });

  test('is refused with the reason that is typed behind a no', async () => {
    const bench = createBench({ canChoose: false });
    const { answer } = await begin(bench);
    await bench.questions.take(aMessage({ text: 'no, use the other branch' }));
    expect(await answer).toEqual({ outcome: 'denied', reason: 'use the other branch' });
  });

  test.each(['yes please push it to the branch', 'what is this?', 'note', 'yesterday', '5', 'I say no'])(
    'is not answered by “%s”',
    async (text) => {
      const bench = createBench({ canChoose: false });
      const { answer } = await begin(bench);
      expect(bench.questions.isAnswer(aMessage({ text }))).toBe(false);
      bench.questions.cancelPermissions();
      expect(await answer).toEqual({ outcome: 'cancelled' });
    },
  );

  test('is not answered by forwarded words, nor by words where there are buttons', async () => {
    const listed = createBench({ canChoose: false });
    await begin(listed);
    expect(listed.questions.isAnswer({ ...aMessage({ text: 'yes' }), isForwarded: true })).toBe(false);
    listed.questions.cancelPermissions();
    const buttons = createBench({ canChoose: true });
    await begin(buttons);
    for (const text of ['yes', '1', `yes ${codeIn(buttons)}`])
      expect(buttons.questions.isAnswer(aMessage({ text }))).toBe(false);
    buttons.questions.cancelPermissions();
  });

  test('a number that comes just after its time is told so instead of being taken for a message', async () => {
    const bench = createBench({ canChoose: false });
    const { answer } = await begin(bench);
    await bench.clock.advance(31_000);
    expect(await answer).toEqual({ outcome: 'timed-out' });
    expect(await bench.questions.take(aMessage({ text: '1' }))).toMatchObject({
      kind: 'settled',
      text: expect.stringContaining('expired'),
    });
  });

  test('that cannot be delivered is no time-out: the reason is told at once', async () => {
    const bench = createBench({ canChoose: true, fails: true });
    const answer = bench.approvals.ask(aRequest(), aContext(), never);
    expect(await answer).toEqual({ outcome: 'unasked', problem: 'The bot was blocked.' });
  });

  test('a forged, doubled or replayed press changes nothing', async () => {
    const bench = createBench({ canChoose: true });
    const { answer, isOver } = await begin(bench);
    const token = bench.tokenOf('Allow once');
    const forged = [`${token}9`, token.replace(/\.\d$/u, '.9'), `x${token}`, 'qst.0', '', '.'];
    for (const [index, one] of forged.entries())
      await bench.questions.take(aPress({ token: one, message: 'p1', id: `forged-${index}` }));
    await bench.questions.take(aPress({ token, message: 'p1', chat: 'c2', id: 'elsewhere' }));
    expect(isOver()).toBe(false);
    const deny = aPress({ token: bench.tokenOf('Deny'), message: 'p1', id: 'deny' });
    await bench.questions.take(deny);
    await bench.questions.take(deny);
    await bench.questions.take(aPress({ token, message: 'p1', id: 'second' }));
    expect(await answer).toEqual({ outcome: 'denied' });
    expect(bench.platform.acknowledged.at(-1)).toContain('answered already');
  });

  test('is over after a restart, however it is asked again', async () => {
    const bench = createBench({ canChoose: true });
    await begin(bench);
    const token = bench.tokenOf('Allow once');
    const second = bench.begin();
    await second.questions.load();
    await second.questions.endLeft();
    expect(await second.approvals.ask(aRequest(), aContext(), never)).toEqual({ outcome: 'timed-out' });
    await second.questions.take(aPress({ token, message: 'p1', id: 'late' }));
    expect(bench.platform.acknowledged.at(-1)).toContain('expired');
  });

  test('that was answered right before a kill is answered', async () => {
    const bench = createBench({ canChoose: true });
    await begin(bench);
    const second = bench.begin();
    await second.questions.take(aPress({ token: bench.tokenOf('Allow once'), message: 'p1', id: 'press' }));
    await second.questions.endLeft();
    expect(await second.approvals.ask(aRequest(), aContext(), never)).toEqual({ outcome: 'allowed' });
  });

  test('is cancelled when the gateway stops, and none is asked after that', async () => {
    const bench = createBench({ canChoose: true });
    const { answer } = await begin(bench);
    bench.approvals.beginStop();
    expect(await answer).toEqual({ outcome: 'cancelled' });
    expect(await bench.approvals.ask(aRequest(), aContext('c2'), never)).toEqual({ outcome: 'cancelled' });
  });

  test('for which nothing general stands can be allowed once only', async () => {
    const bench = createBench({ canChoose: true });
    const { grant: _grant, ...alone } = aRequest();
    const { answer } = await begin(bench, alone);
    const [question] = bench.questions.pending;
    expect(question?.options.map(({ value }) => value)).toEqual(['once', 'deny']);
    const service = bench.approvals.service;
    const decision = { decision: 'allow', scope: 'always' } as const;
    expect(await service.answer(question?.id ?? '', decision, 'web:owner', 'k1')).toMatchObject({
      ok: false,
      reason: 'not-covered',
    });
    const once = { decision: 'allow', scope: 'once' } as const;
    expect(await service.answer(question?.id ?? '', once, 'web:owner', 'k2')).toEqual({ ok: true });
    expect(await answer).toEqual({ outcome: 'allowed' });
    expect(await service.answer(question?.id ?? '', once, 'web:owner', 'k3')).toMatchObject({
      reason: 'over',
    });
    expect(await service.answer('qst_unknown', once, 'web:owner', 'k4')).toMatchObject({ reason: 'unknown' });
  });
});

describe('a grant', () => {
  const grantOf = async (changes: Partial<ApprovalRequest>) => {
    const bench = createBench({ canChoose: true });
    const { answer } = await begin(bench, aRequest(changes));
    await ways['by a button']?.give(bench, 'always', 'u1');
    await answer;
    return (request: Partial<ApprovalRequest>, user = 'u1') =>
      bench.approvals.isGranted(aRequest(request), aContext('c9', user));
  };

  test('covers the same tool with the same keys, and nothing weightier', async () => {
    const isGranted = await grantOf({ grant: { keys: ['git', 'ls'], label: 'git and ls' } });
    expect(isGranted({ grant: { keys: ['git'], label: 'x' } })).toBe(true);
    expect(isGranted({ grant: { keys: ['ls', 'git'], label: 'x' } })).toBe(true);
    expect(isGranted({ grant: { keys: ['git', 'rm'], label: 'x' } })).toBe(false);
    expect(isGranted({ grant: { keys: [], label: 'x' } })).toBe(false);
    expect(isGranted({ tool: 'process' })).toBe(false);
    expect(isGranted({ category: 'finance' })).toBe(false);
    expect(isGranted({ category: 'write' })).toBe(true);
    expect(isGranted({}, 'u2')).toBe(false);
    const { grant: _grant, ...alone } = aRequest();
    expect(isGranted({ ...alone, tool: 'terminal' })).toBe(true);
  });

  test('that an owner gives to a job holds for its runs and for nobody else', async () => {
    const { approvals } = createBench({ canChoose: true });
    await approvals.grantToJob({ job: 'j1', tool: 'terminal', keys: ['git'], by: 'fake:boss' });
    expect(approvals.isGranted(aRequest(), aContext('c1', 'job'))).toBe(true);
    expect(approvals.isGranted(aRequest(), aContext('c1', 'boss'))).toBe(false);
    const rm = { keys: ['rm'], label: 'rm' };
    expect(approvals.isGranted(aRequest({ grant: rm }), aContext('c1', 'job'))).toBe(false);
  });

  test('of the whole tool covers every key', async () => {
    const isGranted = await grantOf({ grant: { keys: ['*'], label: 'all' } });
    expect(isGranted({ grant: { keys: ['rm'], label: 'x' } })).toBe(true);
  });
});
