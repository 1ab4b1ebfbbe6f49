import { toPlainLine } from '../../core/plain-text.js';
import type { Skill, SkillSummary } from '../../core/skill.js';
import { ask } from '../ask.js';
import { CommandFailure, type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { parseOptions, refuseWords } from '../options.js';

const role = 'hermes skills';
const MAX_DESCRIPTION = 100;

const list = async (isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { skills } = await ask<{ readonly skills: readonly SkillSummary[] }>(
    {
      method: 'GET',
      path: '/api/skills',
      alone: async (services) => ({ skills: await services.skills.list() }),
    },
    role,
    edge,
  );
  if (isJson) {
    edge.stdout.write(`${JSON.stringify({ skills }, null, 2)}\n`);
    return 0;
  }
  if (skills.length === 0)
    edge.stderr.write('There are no skills. One is a folder with a SKILL.md in skills/ of the home.\n');
  for (const { name, place, category = '-', description } of skills)
    edge.stdout.write(`${[name, place, category, toPlainLine(description, MAX_DESCRIPTION)].join('\t')}\n`);
  return 0;
};

const show = async (name: string, isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { skill } = await ask<{ readonly skill: Skill }>(
    {
      method: 'GET',
      path: `/api/skills/${encodeURIComponent(name)}`,
      alone: async (services) => {
        const found = await services.skills.find(name);
        if (found === undefined) throw new CommandFailure(`There is no skill '${name}'.`);
        return { skill: found };
      },
    },
    role,
    edge,
  );
  if (isJson) {
    edge.stdout.write(`${JSON.stringify(skill, null, 2)}\n`);
    return 0;
  }
  const head = [`${skill.name} (${skill.place}): ${skill.description}`, skill.folder];
  const files =
    skill.files.length === 0 ? [] : ['', 'Further files:', ...skill.files.map((file) => `  ${file}`)];
  edge.stdout.write(`${[...head, ...files, '', skill.text].join('\n')}\n`);
  return 0;
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean', default: false } });
  const [verb, name, ...rest] = positionals;
  refuseWords(rest);
  if (verb === 'list' && name === undefined) return list(values.json, edge);
  if (verb === 'show' && name !== undefined) return show(name, values.json, edge);
  throw new UsageError('write `hermes skills list` or `hermes skills show NAME`');
};
