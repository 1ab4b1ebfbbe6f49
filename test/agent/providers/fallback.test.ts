import { describe, expect, test } from 'vitest';
import { withFallback } from '../../../src/agent/providers/fallback.js';
import type { ProviderErrorCode } from '../../../src/core/errors.js';
import { toSessionId, toTurnId } from '../../../src/core/ids.js';
import { quota } from '../../emulators/openai/control.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import {
  callsTools,
  fails,
  type ScriptedAnswer,
  ScriptedProvider,
  says,
} from '../../fakes/scripted-provider.js';
import { anAgent, aTool, runTurn, type TurnOutcome } from '../agent-world.js';
import { openWorld } from './openai-world.js';

const quotaGone = fails({ code: 'quota-exhausted', userText: 'Out of credit.' });

const aChain = (...scripts: readonly (readonly ScriptedAnswer[])[]) => {
  const [first = new ScriptedProvider(), ...others] = scripts.map(
    (answers) => new ScriptedProvider(...answers),
  );
  const clock = new ManualClock();
  const standIns = others.map((provider, index) => ({ provider, model: `other-${index + 1}` }));
  const provider = withFallback(first, standIns, { clock, logger: new MemoryLogger() });
  const agent = anAgent({ provider, clock, tools: [aTool()] });
  let turns = 0;
  const say = (session = 's1'): Promise<TurnOutcome> => {
    turns += 1;
    return runTurn(agent, { input: { turn: toTurnId(`t${turns}`), session: toSessionId(session) } });
  };
  return { clock, say, calls: () => [first, ...others].map(({ requests }) => requests.length), others };
};
const noticesOf = ({ events }: TurnOutcome) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));

describe('a model that cannot answer', () => {
  test.each<ProviderErrorCode>([
    'quota-exhausted',
    'unauthorized',
    'model-not-found',
    'rate-limited',
    'unavailable',
  ])('because of %s is stood in for, and the person is told which model answers', async (code) => {
    const { say, others } = aChain([fails({ code })], [says('Hello from the other')]);
    const outcome = await say();
    expect(outcome.end).toMatchObject({ reason: 'end_turn', text: 'Hello from the other' });
    expect(others[0]?.requests[0]?.model).toBe('other-1');
    expect(noticesOf(outcome)).toEqual([
      expect.stringMatching(/^⚠️ The model emulated-small .*, so other-1 answers/u),
    ]);
  });

  test.each<ProviderErrorCode>(['context-too-long', 'content-refused', 'bad-request'])(
    'because of %s is not: another would refuse it too',
    async (code) => {
      const { say, calls } = aChain([fails({ code, userText: 'No.' })], [says('Hello')]);
      expect((await say()).end).toMatchObject({ reason: 'error', text: 'No.', error: { code } });
      expect(calls()).toEqual([1, 0]);
    },
  );

  test('in the middle of its answer is stood in for from the start', async () => {
    const { say } = aChain([fails({ partial: 'Once upon' })], [says('A whole answer')]);
    const { events, end } = await say();
    expect(events.map(({ type }) => type)).toEqual([
      'turn-start',
      'text-delta',
      'text-reset',
      'notice',
      'text-delta',
      'turn-end',
    ]);
    expect(end.text).toBe('A whole answer');
  });
});

describe('a stand-in', () => {
  test('answers for the rest of the turn, told once', async () => {
    const { say, calls } = aChain([quotaGone], [callsTools([{ name: 'look' }]), says('done')]);
    const outcome = await say();
    expect(outcome.end.text).toBe('done');
    expect(calls()).toEqual([1, 2]);
    expect(noticesOf(outcome)).toHaveLength(1);
  });

  test('answers the turns that begin within a minute; then the first is asked again, and told of anew if it fails', async () => {
    const { say, calls, clock } = aChain([quotaGone, says('I am back'), quotaGone], [says('here')]);
    await say();
    expect(noticesOf(await say())).toEqual([]);
    expect(noticesOf(await say('s2'))).toHaveLength(1);
    expect(calls()).toEqual([1, 3]);
    await clock.advance(60_000);
    expect((await say()).end.text).toBe('I am back');
    const again = await say();
    expect(again.end.text).toBe('here');
    expect(noticesOf(again)).toHaveLength(1);
  });

  test('does not answer for longer because the clock was set back', async () => {
    const { say, clock } = aChain([quotaGone, says('I am back')], [says('here')]);
    expect((await say()).end.text).toBe('here');
    clock.setNow(clock.now() - 3_600_000);
    expect((await say()).end.text).toBe('I am back');
  });

  test('that fails too is stood in for by the next', async () => {
    const { say, calls } = aChain([quotaGone], [fails()], [says('third')]);
    const outcome = await say();
    expect(outcome.end.text).toBe('third');
    expect(calls()).toEqual([1, 1, 1]);
    expect(noticesOf(outcome).at(-1)).toContain('other-2');
  });

  test('that fails last leaves the advice of the first', async () => {
    const { say } = aChain([quotaGone], [fails({ userText: 'Out of order.' })]);
    const { end } = await say();
    expect(end).toMatchObject({ reason: 'error', error: { code: 'quota-exhausted' } });
    expect(end.text).toMatch(/^Out of credit\. .*other-1\.$/u);
  });
});

test('a chain of one is that one', () => {
  const only = new ScriptedProvider(says('Hi'));
  expect(withFallback(only, [], { clock: new ManualClock(), logger: new MemoryLogger() })).toBe(only);
});

test('over the wire: an account without credit hands over to another service', async () => {
  const [one, other] = [await openWorld(), await openWorld()];
  await one.control.respond(quota());
  const provider = withFallback(one.provider, [{ provider: other.provider, model: 'second' }], one);
  const { end } = await runTurn(anAgent({ provider }));
  expect(end.text).toBe('echo: hello');
  expect((await other.control.requests()).map(({ body }) => body)).toEqual([
    expect.objectContaining({ model: 'second' }),
  ]);
});
