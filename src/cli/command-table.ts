/** Every command, one entry each. Implementations are imported when they run, so that help costs nothing. */
import type { Run } from './edge.js';

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What follows the summary in `hermes help <name>`. */
  readonly help: string;
  /** Absent: not built yet. */
  load?(): Promise<{ readonly run: Run }>;
}

const planned = (name: string, summary: string): Command => ({
  name,
  summary,
  help: `Usage: hermes ${name} …\n\nThis command is not built yet.`,
});

export const commandTable: readonly Command[] = [
  {
    name: 'gateway',
    summary: 'Run the gateway in the foreground',
    help: [
      'Usage: hermes gateway',
      '',
      'Connects every platform that is set up, serves the chat page, and runs until',
      'SIGTERM or Ctrl-C; then turns come to a stop, what is to be sent is sent, and',
      'it exits 0. A second signal exits at once. One gateway runs on one HERMES_HOME.',
    ].join('\n'),
    load: () => import('./commands/gateway.js'),
  },
  {
    name: 'status',
    summary: 'Show what the running gateway does',
    help: [
      'Usage: hermes status [--json]',
      '',
      'Platforms, queues, and what needs you, each with what to do.',
      'Exit code 0 if a gateway runs on this HERMES_HOME, else 1.',
      '',
      '  --json   the same for programs',
    ].join('\n'),
    load: () => import('./commands/status.js'),
  },
  {
    name: 'send',
    summary: 'Send a text or files to a chat',
    help: [
      'Usage: hermes send --to TARGET [--file PATH]… [--json] [TEXT]',
      '       … | hermes send --to TARGET [--file PATH]… [--json] -',
      '',
      'Works with the gateway up or down. Prints the ids of the messages; exit code 0',
      'only if the platform has confirmed every one of them. Else it says of each',
      'target whether it was refused or stays in the outbox to be sent later.',
      '',
      '  --to TARGET   platform (its home channel), platform:chat_id,',
      '                platform:chat_id:thread, platform:"label", or several separated',
      '                by commas',
      '  --json        the outcome for programs',
      '  --file PATH   a file that goes with the text, or alone; may be repeated',
    ].join('\n'),
    load: () => import('./commands/send.js'),
  },
  {
    name: 'pairing',
    summary: 'Let people in by a code',
    help: [
      'Usage: hermes pairing list [--json]             who asked, and who is let in',
      '       hermes pairing approve PLATFORM CODE     let in who was told this code',
      '       hermes pairing revoke PLATFORM USER      let them in no longer',
      '',
      'A stranger who writes to the bot in private is told a code. Whoever is let in',
      'by it may write anywhere on that platform and is no owner. Works with the',
      'gateway up or down.',
    ].join('\n'),
    load: () => import('./commands/pairing.js'),
  },
  {
    name: 'sessions',
    summary: 'List, show, export and delete conversations',
    help: [
      'Usage: hermes sessions list [--limit N] [--json]',
      '       hermes sessions show NAME [--limit N] [--json]      its newest messages',
      '       hermes sessions export NAME… [--format FORMAT]      all of it, on stdout',
      '       hermes sessions export --all [--format FORMAT]',
      '       hermes sessions delete NAME [--yes]                 for good',
      '',
      'NAME is the id of a conversation, its place (telegram:#general), or the',
      'beginning of its id, place or title. Works with the gateway up or down.',
      '',
      '  --format FORMAT   jsonl (default): a line for the conversation and one for',
      '                    each message; or markdown',
      '  --limit N         list: 100 by default; show: 20',
      '  --yes             delete without asking',
    ].join('\n'),
    load: () => import('./commands/sessions.js'),
  },
  {
    name: 'tools',
    summary: 'List tools and switch them on or off',
    help: [
      'Usage: hermes tools list [--platform P] [--json]',
      '       hermes tools enable TOOLSET… [--platform P]',
      '       hermes tools disable TOOLSET… [--platform P]',
      '',
      'Tools come in toolsets. A platform has those of its own list',
      '(platforms.P.toolsets in config.yaml), else those of the list for all',
      '(toolsets), else all there are. A conversation keeps the tools that it began',
      'with: a change holds for those that begin after it (/new begins one).',
      '',
      '  --platform P   the list of this platform; without it the one for all',
      '  --json         the same for programs',
    ].join('\n'),
    load: () => import('./commands/tools.js'),
  },
  {
    name: 'cron',
    summary: 'Schedule jobs',
    help: [
      'Usage: hermes cron create SCHEDULE PROMPT [options]',
      '       hermes cron edit NAME [options]',
      '       hermes cron list|status|tick',
      '       hermes cron show|pause|resume|run|remove NAME',
      '       hermes cron runs [NAME]',
      '',
      'SCHEDULE is a cron expression, "every 30m", "in 2h", "30m" (once), a time like',
      '2026-03-01T09:00, or days: "every weekday at 9am", "mon,thu 14:00". NAME is an',
      'id or a unique name. run and tick need a running gateway.',
      '',
      '  --name TEXT       a short name',
      '  --deliver TARGET  where the result goes: local (default), platform,',
      '                    platform:chat_id, or several separated by commas',
      '  --script FILE     of HERMES_HOME/scripts, run before the prompt',
      '  --no-agent        deliver what the script prints, without a model',
      '  --timezone ZONE   e.g. Europe/Berlin',
      '  --model NAME      who answers',
      '  --skill NAME      may be given several times',
      '  --repeat N        runs until it is over; 0: for ever',
      '  --workdir FOLDER  where its file tools and its script work, and whose',
      '                    AGENTS.md it follows',
      '  --max-iterations N   most model calls of a run; 0: as the settings say',
      '  --silence POLICY  marker (default): an answer of [SILENT] is not delivered;',
      '                    never: everything is; always: only failures are',
      '  --catch-up, --no-catch-up   whether a run that was missed is made up for',
      '  --schedule, --prompt, --agent   for edit; an empty text takes away',
      '  --json            for programs',
    ].join('\n'),
    load: () => import('./commands/cron.js'),
  },
  {
    name: 'config',
    summary: 'Check or show the settings',
    help: [
      'Usage: hermes config check [--json]   every problem and every unknown key',
      '       hermes config show [--json]    the settings in effect, secrets as ***',
      '       hermes config path             where config.yaml is looked for',
      '       hermes config schema           its JSON Schema, for editors',
      '',
      'Exit code 78 if the settings cannot be used.',
    ].join('\n'),
    load: () => import('./commands/config.js'),
  },
  planned('setup', 'Set up a model and platforms by answering questions'),
  planned('doctor', 'Check everything and say how to mend it'),
  planned('chat', 'Chat in the terminal'),
  planned('permissions', 'List and revoke what tools were allowed'),
  planned('skills', 'List and show skills'),
  planned('whatsapp', 'Log in to WhatsApp'),
];
