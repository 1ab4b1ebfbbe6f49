/**
 * Speech: notes heard and answers spoken by the gateway's own pipeline, beside the same programs called by hand; and
 * text chats while ten notes arrive at once. The engines are those that tests use.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseMarkdown } from '../../src/adapters/kit/markdown-parse.js';
import {
  createGuardedFetch,
  createMediaStore,
  createProcessPort,
  createSystemClock,
} from '../../src/host/index.js';
import { createVoice } from '../../src/voice/index.js';
import { ask, chatOf, latenciesOf, readAnswers, textOf } from './load.js';
import { median, percentile } from './percentile.js';
import { residentBytes } from './process-usage.js';
import { quietLogger } from './quiet-logger.js';
import type { Row } from './report.js';
import { type FarSide, gatewaySubject, type RunningSubject, startSubject } from './subject.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const MAX_OVERHEAD = 1.15;
const MAX_TEXT_RATIO = 1.5;
/** Recordings are streamed to disk and the programs are few: what is more stays small. */
const MAX_MORE_MIB = 64;
const NOTE_SECONDS = [5, 60] as const;
const NOTES_AT_ONCE = 10;
const FIRST_SPEAKER = 5_001;
const SETTLE_MS = 2_000;
const neverAborts = new AbortController().signal;

const rooms = ['kitchen', 'garden', 'bedroom', 'office', 'hall', 'attic'] as const;
const things = ['light', 'radio', 'heater', 'music'] as const;
const grammar = `#JSGF V1.0;
grammar phrases;
public <phrase> = (turn (on | off) the (${things.join(' | ')}) in the (${rooms.join(' | ')}))+;
`;

/** No two alike, since what is said over and over again is taken for an engine's invention. */
const orders: readonly string[] = rooms.flatMap((room) =>
  things.map((thing, index) => `Turn ${index % 2 === 0 ? 'on' : 'off'} the ${thing} in the ${room}.`),
);

interface Bed {
  readonly folder: string;
  readonly grammar: string;
  /** Of so many seconds, by its number of seconds. */
  readonly notes: ReadonlyMap<number, string>;
}

const makeBed = async (): Promise<Bed> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-voice-'));
  const path = join(folder, 'phrases.gram');
  writeFileSync(path, grammar);
  const words = join(folder, 'words.wav');
  await run('espeak-ng', ['-v', 'en', '-s', '140', '-w', words, orders.join(' ')]);
  const notes = new Map<number, string>();
  for (const seconds of NOTE_SECONDS) {
    const note = join(folder, `${seconds}.ogg`);
    const input = ['-stream_loop', '-1', '-i', words, '-t', String(seconds)];
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...input, '-c:a', 'libopus', '-ac', '1', note]);
    notes.set(seconds, note);
  }
  return { folder, grammar: path, notes };
};

const makeVoice = ({ folder, grammar: path }: Bed) => {
  const clock = createSystemClock();
  const workspace = join(folder, 'workspace');
  return createVoice({
    settings: {
      recognition: {
        engines: [{ type: 'local', command: ['pocketsphinx_continuous'], grammar: path }],
        maxMs: 30 * 60_000,
        isEchoed: false,
      },
      synthesis: { engines: [{ type: 'local' }], mode: 'off', voices: {} },
      programFolders: (process.env['PATH'] ?? '').split(':'),
    },
    processes: createProcessPort({ clock }),
    media: createMediaStore({ home: folder, workspace, allowDirs: [], fetch: createGuardedFetch({ clock }) }),
    clock,
    logger: quietLogger,
    cache: join(folder, 'cache'),
    loadParser: async () => parseMarkdown,
  });
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};

const hearByHand = async ({ folder, grammar: path }: Bed, note: string): Promise<void> => {
  const wav = join(folder, 'by-hand.wav');
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', note, '-ac', '1', '-ar', '16000', wav]);
  await run('pocketsphinx_continuous', ['-infile', wav, '-jsgf', path, '-logfn', '/dev/null']);
};

const speakByHand = async ({ folder }: Bed, text: string): Promise<void> => {
  const [wav, ogg] = [join(folder, 'spoken.wav'), join(folder, 'spoken.ogg')];
  await run('espeak-ng', ['-v', 'en-us', '-w', wav, text]);
  const opus = ['-c:a', 'libopus', '-b:a', '32k', '-ac', '1', '-ar', '48000'];
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', wav, ...opus, ogg]);
};

/** In turns, the hand first in every other pair, after one of each that is not measured. */
const overheadRow = async (
  name: string,
  rounds: number,
  hand: () => Promise<unknown>,
  ours: () => Promise<unknown>,
): Promise<Row> => {
  const pairs: { readonly hand: number; readonly ours: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const isOursFirst = round % 2 === 1;
    const first = await timed(isOursFirst ? ours : hand);
    const second = await timed(isOursFirst ? hand : ours);
    if (round > 0) pairs.push(isOursFirst ? { hand: second, ours: first } : { hand: first, ours: second });
  }
  const ratio = median(pairs.map((pair) => pair.ours / pair.hand));
  const show = (side: 'hand' | 'ours') => `${median(pairs.map((pair) => pair[side])).toFixed(0)} ms`;
  return {
    name,
    floor: show('hand'),
    gateway: show('ours'),
    ratio: `${ratio.toFixed(2)}×`,
    bar: `≤ ${MAX_OVERHEAD}×`,
    isReached: ratio <= MAX_OVERHEAD,
  };
};

