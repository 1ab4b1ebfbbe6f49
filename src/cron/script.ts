/**
 * Scripts that run before a job's model is asked. Only files that really lie in the home's scripts folder; in a process
 * group of their own, of which nothing is left afterwards; their output is material, never an instruction.
 */
import { isUtf8 } from 'node:buffer';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { ProcessPort } from '../core/process.js';

const MAX_OUTPUT_BYTES = 64 * 1024;

const programs: Readonly<Record<string, string>> = {
  '.sh': '/bin/bash',
  '.bash': '/bin/bash',
  '.py': '/usr/bin/python3',
  '.js': process.execPath,
};

export interface ScriptDeps {
  readonly folder: string;
  /** Where they run; absent: in their own folder. */
  readonly workdir?: string | undefined;
  readonly processes: ProcessPort;
  readonly timeoutMs: number;
  readonly redact: (text: string) => string;
}

export interface ScriptResult {
  readonly output: string;
  /** Absent: it succeeded. */
  readonly error?: string;
  /** Its last line says that there is nothing for the model to do. */
  readonly isDone: boolean;
}

/** The real path of a script, or a sentence about what is wrong with it. */
export const findScript = async (
  name: string,
  folder: string,
): Promise<{ readonly path: string } | { readonly problem: string }> => {
  if (!Object.hasOwn(programs, extname(name)))
    return { problem: `'${name}' is no script: it has to end in .sh, .py or .js.` };
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, name));
    if (!path.startsWith(`${root}${sep}`)) return { problem: `'${name}' leads out of the scripts folder.` };
    if (!(await stat(path)).isFile()) return { problem: `'${name}' is not a regular file.` };
    return { path };
  } catch {
    return { problem: `There is no script '${name}' in the scripts folder of HERMES_HOME.` };
  }
};

const isDone = (output: string): boolean => {
  try {
    const value: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
    return typeof value === 'object' && value !== null && 'wakeAgent' in value && value.wakeAgent === false;
  } catch {
    return false;
  }
};

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

/** Never rejects but with the signal's reason. */
export const runScript = async (
  name: string,
  { folder, workdir = folder, processes, timeoutMs, redact }: ScriptDeps,
  options: { readonly signal: AbortSignal },
): Promise<ScriptResult> => {
  const found = await findScript(name, folder);
  if ('problem' in found) return { output: '', error: found.problem, isDone: false };
  const command = programs[extname(found.path)] ?? '';
  try {
    const result = await processes.run(
      { command, args: [found.path], cwd: workdir, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES },
      options,
    );
    const read = (bytes: Uint8Array): string =>
      redact(Buffer.from(bytes).toString('utf8').replaceAll('\0', '')).trim();
    if (result.ending === 'exited' && !isText(result.stdout))
      return { output: '', error: `'${name}' printed something that is no text (UTF-8)`, isDone: false };
    const output = read(result.stdout);
    const complaint = read(result.stderr);
    const behind = complaint === '' ? '' : `: ${complaint.slice(0, 2_000)}`;
    switch (result.ending) {
      case 'exited':
        if (result.exitCode === 0) return { output, isDone: isDone(output) };
        return { output, error: `'${name}' ended with exit code ${result.exitCode}${behind}`, isDone: false };
      case 'timed-out':
        return {
          output,
          error: `'${name}' took longer than ${timeoutMs / 1000} s and was ended`,
          isDone: false,
        };
      case 'too-much-output':
        return {
          output,
          error: `'${name}' wrote more than ${MAX_OUTPUT_BYTES / 1024} KiB and was ended`,
          isDone: false,
        };
      case 'killed':
        return { output, error: `'${name}' was killed${behind}`, isDone: false };
    }
  } catch (error) {
    options.signal.throwIfAborted();
    return { output: '', error: `'${name}' cannot be run: ${redact(String(error))}`, isDone: false };
  }
};
