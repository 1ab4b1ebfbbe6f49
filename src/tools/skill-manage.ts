import * as z from 'zod';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const input = z.object({
  action: z
    .enum(['create', 'edit', 'delete'])
    .describe(
      'create: a new skill; edit: replaces a file of one, or adds it; delete: a file of it, or all of it.',
    ),
  name: z.string().max(64).describe('Small letters, digits and dashes, e.g. weekly-report.'),
  content: z
    .string()
    .optional()
    .describe(
      'For create and edit: the whole file. SKILL.md begins with a head: "---\\nname: …\\ndescription: when to use it\\n---\\n".',
    ),
  file: z
    .string()
    .max(200)
    .optional()
    .describe(
      'For edit and delete: a file inside the skill, e.g. references/api.md. Default: SKILL.md; for delete all of it.',
    ),
});

type SkillManageInput = z.infer<typeof input>;

const failed = (text: string): ToolOutcome => ({ text, isError: true });

const execute = async (
  { action, name, content, file }: SkillManageInput,
  { services, caller }: ToolContext,
): Promise<ToolOutcome> => {
  const { editor } = services.skills;
  // What stands there is read in everybody's conversations.
  if (!caller.isOwner) return failed('Nothing was done: only an owner may have skills changed.');
  const what = file === undefined ? `the skill ${name}` : `${file} of the skill ${name}`;
  if (action === 'delete') {
    await editor.remove(name, file);
    return { text: `Deleted ${what}.`, isError: false };
  }
  if (content === undefined) return failed(`Nothing was done: ${action} needs \`content\`, the whole file.`);
  if (action === 'edit') {
    await editor.write(name, content, file);
    return { text: `Wrote ${what}.`, isError: false };
  }
  if (file !== undefined)
    return failed('Nothing was done: create writes SKILL.md; add further files with edit afterwards.');
  await editor.create(name, content);
  return {
    text: `Created ${what}. It can be chosen as /${name} and is listed in new conversations.`,
    isError: false,
  };
};

export const skillManage: Tool<SkillManageInput> = {
  name: 'skill_manage',
  title: 'Keep skills',
  description:
    'Creates, edits and deletes skills of the home: guidance that later conversations find by its description. Use it when ' +
    'the user asks to keep a way of working, or agrees to it. Never write passwords, keys or anything private into one.',
  category: 'write',
  input,
  mode: 'exclusive',
  grantOf: ({ name }) => ({ keys: [`skill ${name}`], label: `the skill ${name}` }),
  present: ({ action, name, file, content = '' }) =>
    [`${action} ${name}${file === undefined ? '' : ` ${file}`}`, content].join('\n').trim(),
  riskOf: ({ action }) => (action === 'delete' ? 'What is deleted is gone.' : undefined),
  summarise: ({ action, name, file }) => [action, name, file ?? ''].join(' ').trim().slice(0, 80),
  execute,
};