const measureOverhead = async (bed: Bed, rounds: number): Promise<readonly Row[]> => {
  const voice = makeVoice(bed);
  const rows: Row[] = [];
  for (const [seconds, path] of bed.notes) {
    const { size: sizeBytes } = await stat(path);
    const file = { path, fileName: 'note.ogg', mimeType: 'audio/ogg', sizeBytes };
    const hear = async (): Promise<void> => {
      const heard = await voice.hear(file, { signal: neverAborts });
      if (heard.type !== 'words') throw new Error(`a note of ${seconds} s was not understood`);
    };
    rows.push(await overheadRow(`hear ${seconds} s, by hand`, rounds, () => hearByHand(bed, path), hear));
    const text = 'Please turn on the light in the garden. '.repeat(Math.ceil(seconds / 2.5));
    const speak = async (): Promise<void> => {
      const spoken = await voice.speak(text, { signal: neverAborts });
      if (spoken.type === 'failed') throw new Error(spoken.reason);
    };
    rows.push(await overheadRow(`speak ${seconds} s, by hand`, rounds, () => speakByHand(bed, text), speak));
  }
  return rows;
};

const pushNotes = async ({ world: { telegram } }: RunningSubject, path: string): Promise<void> => {
  const bytes = readFileSync(path);
  for (let index = 0; index < NOTES_AT_ONCE; index += 1) {
    const { fileId } = await telegram.addFile({ bytes, mimeType: 'audio/ogg' });
    const voice = { file_id: fileId, file_unique_id: `n${index}`, file_size: bytes.length, duration: 5 };
    const fields = { voice: { ...voice, mime_type: 'audio/ogg' } };
    await telegram.pushUpdate({ kind: 'message', userId: FIRST_SPEAKER + index, fields });
  }
};

/** Text chats one message at a time: first alone, then while ten people's notes are heard. */
const measureTextBeside = async (bed: Bed, distMain: string, far: FarSide): Promise<readonly Row[]> => {
  const local = { command: ['pocketsphinx_continuous'], grammar: bed.grammar };
  const sections = { stt: { provider: 'local', local } };
  const running = await startSubject(gatewaySubject('gateway with voice', distMain, { sections }), far);
  const { world, pid } = running;
  try {
    await world.telegram.waitForPoll();
    await pause(SETTLE_MS);
    const alone = 150;
    for (let index = 0; index < alone; index += 1) await ask(world, chatOf(index), textOf('a', index));
    const beforeMiB = residentBytes(pid) / MIB;
    let peakMiB = beforeMiB;
    let isHeard = false;
    await pushNotes(running, bed.notes.get(60) ?? '');
    const all = Array.from({ length: NOTES_AT_ONCE }, (_, index) =>
      world.telegram.wait(
        { kind: 'message', chatId: FIRST_SPEAKER + index, contains: 'transcribed by' },
        { timeoutMs: 180_000 },
      ),
    );
    const heard = Promise.all(all).then(() => {
      isHeard = true;
    });
    let beside = 0;
    for (; !isHeard; beside += 1) {
      await ask(world, chatOf(beside), textOf('n', beside));
      peakMiB = Math.max(peakMiB, residentBytes(pid) / MIB);
    }
    await heard;
    const answers = await readAnswers(world);
    // The first ones warm it up.
    const aloneMs = percentile(latenciesOf(answers, 'a', alone).slice(50), 50);
    const besideMs = percentile(latenciesOf(answers, 'n', beside), 50);
    return toBesideRows({ aloneMs, besideMs, beside, beforeMiB, peakMiB });
  } finally {
    await running.stop();
  }
};

interface BesideFigures {
  readonly aloneMs: number;
  readonly besideMs: number;
  /** Messages that were answered while notes were heard. */
  readonly beside: number;
  readonly beforeMiB: number;
  readonly peakMiB: number;
}

const toBesideRows = ({ aloneMs, besideMs, beside, beforeMiB, peakMiB }: BesideFigures): readonly Row[] => [
  {
    name: 'text beside ten notes, alone',
    floor: `${aloneMs.toFixed(1)} ms`,
    gateway: `${besideMs.toFixed(1)} ms`,
    ratio: `${(besideMs / aloneMs).toFixed(2)}× (${beside} messages)`,
    bar: `≤ ${MAX_TEXT_RATIO}×`,
    isReached: besideMs / aloneMs <= MAX_TEXT_RATIO,
  },
  {
    name: 'memory with ten notes, before',
    floor: `${beforeMiB.toFixed(1)} MiB`,
    gateway: `${peakMiB.toFixed(1)} MiB`,
    ratio: `+${(peakMiB - beforeMiB).toFixed(1)} MiB`,
    bar: `≤ +${MAX_MORE_MIB} MiB`,
    isReached: peakMiB - beforeMiB <= MAX_MORE_MIB,
  },
];

export const measureVoiceRows = async (
  distMain: string,
  far: FarSide,
  { rounds }: { readonly rounds: number },
): Promise<readonly Row[]> => {
  const bed = await makeBed();
  try {
    return [...(await measureOverhead(bed, rounds)), ...(await measureTextBeside(bed, distMain, far))];
  } finally {
    rmSync(bed.folder, { recursive: true, force: true });
  }
};
