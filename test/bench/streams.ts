/** A thousand answers that grow at once, in both programs alike: how late the event loop gets, and how much memory it takes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deltas, slowly } from '../emulators/openai/control.js';
import type { Row } from './report.js';
import { type FarSide, type Subject, startSubject } from './subject.js';

const STREAMS = 1_000;
const FIRST_CHAT = 10_001;
/** Five a second for two seconds. */
const DELTAS = 10;
const TICK_MS = 200;
const PUSHERS = 8;
const TIMEOUT_MS = 120_000;
const MIB = 1024 * 1024;

interface StreamFigures {
  /** How late the event loop was, for one timer in a hundred. */
  readonly delayP99Ms: number;
  readonly delayMeanMs: number;
  readonly peakMiB: number;
}

interface ProbeLine {
  readonly p99Ms: number;
  readonly meanMs: number;
  readonly peakBytes: number;
}

const probe = new URL('./delay-probe.mjs', import.meta.url).href;

const nextLine = async (file: string): Promise<ProbeLine> => {
  while (!existsSync(file)) await pause(20);
  return JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as ProbeLine;
};

async function measureStreams(subject: Subject, far: FarSide): Promise<StreamFigures> {
  let probeFile = '';
  const running = await startSubject(
    {
      name: subject.name,
      command: async (world, folder) => {
        probeFile = join(folder, 'probe.jsonl');
        const { args, env } = await subject.command(world, folder);
        return { args, env: { ...env, NODE_OPTIONS: `--import=${probe}`, PROBE_FILE: probeFile } };
      },
    },
    far,
  );
  const { world, pid } = running;
  const { telegram, openai } = world;
  try {
    const words = Array.from({ length: DELTAS }, (_, index) => `word${index} `);
    await openai.otherwise(slowly(deltas(words), 'pace'));
    await telegram.waitForPoll();
    let next = FIRST_CHAT;
    const push = async (): Promise<void> => {
      while (next < FIRST_CHAT + STREAMS) {
        const chat = next;
        next += 1;
        await telegram.sendDirect(chat, 'go on');
      }
    };
    await Promise.all(Array.from({ length: PUSHERS }, push));
    await openai.waitFor({ gate: 'pace', waiting: STREAMS });
    process.kill(pid, 'SIGUSR2');
    for (let tick = 0; tick < DELTAS; tick += 1) {
      await openai.release('pace', STREAMS);
      await pause(TICK_MS);
    }
    await openai.openGate('pace');
    await telegram.wait({ kind: 'calls', method: 'sendMessage', count: STREAMS }, { timeoutMs: TIMEOUT_MS });
    process.kill(pid, 'SIGUSR2');
    const { p99Ms, meanMs, peakBytes } = await nextLine(probeFile);
    return { delayP99Ms: p99Ms, delayMeanMs: meanMs, peakMiB: peakBytes / MIB };
  } finally {
    await running.stop();
  }
}

/** Of the bare client doing the same. */
const MAX_RATIO = 1.3;

const toRow = (name: string, unit: string, floor: number, gateway: number): Row => ({
  name,
  floor: `${floor.toFixed(0)} ${unit}`,
  gateway: `${gateway.toFixed(0)} ${unit}`,
  ratio: `${(gateway / floor).toFixed(2)}×`,
  bar: `≤ ${MAX_RATIO}×`,
  isReached: gateway / floor <= MAX_RATIO,
});

export const measureStreamRows = async (
  { floor, gateway }: { readonly floor: Subject; readonly gateway: Subject },
  far: FarSide,
): Promise<readonly Row[]> => {
  const bare = await measureStreams(floor, far);
  const ours = await measureStreams(gateway, far);
  return [
    toRow(`${STREAMS} streams, loop delay`, 'ms', bare.delayMeanMs, ours.delayMeanMs),
    toRow(`${STREAMS} streams, delay p99`, 'ms', bare.delayP99Ms, ours.delayP99Ms),
    toRow(`${STREAMS} streams, memory`, 'MiB', bare.peakMiB, ours.peakMiB),
  ];
};
