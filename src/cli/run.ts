/** From the command line to an exit code. Nothing that only a command needs is loaded before it runs. */
import { type Command, commandTable } from './command-table.js';
import { CommandFailure, type Edge, type ExitCode, UsageError } from './edge.js';
import { commandHelp, generalHelp } from './help.js';
import { tell } from './tell.js';

const find = (name: string): Command | undefined => commandTable.find((command) => command.name === name);

const unknownCommand = async (name: string, edge: Edge): Promise<ExitCode> => {
  const { nearest } = await import('../config/nearest.js');
  const meant = nearest(
    name,
    commandTable.map((command) => command.name),
  );
  const hint = meant === undefined ? '`hermes --help` lists them.' : `Did you mean \`hermes ${meant}\`?`;
  tell(edge.stderr, `hermes: there is no command '${name}'. ${hint}\n`);
  return 2;
};

const help = async (name: string | undefined, edge: Edge): Promise<ExitCode> => {
  const command = name === undefined ? undefined : find(name);
  if (name !== undefined && command === undefined) return unknownCommand(name, edge);
  edge.stdout.write(command === undefined ? generalHelp(edge.version) : commandHelp(command));
  return 0;
};

const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
};

const explain = async (error: unknown, command: Command, edge: Edge): Promise<ExitCode> => {
  if (error instanceof UsageError) {
    tell(edge.stderr, `hermes ${command.name}: ${error.message}. See \`hermes help ${command.name}\`.\n`);
    return 2;
  }
  if (error instanceof CommandFailure) {
    tell(edge.stderr, `hermes ${command.name}: ${error.message}\n`);
    return 1;
  }
  const { explainError } = await import('./explain-error.js');
  return explainError(error, command.name, edge);
};

/** Resolves with the exit code, whatever happens in the command. */
export const runCommandLine = async (args: readonly string[], edge: Edge): Promise<ExitCode> => {
  const [name, ...rest] = args;
  if (name === undefined) {
    edge.stderr.write(generalHelp(edge.version));
    return 2;
  }
  if (name === '--version' || name === '-V') {
    edge.stdout.write(`${edge.version}\n`);
    return 0;
  }
  if (name === 'help' || name === '--help' || name === '-h') return help(rest[0], edge);
  const command = find(name);
  if (command === undefined) return unknownCommand(name, edge);
  if (asksForHelp(rest)) return help(name, edge);
  try {
    const { run } = await command.load();
    return await run(rest, edge);
  } catch (error) {
    return explain(error, command, edge);
  }
};
