import * as z from 'zod';
import type { CommandRequest, CommandResult } from '../core/commands.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';
import { programsOf, riskOfLine } from './terminal/programs.js';

const maxTimeoutSeconds = 600;
const maxSummaryLength = 80;

const input = z.object({
  command: z
    .string()
    .min(1)
    .max(100_000)
    .refine((line) => line.trim() !== '' && !line.includes('\0'), {
      message: 'expected a command line for bash',
    })
    .describe('A command line for bash.'),
  workdir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder inside the workspace to run in. Default: where your last command of this conversation ended.',
    ),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(maxTimeoutSeconds)
    .optional()
    .describe(`Seconds after which it is ended. Default 180, most ${maxTimeoutSeconds}. Not for background.`),
  background: z
    .boolean()
    .optional()
    .describe(
      'true: leave it running and get a process id at once, for servers and what takes longer than minutes.',
    ),
  pty: z
    .boolean()
    .optional()
    .describe('true: give it a terminal, for programs that refuse to run without one.'),
});

type TerminalInput = z.infer<typeof input>;

export const terminal: Tool<TerminalInput> = {
  name: 'terminal',
  title: 'Terminal',
  description:
    'Runs a command line in bash, in the workspace. The folder it ends in (cd) is where the next one begins; variables are not kept. ' +
    'Returns exit code and output, both streams in one; of long outputs beginning and end, and where all of it is. ' +
    'Nothing can be typed into it, and everything it started is ended with it: use background: true for servers and long ' +
    'work, then the tool process. Use read_file, search_files, write_file and patch for files.',
  category: 'system',
  input,
  mode: 'exclusive',
  summarise: ({ command }) => command.replaceAll(/\s+/gu, ' ').trim().slice(0, maxSummaryLength),
  forbids: (given, context) =>
    context.services.floor.command(given.command, { cwd: folderOf(given, context) }),
  grantOf: ({ command }) => {
    const programs = programsOf(command);
    return programs === undefined
      ? undefined
      : { keys: programs, label: `commands that run ${programs.join(' and ')}` };
  },
  riskOf: ({ command }) => riskOfLine(command),
  present: (given, context) => {
    const notes = [
      `in ${folderOf(given, context)}`,
      ...(given.background === true ? ['runs on in the background'] : []),
    ];
    return `$ ${given.command}\n(${notes.join(', ')})`;
  },
  async execute(given, context) {
    const { services, signal } = context;
    const request: CommandRequest = {
      run: given.command,
      ...(given.workdir !== undefined && { cwd: folderOf(given, context) }),
      ...(given.timeout !== undefined && { timeoutMs: given.timeout * 1000 }),
      ...(given.pty === true && { pty: true }),
    };
    if (given.background === true) {
      const { id } = await services.commands.start(request, context);
      return {
        text: `Started in the background as process ${id}. Its end will be told in the chat; the tool process shows how it goes.`,
        isError: false,
      };
    }
    return toOutcome(await services.commands.run(request, context, { signal }));
  },
};

const folderOf = ({ workdir }: TerminalInput, { services, session }: ToolContext): string =>
  workdir === undefined ? services.commands.folder(session) : services.edits.locate(workdir);

const toOutcome = ({ ending, exitCode, output, folder, durationMs }: CommandResult): ToolOutcome => {
  const seconds = Math.round(durationMs / 100) / 10;
  const ends: Readonly<Record<typeof ending, string>> = {
    exited: `exit code ${exitCode}`,
    killed: 'ended by a signal',
    'timed-out':
      'timed out and was ended with everything it started. Give a longer timeout, or background: true',
    stopped: 'stopped',
  };
  const text = output.text.trimEnd();
  return {
    text: `${text === '' ? '(no output)' : text}\n[${ends[ending]}; ${seconds} s; now in ${folder}]`,
    isError: ending !== 'exited' || exitCode !== 0,
  };
};
