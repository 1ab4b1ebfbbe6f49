import type { JobRun } from '../../core/job.js';
import type { JobAction, JobAnswer, JobRequest, ShownJob } from '../../core/job-service.js';
import { toNextWords, toRunWords } from '../../core/job-words.js';
import { formatLocalTime } from '../../core/local-time.js';
import { parseTargets } from '../../core/targets.js';
import type { Command, CommandContext, Offer } from './command.js';
import { readJobLine, takeName, takeOptions } from './job-line.js';

const LISTED = 30;
const LISTED_RUNS = 10;
const SHOWN_PROMPT = 300;

const usage = `Jobs run by a schedule, and their results are delivered.

- /cron – list them
- /cron create every weekday at 9am What changed in the repo? – make one; its result comes to this chat
- /cron show NAME – one of them, with its next runs
- /cron edit NAME --schedule "every 2h" – change it
- /cron pause NAME, /cron resume NAME, /cron run NAME, /cron remove NAME
- /cron runs NAME – what came of it so far

Times: \`every 30m\`, \`in 2h\` or \`30m\` (once), \`every weekday at 9am\`, \`mon,thu 14:00\`, \`0 9 * * 1-5\`, \`2030-03-01T09:00\`.
Options before the time: \`--name "daily report"\` \`--deliver PLATFORM\` \`--timezone Europe/Berlin\` \`--model NAME\` \`--repeat 5\` \`--skill NAME\` \`--script FILE\` \`--no-agent\` \`--workdir FOLDER\` \`--max-iterations N\` \`--silence marker|never|always\` \`--no-catch-up\``;

const actions: Readonly<Record<string, { readonly action: JobAction; readonly done: string }>> = {
  pause: { action: 'pause', done: 'Paused' },
  resume: { action: 'resume', done: 'Resumed' },
  run: { action: 'run', done: 'Started' },
  remove: { action: 'remove', done: 'Removed' },
  delete: { action: 'remove', done: 'Removed' },
};

/** Names are written by people: what they hold is text and no markup. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>|~#]/gu, '\\$&');

const line = (job: ShownJob): string => {
  const last = job.lastRun === undefined ? '' : ` · last: ${toRunWords(job.lastRun)}`;
  const next = job.isEnabled ? `next ${toNextWords(job)}` : toNextWords(job);
  return `- **${plain(job.name)}** – ${plain(job.display)}, to ${plain(job.deliver)} · ${next}${last}`;
};

const list = async ({ jobs }: CommandContext): Promise<string> => {
  const all = await jobs.list();
  if (all.length === 0) return `There are no jobs yet.\n\n${usage}`;
  const more = all.length > LISTED ? `\n… and ${all.length - LISTED} more.` : '';
  return `${all.slice(0, LISTED).map(line).join('\n')}${more}\n\n/cron show NAME tells more of one; /cron help says what else there is.`;
};

const lastLine = ({ lastRun }: ShownJob, timezone: string | undefined): string => {
  if (lastRun === undefined) return 'It never ran.';
  const { startedAt, error } = lastRun;
  const reason = error === undefined ? '' : ` – ${plain(error.slice(0, SHOWN_PROMPT))}`;
  return `Last run: ${toRunWords(lastRun)}, ${formatLocalTime(startedAt, timezone)}${reason}`;
};

const detail = (job: ShownJob, timezone: string | undefined): string => {
  const { id, name, display, zone, deliver, prompt, script, nextRuns, isEnabled, workdir, model } = job;
  const extra = [
    script === undefined
      ? undefined
      : `Script: ${plain(script)}${job.isScriptOnly ? ', without a model' : ''}`,
    model === undefined ? undefined : `Model: ${plain(model)}`,
    workdir === undefined ? undefined : `Folder: ${plain(workdir)}`,
    job.skills.length === 0 ? undefined : `Skills: ${plain(job.skills.join(', '))}`,
    job.repeat === undefined ? undefined : `Runs: ${job.begun} of ${job.repeat}`,
  ];
  const next = isEnabled && nextRuns.length > 0 ? nextRuns.join(', ') : `none, it is ${toNextWords(job)}`;
  const asked = prompt.length > SHOWN_PROMPT ? `${prompt.slice(0, SHOWN_PROMPT)}…` : prompt;
  return [
    `**${plain(name)}** (${id})`,
    `When: ${plain(display)} (${zone})`,
    `Next: ${next}`,
    `To: ${plain(deliver)}`,
    ...extra.filter((one) => one !== undefined),
    lastLine(job, timezone),
    ...(asked === '' ? [] : ['', ...asked.split('\n').map((one) => `> ${plain(one)}`)]),
  ].join('\n');
};

const show = async (name: string, { jobs, timezone }: CommandContext): Promise<string | Offer> => {
  if (name === '') return 'Which one? /cron lists them; write /cron show NAME.';
  const found = await jobs.find(name);
  if (!found.ok) return found.problem;
  const { job } = found;
  return {
    text: detail(job, timezone),
    options: [
      { label: 'Run it now', line: `/cron run ${job.id}` },
      job.isEnabled
        ? { label: 'Pause it', line: `/cron pause ${job.id}` }
        : { label: 'Resume it', line: `/cron resume ${job.id}` },
      { label: 'What came of it', line: `/cron runs ${job.id}` },
    ],
  };
};

const report = (answer: JobAnswer, done: string, isBrief: boolean): string => {
  if (!answer.ok) return `Nothing was done: ${answer.problem}`;
  const { job, notes } = answer;
  const next = isBrief ? [] : [`Next: ${job.nextRuns.join(', ') || toNextWords(job)} (${job.zone})`];
  const to = isBrief ? '' : `, to ${plain(job.deliver)}`;
  return [`${done}: **${plain(job.name)}** – ${plain(job.display)}${to}`, ...notes.map(plain), ...next].join(
    '\n',
  );
};

/** What only an owner may ask for: other people's chats, the host's folders and its programs. */
const refusal = ({ deliver, workdir, script }: JobRequest, isOwner: boolean): string | undefined => {
  if (isOwner) return undefined;
  if (workdir !== undefined || script !== undefined) return 'Only an owner can choose a folder or a script.';
  const parsed = parseTargets(deliver ?? 'origin');
  const isHere = parsed.ok && parsed.targets.every(({ type }) => type === 'origin' || type === 'local');
  return isHere
    ? undefined
    : 'Only an owner can have results sent to another chat; yours come here (origin).';
};

