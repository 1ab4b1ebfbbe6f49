import { describe, expect, test } from 'vitest';
import { Lane } from '../../../src/gateway/outbound/lane.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const createLane = () => {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  let settle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const lane = new Lane({ clock, onIdle: settle, onError: (error) => errors.push(error) });
  return { clock, errors, idle, lane };
};

/** A task that runs until it is let go. */
const createTask = (name: string, done: string[]) => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = async (): Promise<void> => {
    done.push(`${name} begins`);
    await gate;
    done.push(`${name} ends`);
  };
  return { run, release };
};

describe('a lane', () => {
  test('runs its tasks one after the other', async () => {
    const { lane, idle } = createLane();
    const done: string[] = [];
    const first = createTask('first', done);
    const second = createTask('second', done);
    lane.push(first.run);
    lane.push(second.run);
    second.release();
    first.release();
    await idle;
    expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
    expect(lane.isBusy).toBe(false);
  });

  test('goes on after a task that fails, and tells of it', async () => {
    const { lane, idle, errors } = createLane();
    const broken = new Error('broken');
    const done: string[] = [];
    lane.push(() => Promise.reject(broken));
    lane.push(async () => void done.push('next'));
    await idle;
    expect(errors).toEqual([broken]);
    expect(done).toEqual(['next']);
  });

  test('lets nothing leave before its hold is over, also one made longer meanwhile', async () => {
    const { lane, clock } = createLane();
    lane.hold(clock.now() + 1_000);
    let isOver = false;
    const waited = lane.waitUntil(0).then(() => {
      isOver = true;
    });
    await clock.advance(500);
    lane.hold(clock.now() + 2_000);
    await clock.advance(1_999);
    expect(isOver).toBe(false);
    expect(lane.isHeld).toBe(true);
    await clock.advance(1);
    await waited;
    expect(lane.isHeld).toBe(false);
  });

  test('does not shorten a hold', async () => {
    const { lane, clock } = createLane();
    lane.hold(clock.now() + 5_000);
    lane.hold(clock.now() + 1_000);
    await clock.advance(1_500);
    expect(lane.isHeld).toBe(true);
  });

  test('is over a wait once it was slept, although the host set its clock back', async () => {
    const { lane, clock } = createLane();
    const waited = lane.waitUntil(clock.now() + 1_000);
    clock.setNow(clock.now() - 3_600_000);
    await clock.advance(1_000);
    await expect(waited).resolves.toBeUndefined();
  });

  test('begins nothing further once halted, and ends with the task under way', async () => {
    const { lane, errors } = createLane();
    const done: string[] = [];
    const running = createTask('running', done);
    lane.push(running.run);
    lane.push(async () => void done.push('waiting'));
    await undefined;
    const halted = lane.halt();
    lane.push(async () => void done.push('late'));
    running.release();
    await halted;
    expect(done).toEqual(['running begins', 'running ends']);
    expect(errors).toEqual([]);
  });

  test('ends a wait when it is halted, which is no failure', async () => {
    const { lane, clock, errors } = createLane();
    lane.push(() => lane.waitUntil(clock.now() + 60_000));
    await clock.waiting(60_000);
    await lane.halt();
    expect(errors).toEqual([]);
    expect(clock.sleeping).toEqual([]);
  });
});
