/** What a chat reads about a command that ran beside it. Pure. */
import type { BackgroundCommand } from '../../core/commands.js';
import type { RecordedCommand } from './command-record.js';

const maxLineLength = 80;
const maxOutputLength = 1_200;

const inOneLine = (line: string): string => {
  const flat = line.replaceAll(/\s+/gu, ' ').replaceAll('`', "'").trim();
  return flat.length > maxLineLength ? `${flat.slice(0, maxLineLength - 1)}…` : flat;
};

const toDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

const howItEnded = ({ ending, exitCode }: NonNullable<BackgroundCommand['end']>): string => {
  if (ending === 'exited') return exitCode === 0 ? 'is done' : `failed with exit code ${exitCode}`;
  return ending === 'killed' ? 'was ended by a signal' : 'was stopped';
};

/** The output's last lines are shown as they are: nothing in them is read as markup. */
export const endText = (
  { id, line, startedAt }: RecordedCommand,
  end: NonNullable<BackgroundCommand['end']>,
  output: string,
): string => {
  const head = `⚙️ Process ${id} (\`${inOneLine(line)}\`) ${howItEnded(end)} after ${toDuration(end.at - startedAt)}.`;
  const last = output.trim().slice(-maxOutputLength).replaceAll('```', "'''");
  return last === '' ? head : `${head}\n\`\`\`\n${last}\n\`\`\``;
};

export const lostText = ({ id, line }: RecordedCommand): string =>
  `⚙️ Process ${id} (\`${inOneLine(line)}\`) ended with the gateway, which was restarted. Its result is unknown.`;