const create = async (text: string, { jobs, isOwner }: CommandContext): Promise<string> => {
  if (text === '') return usage;
  const read = readJobLine(text, (rest) => jobs.split(rest));
  if ('problem' in read) return `Nothing was done: ${read.problem}`;
  const request: JobRequest = { prompt: read.rest, ...read.request };
  const refused = refusal(request, isOwner);
  return refused ?? report(await jobs.create(request), 'Created', false);
};

const edit = async (text: string, { jobs, isOwner }: CommandContext): Promise<string> => {
  const { name, rest } = takeName(text);
  const read = takeOptions(rest);
  if ('problem' in read) return `Nothing was done: ${read.problem}`;
  const request: JobRequest = { ...read.request, ...(read.rest !== '' && { prompt: read.rest }) };
  if (name === '' || Object.keys(request).length === 0)
    return 'Write what is to change, e.g. /cron edit NAME --schedule "every 2h". What follows the options is the new prompt.';
  const refused = refusal(request, isOwner);
  return refused ?? report(await jobs.update(name, request), 'Changed', false);
};

const runLine = (run: JobRun, timezone: string | undefined): string => {
  const reason = run.error === undefined ? '' : ` – ${plain(run.error.split('\n')[0] ?? '')}`;
  return `- ${formatLocalTime(run.startedAt, timezone)} **${plain(run.jobName)}**: ${toRunWords(run)}${reason}`;
};

const runs = async (name: string, { jobs, timezone }: CommandContext): Promise<string> => {
  const found = name === '' ? undefined : await jobs.find(name);
  if (found?.ok === false) return found.problem;
  const all = await jobs.runs(found?.job.id, LISTED_RUNS);
  return all.length === 0 ? 'Nothing ran yet.' : all.map((run) => runLine(run, timezone)).join('\n');
};

export const cron: Command = {
  name: 'cron',
  description: 'List, make and change scheduled jobs',
  run: async (context) => {
    const { jobs, args } = context;
    const [verb = ''] = /^\S*/u.exec(args) ?? [];
    const rest = args.slice(verb.length).trim();
    const word = verb.toLowerCase();
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (action !== undefined) {
      if (rest === '') return `Which one? /cron lists them; write /cron ${word} NAME.`;
      return report(await jobs.act(takeWhole(rest), action.action), action.done, action.action !== 'resume');
    }
    switch (word) {
      case '':
      case 'list':
        return list(context);
      case 'show':
        return show(takeWhole(rest), context);
      case 'create':
      case 'add':
        return create(rest, context);
      case 'edit':
        return edit(rest, context);
      case 'runs':
        return runs(takeWhole(rest), context);
      case 'help':
        return usage;
      default:
        return `I do not know '${verb}'.\n\n${usage}`;
    }
  },
};

/** A name may have spaces, with quotes around it or without. */
const takeWhole = (text: string): string => text.replace(/^["“”„]([\s\S]*)["“”]$/u, '$1').trim();
