import * as z from 'zod';
import { isSkillWanted, type SkillSummary } from '../core/skill.js';
import type { Tool } from '../core/tool.js';

const input = z.object({
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Only those whose name, category or description has all these words.'),
});

const fits = ({ name, description, category = '' }: SkillSummary, query: string): boolean => {
  const text = `${name} ${category} ${description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
};

const describe = ({ name, description, category, place }: SkillSummary): string => {
  const where = [category, place === 'workspace' ? 'of the workspace' : undefined].filter(
    (part) => part !== undefined,
  );
  return `- ${name}${where.length === 0 ? '' : ` (${where.join(', ')})`}${description === '' ? '' : `: ${description}`}`;
};

export const skillsList: Tool<z.infer<typeof input>> = {
  name: 'skills_list',
  title: 'List skills',
  description:
    'Lists the skills there are: guidance for kinds of work, each with its name and when to use it. Use it before work that ' +
    'somebody may have written guidance for; read a fitting one with skill_view.',
  category: 'read',
  neverAsks: true,
  input,
  mode: 'parallel',
  summarise: ({ query = '' }) => query.trim().slice(0, 80),
  execute: async ({ query = '' }, { services, caller }) => {
    const all = (await services.skills.list()).filter(({ name }) => isSkillWanted(name, caller.skills));
    const found = query.trim() === '' ? all : all.filter((skill) => fits(skill, query.trim()));
    if (all.length === 0) return { text: 'There are no skills.', isError: false };
    if (found.length === 0)
      return { text: `None of the ${all.length} skills has these words.`, isError: false };
    return { text: found.map(describe).join('\n'), isError: false };
  },
};
