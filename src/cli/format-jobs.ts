/** Scheduled jobs for people at a terminal, within 80 columns. */
import type { JobRun } from '../core/job.js';
import type { ShownJob } from '../core/job-service.js';
import { toNextWords, toRunWords } from '../core/job-words.js';
import { formatLocalTime } from '../core/local-time.js';
import type { Paint } from './paint.js';
import { wrap } from './wrap.js';

const WIDTH = 80;
const LABEL_WIDTH = 10;
const GAP = '  ';

/** How many columns of a terminal a text takes: wide characters, as of Chinese, take two. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, one) => sum + (/\p{Mark}/u.test(one) ? 0 : isWide(one) ? 2 : 1), 0);

const isWide = (one: string): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff00-\uff60]/u.test(
    one,
  );

/** Exactly so wide: filled up, or cut. Control characters would move the columns. */
const fill = (given: string, width: number): string => {
  const text = given.replace(/\p{Cc}+/gu, ' ');
  if (widthOf(text) <= width) return text + ' '.repeat(width - widthOf(text));
  let cut = '';
  for (const one of text) {
    if (widthOf(cut + one) > width - 1) break;
    cut += one;
  }
  return `${cut}…${' '.repeat(width - 1 - widthOf(cut))}`;
};

const row = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => fill(cell, widths[index] ?? 0))
    .join(GAP)
    .trimEnd();

const table = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  paint: Paint,
): string =>
  `${[paint(row(heads, widths), 'bold'), ...rows.map((cells) => row(cells, widths))].join('\n')}\n`;

const lastWords = ({ lastRun }: ShownJob): string => (lastRun === undefined ? 'never' : toRunWords(lastRun));

export const formatJobs = (jobs: readonly ShownJob[], paint: Paint): string =>
  table(
    ['NAME', 'WHEN', 'NEXT', 'LAST RUN'],
    jobs.map((job) => [job.name, job.words, toNextWords(job), lastWords(job)]),
    [19, 22, 20, 13],
    paint,
  );

const TIME_WIDTH = 16;

export const formatRuns = (runs: readonly JobRun[], paint: Paint): string =>
  table(
    ['STARTED', 'JOB', 'RESULT', 'WHY'],
    runs.map((run) => [
      formatLocalTime(run.startedAt),
      run.jobName,
      toRunWords(run),
      run.error ?? (run.delivery === 'failed' ? (run.deliveryDetail ?? '') : ''),
    ]),
    [TIME_WIDTH, 18, 18, 22],
    paint,
  );

const labelled = (label: string, text: string, paint: Paint): string => {
  const indent = ' '.repeat(LABEL_WIDTH + 2);
  const lines = text.split('\n').map((line) => wrap(line, { width: WIDTH - indent.length, indent }));
  return `  ${paint(label.padEnd(LABEL_WIDTH), 'dim')}${lines.join(`\n${indent}`)}`;
};

const lastRunLines = ({ lastRun }: ShownJob): string => {
  if (lastRun === undefined) return 'never';
  const { startedAt, error, output } = lastRun;
  return [
    `${toRunWords(lastRun)}, ${formatLocalTime(startedAt)}`,
    ...(error === undefined ? [] : [error.trim()]),
    ...(output === undefined ? [] : [output]),
  ].join('\n');
};

export const formatJob = (job: ShownJob, paint: Paint): string => {
  const { name, id, words, display, zone, nextRuns, deliver, script, workdir, skills, model, prompt } = job;
  const when = words === display ? words : `${words} – ${display}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['when', `${when} (${zone})`],
    ['next', job.isEnabled && nextRuns.length > 0 ? nextRuns.join('\n') : toNextWords(job)],
    ['delivers', deliver],
    ['script', script && (job.isScriptOnly ? `${script}, without a model` : script)],
    ['folder', workdir],
    ['skills', skills.length === 0 ? undefined : skills.join(', ')],
    ['model', model],
    ['steps', job.maxSteps === undefined ? undefined : `at most ${job.maxSteps} model calls a run`],
    ['repeat', job.repeat === undefined ? undefined : `${job.begun} of ${job.repeat} runs`],
    ['catch-up', job.isCatchingUp === undefined ? undefined : job.isCatchingUp ? 'yes' : 'no'],
    ['silence', job.silence],
    ['last run', lastRunLines(job)],
    ['prompt', prompt === '' ? undefined : prompt],
  ];
  const lines = facts.flatMap(([label, text]) => (text === undefined ? [] : [labelled(label, text, paint)]));
  return `${[`${paint(name, 'bold')} (${id})`, ...lines].join('\n')}\n`;
};
