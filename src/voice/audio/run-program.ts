/**
 * Programs that work on sound: few at a time, each with a limit, and its group ended with it.
 * A file name never becomes an option: every path that is handed over is absolute.
 */
import PQueue from 'p-queue';
import { never, ToolError } from '../../core/errors.js';
import type { ProcessPort, ProcessResult } from '../../core/process.js';
import type { Programs } from './programs.js';

/** As many as leave a small host able to answer text. */
const MAX_PARALLEL = 2;
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Resolves with what a program that ended well wrote. Rejects with a ToolError, or with the signal's reason. */
export type RunProgram = (
  call: ProgramCall,
  options: { readonly signal: AbortSignal },
) => Promise<ProcessResult>;

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const problemOf = (
  { program, timeoutMs }: ProgramCall,
  { ending, exitCode, stderr }: ProcessResult,
): string => {
  const said = decode(stderr);
  if (/no space left on device/iu.test(said)) return 'the disk is full';
  if (ending === 'timed-out') return `${program} was not done after ${Math.round(timeoutMs / 1000)} s`;
  if (ending !== 'exited') return `${program} was ended (${ending})`;
  const last = said.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  return `${program} failed (exit code ${exitCode ?? '?'})${last === '' ? '' : `: ${last}`}`;
};

export const createRunProgram = (processes: ProcessPort, programs: Programs): RunProgram => {
  const queue = new PQueue({ concurrency: MAX_PARALLEL });
  return async (call, { signal }) => {
    const command = await programs.need(call.program);
    const { args, cwd, timeoutMs } = call;
    const request = { command, args, cwd, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
    let running: Promise<ProcessResult> | undefined;
    const work = (): Promise<ProcessResult> => {
      running = processes.run(request, { signal });
      return running;
    };
    let result: ProcessResult;
    try {
      result = await queue.add(work, { signal });
    } finally {
      // The queue gives up at once; the caller's files are in use until the group has ended.
      await running?.catch(() => undefined);
    }
    if (result.ending === 'exited' && result.exitCode === 0) return result;
    throw new ToolError({ code: 'failed', message: problemOf(call, result), retry: never });
  };
};
