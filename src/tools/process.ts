import * as z from 'zod';
import type { BackgroundCommand } from '../core/commands.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const maxWaitSeconds = 600;
const defaultWaitSeconds = 60;
const maxPollLength = 4_000;

const actions = ['list', 'poll', 'log', 'wait', 'write', 'kill'] as const;

const input = z
  .object({
    action: z
      .enum(actions)
      .describe(
        'list: all of this conversation. poll: how it goes, with the last output. log: the output, beginning and end. wait: until it ends. write: type into it. kill: end it.',
      ),
    process_id: z.string().min(1).optional().describe('The id that terminal gave. Needed for all but list.'),
    text: z
      .string()
      .max(100_000)
      .optional()
      .describe('write: what is typed, with \\n at its end where Enter is to be pressed.'),
    timeout: z
      .number()
      .int()
      .min(1)
      .max(maxWaitSeconds)
      .optional()
      .describe(`wait: seconds, default ${defaultWaitSeconds}, most ${maxWaitSeconds}.`),
  })
  .superRefine(({ action, process_id, text }, check) => {
    if (action !== 'list' && process_id === undefined)
      check.addIssue({ code: 'custom', message: `${action} needs 'process_id'; list shows them` });
    if (action === 'write' && text === undefined)
      check.addIssue({ code: 'custom', message: "write needs 'text'" });
  });

type ProcessInput = z.infer<typeof input>;

export const process: Tool<ProcessInput> = {
  name: 'process',
  title: 'Processes',
  description:
    'Looks after the processes that terminal started in the background: list, poll, log, wait, write (typing into one) and ' +
    'kill. Returns states and outputs. The end of each is told in the chat by itself.',
  category: 'read',
  input,
  mode: 'exclusive',
  // Looking changes nothing; typing into a shell is running a command.
  categoryOf: ({ action }) => (action === 'write' || action === 'kill' ? 'system' : 'read'),
  summarise: ({ action, process_id }) => [action, process_id ?? ''].join(' ').trim(),
  forbids: ({ action, text = '' }, { services, session }) =>
    action === 'write' ? services.floor.command(text, { cwd: services.commands.folder(session) }) : undefined,
  grantOf: ({ action, process_id = '' }) => {
    if (action === 'write') return undefined;
    return {
      keys: [action === 'kill' ? `kill ${process_id}` : 'look'],
      label: action === 'kill' ? `ending ${process_id}` : 'looking at processes',
    };
  },
  present: ({ action, process_id = '', text }, { services, session }) => {
    const line = services.commands.find(session, process_id)?.line ?? 'no such process';
    return `${action} ${process_id} (${line})${text === undefined ? '' : `\n${text}`}`;
  },
  async execute({ action, process_id = '', text = '', timeout = defaultWaitSeconds }, context) {
    const { services, session, signal } = context;
    if (action === 'list') return listOf(context);
    const found = services.commands.find(session, process_id);
    if (found === undefined) return missing(process_id, context);
    switch (action) {
      case 'poll':
        return ok(stateOf(process_id, context, maxPollLength));
      case 'log':
        return ok(stateOf(process_id, context));
      case 'wait':
        await services.commands.wait(session, process_id, { timeoutMs: timeout * 1000, signal });
        return ok(stateOf(process_id, context, maxPollLength));
      case 'kill':
        if (found.end !== undefined) return ok(`${process_id} has ended already.`);
        await services.commands.kill(session, process_id);
        return ok(`${process_id} was ended with everything it started.`);
      case 'write':
        if (services.commands.write(session, process_id, text))
          return ok('Typed. Poll shows what comes of it.');
        return { text: `${process_id} reads no more; nothing was typed.`, isError: true };
    }
  },
};

const ok = (text: string): ToolOutcome => ({ text, isError: false });

const describeOne = ({ id, line, end }: BackgroundCommand): string => {
  const state =
    end === undefined ? 'runs' : end.ending === 'exited' ? `ended, exit code ${end.exitCode}` : end.ending;
  return `${id}: ${state}: ${line.replaceAll(/\s+/gu, ' ').slice(0, 200)}`;
};

const listOf = ({ services, session }: ToolContext): ToolOutcome => {
  const all = services.commands.list(session);
  return ok(
    all.length === 0
      ? 'No process was started in this conversation since the gateway started.'
      : all.map(describeOne).join('\n'),
  );
};

const missing = (id: string, { services, session }: ToolContext): ToolOutcome => {
  const ids = services.commands.list(session).map((one) => one.id);
  const known =
    ids.length === 0 ? 'There is none: a restart of the gateway ends all.' : `There are: ${ids.join(', ')}.`;
  return { text: `There is no process ${id} in this conversation. ${known}`, isError: true };
};

const stateOf = (id: string, { services, session }: ToolContext, maxLength?: number): string => {
  const command = services.commands.find(session, id);
  const output = services.commands.output(session, id)?.text.trimEnd() ?? '';
  const isCut = maxLength !== undefined && output.length > maxLength;
  const shown = isCut ? `[… log shows more …]\n${output.slice(-maxLength)}` : output;
  return [
    ...(command === undefined ? [] : [describeOne(command)]),
    shown === '' ? '(no output yet)' : shown,
  ].join('\n');
};
