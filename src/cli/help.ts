import { type Command, commandTable } from './command-table.js';

const row = ({ name, summary }: Command): string => `  ${name.padEnd(12)} ${summary}`;

export const generalHelp = (version: string): string =>
  [
    `Hermes Gateway ${version}: your agent in Telegram and on a web page`,
    '',
    'Usage: hermes COMMAND [OPTIONS]',
    '',
    ...commandTable.map(row),
    '',
    '  hermes help COMMAND   more about one of them',
    '  hermes --version      the version',
    '',
    'Settings are read from HERMES_HOME (default ~/.hermes): config.yaml and .env.',
    '',
  ].join('\n');

export const commandHelp = ({ name, summary, help }: Command): string =>
  `hermes ${name}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}\n\n${help}\n`;
