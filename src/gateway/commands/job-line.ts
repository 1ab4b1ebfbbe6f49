/** What people write behind `/cron create` and `/cron edit`: options, a schedule and a prompt, in the words of the command line. */
import { silencePolicies } from '../../core/job.js';
import type { JobRequest } from '../../core/job-service.js';

type Taken = { readonly request: JobRequest; readonly rest: string };
export type ReadLine = Taken | { readonly problem: string };

const texts = ['name', 'deliver', 'timezone', 'model', 'script', 'workdir', 'schedule', 'prompt'] as const;
const numbers = { repeat: 'repeat', 'max-iterations': 'maxSteps' } as const;
const flags = {
  'no-agent': { isScriptOnly: true },
  agent: { isScriptOnly: false },
  'catch-up': { isCatchingUp: true },
  'no-catch-up': { isCatchingUp: false },
} as const satisfies Record<string, JobRequest>;

const isKeyOf = <Table extends object>(table: Table, name: string): name is keyof Table & string =>
  Object.hasOwn(table, name);

/** A phone makes one dash of two. */
const optionShape = /^(?:--|[—–])([a-z][a-z-]*)(?=\s|=|$)/u;
const valueShape = /^(?:\s+|=)(?:["“”„]([^"“”]*)["“”]|(\S+))/u;

const known = [...texts, 'skill', ...Object.keys(numbers), 'silence', ...Object.keys(flags)];

const toRequest = (name: string, value: string, before: JobRequest): JobRequest | string => {
  const text = texts.find((one) => one === name);
  if (text !== undefined) return { [text]: value };
  if (isKeyOf(numbers, name)) return { [numbers[name]]: Number(value) };
  if (name === 'skill')
    return { skills: [...(before.skills ?? []), ...value.split(',').filter((one) => one !== '')] };
  const silence = silencePolicies.find((one) => one === value);
  return silence === undefined ? `--silence is ${silencePolicies.join(', ')}, not '${value}'.` : { silence };
};

/** Takes the options that a text begins with. */
export const takeOptions = (text: string, before: JobRequest = {}): ReadLine => {
  let rest = text.trim();
  let request = before;
  for (;;) {
    const [option, name = ''] = optionShape.exec(rest) ?? [];
    if (option === undefined) return { request, rest };
    if (!known.includes(name))
      return {
        problem: `I do not know --${name}. There are ${known.map((one) => `--${one}`).join(', ')}.`,
      };
    rest = rest.slice(option.length);
    if (isKeyOf(flags, name)) {
      request = { ...request, ...flags[name] };
    } else {
      const value = valueShape.exec(rest);
      if (value === null) return { problem: `--${name} needs a value, in double quotes if it has spaces.` };
      const read = toRequest(name, value[1] ?? value[2] ?? '', request);
      if (typeof read === 'string') return { problem: read };
      request = { ...request, ...read };
      rest = rest.slice(value[0].length);
    }
    rest = rest.trim();
  }
};

/** A name at the beginning: in double quotes, or one word. */
export const takeName = (text: string): { readonly name: string; readonly rest: string } => {
  const [whole = '', quoted, word = ''] = /^\s*(?:["“”„]([^"“”]*)["“”]|(\S+))/u.exec(text) ?? [];
  return { name: quoted ?? word, rest: text.slice(whole.length).trim() };
};

const quotedPrompt = /^["“„]([\s\S]*?)["”“](\s+(?:--|[—–])[a-z][\s\S]*)?$/u;

/** Options before the schedule, behind it, or behind a prompt in double quotes. */
export const readJobLine = (
  line: string,
  split: (text: string) => { readonly schedule: string; readonly rest: string },
): ReadLine => {
  const first = takeOptions(line);
  if ('problem' in first) return first;
  const { schedule, rest } =
    first.request.schedule === undefined ? split(first.rest) : { schedule: undefined, rest: first.rest };
  const timed: JobRequest = schedule === undefined || schedule === '' ? {} : { schedule };
  const second = takeOptions(rest, { ...first.request, ...timed });
  if ('problem' in second) return second;
  const [, prompt, options = ''] = quotedPrompt.exec(second.rest) ?? [];
  if (prompt === undefined) return second;
  const third = takeOptions(options, second.request);
  return 'problem' in third ? third : { ...third, rest: `${prompt} ${third.rest}`.trim() };
};
