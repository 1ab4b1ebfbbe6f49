/**
 * Both programs from their start to their end under the whole load. They live side by side and take turns at it in
 * small portions, so that what else happens on the machine meets both alike; the one that waits does nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { burstRateOf, CHAT_COUNT, type Load, latenciesOf, telegramLoad } from './load.js';
import { percentile } from './percentile.js';
import { cpuMs, residentBytes } from './process-usage.js';
import { type FarSide, type RunningSubject, type Subject, startSubject } from './subject.js';

export interface LoadSize {
  /** Messages one at a time, after one from every chat that is not measured. */
  readonly latencyMessages: number;
  /** Of one message from each chat. */
  readonly bursts: number;
}

export interface StartFigures {
  /** From spawn to the first getUpdates, or to the READY of a gateway connection. */
  readonly readyMs: number;
  readonly idleMiB: number;
}

export interface Figures extends StartFigures {
  readonly loadedMiB: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Messages per second in the median burst. */
  readonly burstRate: number;
  readonly cpuPerMessageMs: number;
}

/** Whatever a program does after its first poll is done by then. */
const SETTLE_MS = 2_000;
/** Messages one at a time before it is the other's turn. */
const PORTION = 50;
const MIB = 1024 * 1024;

/** In the order of `subjects`; the first of them goes first. */
export async function measureRound(
  subjects: readonly Subject[],
  far: FarSide,
  size: LoadSize,
  load: Load = telegramLoad,
): Promise<readonly Figures[]> {
  const started: Started[] = [];
  try {
    for (const subject of subjects) started.push(await startReady(subject, far, load));
    await pause(SETTLE_MS);
    const idle = started.map(({ running, readyMs }) => ({
      readyMs,
      idleMiB: residentBytes(running.pid) / MIB,
      idleCpuMs: cpuMs(running.pid),
    }));
    await takeTurns(started, size, load);
    return await Promise.all(
      started.map(async ({ running: { pid, world } }, index) => {
        const { readyMs = 0, idleMiB = 0, idleCpuMs = 0 } = idle[index] ?? {};
        const usage = { loadedMiB: residentBytes(pid) / MIB, cpuMs: cpuMs(pid) - idleCpuMs };
        const answers = await load.readAnswers(world);
        const latencies = latenciesOf(answers, 'l', size.latencyMessages);
        const rates = Array.from({ length: size.bursts }, (_, number) => burstRateOf(answers, number));
        const messages = CHAT_COUNT + size.latencyMessages + size.bursts * (CHAT_COUNT + 1);
        return {
          readyMs,
          idleMiB,
          loadedMiB: usage.loadedMiB,
          p50Ms: percentile(latencies, 50),
          p99Ms: percentile(latencies, 99),
          burstRate: percentile(rates, 50),
          cpuPerMessageMs: usage.cpuMs / messages,
        };
      }),
    );
  } finally {
    for (const { running } of started) await running.stop();
  }
}

async function takeTurns(started: readonly Started[], size: LoadSize, load: Load): Promise<void> {
  for (const { running } of started) await load.oneByOne(running.world, 'w', 0, CHAT_COUNT);
  for (let from = 0; from < size.latencyMessages; from += PORTION) {
    const to = Math.min(from + PORTION, size.latencyMessages);
    for (const { running } of started) await load.oneByOne(running.world, 'l', from, to);
  }
  for (let number = 0; number < size.bursts; number += 1) {
    for (const { running } of started) await load.burst(running.world, number);
  }
}

/** Brings a program's files into the page cache, so that the first round is like the others. */
export async function rehearse(subject: Subject, far: FarSide, load?: Load): Promise<void> {
  const { running } = await startReady(subject, far, load);
  await running.stop();
}

/** Only started and stopped: for what needs no load. */
export async function measureStart(
  subject: Subject,
  far: FarSide,
  load?: Pick<Load, 'untilReady'>,
): Promise<StartFigures> {
  const { running, readyMs } = await startReady(subject, far, load);
  try {
    await pause(SETTLE_MS);
    return { readyMs, idleMiB: residentBytes(running.pid) / MIB };
  } finally {
    await running.stop();
  }
}

interface Started {
  readonly running: RunningSubject;
  readonly readyMs: number;
}

async function startReady(
  subject: Subject,
  far: FarSide,
  load: Pick<Load, 'untilReady'> = telegramLoad,
): Promise<Started> {
  const running = await startSubject(subject, far);
  try {
    return { running, readyMs: (await load.untilReady(running.world)) - running.spawnedAt };
  } catch (error) {
    await running.stop();
    throw error;
  }
}
